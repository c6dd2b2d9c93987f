import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountAccess } from '../../service/src/connectors/contract.ts'
import { compareDesks } from './compare-desks.ts'
import { compareTrytons } from './compare-trytons.ts'
import { deskOfRedmine } from './desk-of-redmine.ts'
import { rtToRedmine } from './desk-rules.ts'
import { type Facts, newFacts } from './facts.ts'
import { readRedmine } from './facts-redmine.ts'
import { readRt } from './facts-rt.ts'
import { readTryton } from './facts-tryton.ts'
import {
  expectClosed,
  type LedgerRecord,
  type PairService,
  type Portal,
  patienceMs,
  startPairService,
} from './pair-service.ts'
import { inDatabase, type Place, readPlaces, restart } from './place.ts'
import { prepareRedmine } from './prepare-redmine.ts'
import { callRedmine } from './redmine-live.ts'
import { signIn } from './tryton-seed.ts'
import { lookForMail, takeBack, type Walk } from './walk.ts'

vi.setConfig({ testTimeout: patienceMs, hookTimeout: patienceMs })

const { redmine, rt, tryton } = readPlaces()

/** One pair, with an account of its own that can be taken away and given back. */
interface Pair {
  walk: Walk
  /** Of which entity so many are written when the fault comes. */
  middle: [entity: string, count: number]
  destination: Place
  read(): Promise<Facts>
  compare(before: Facts, now: Facts, records: readonly LedgerRecord[]): Promise<string[]>
  /** Makes the key useless; answers the new one. */
  revoke(): Promise<AccountAccess>
}

const pairs: Record<string, () => Promise<Pair>> = {
  ...(redmine && rt && { 'Request Tracker to Redmine': () => rtToRedminePair(rt.source, redmine.destination) }),
  ...(tryton && { 'Tryton to Tryton': () => trytonPair(tryton.source, tryton.destination) }),
}

describe.skipIf(Object.keys(pairs).length === 0)('faults in the middle (npm run live -- rt redmine tryton)', () => {
  let service: PairService
  beforeEach(async () => {
    service = await startPairService()
  })
  afterEach(() => service.close())

  /** Everything is under way, and some of it is there. */
  async function untilMiddle({ walk, middle, read }: Pair): Promise<{ portal: Portal; before: Facts }> {
    const before = await read()
    const portal = await service.openPortal({ ...walk, startsFull: true })
    await portal.connect('source', walk.source)
    await portal.connect('destination', walk.destination)
    await lookForMail(portal, walk)
    const [entity, count] = middle
    await portal.untilWritten(entity, count)
    return { portal, before }
  }

  /** Nothing lost, nothing doubled, every field as it was; and gone again. */
  async function expectWhole(pair: Pair, portal: Portal, before: Facts): Promise<void> {
    await portal.until('migration_completed')
    const records = await portal.records()
    expectClosed(records)
    expect(await pair.compare(before, await pair.read(), records)).toEqual([])
    await takeBack(portal)
    expect(await pair.read()).toEqual(before)
  }

  describe.each(Object.keys(pairs))('%s', (name) => {
    test('a worker that is killed loses and doubles nothing', async () => {
      const pair = await open(name)
      const { portal, before } = await untilMiddle(pair)
      await service.killWorkers()
      await service.startWorker()
      await expectWhole(pair, portal, before)
    })

    test('a destination that is restarted loses and doubles nothing', async () => {
      const pair = await open(name)
      const { portal, before } = await untilMiddle(pair)
      await restart(pair.destination)
      await sleep(3_000)
      await expectWhole(pair, portal, before)
    })

    test('a key that is taken away pauses it, and a new one lets it go on', async () => {
      const pair = await open(name)
      const { portal, before } = await untilMiddle(pair)
      const access = await pair.revoke()
      const { message } = await portal.obstacle('authorization_lost')
      expect(message).not.toBe('')
      await portal.connect('destination', access)
      await expectWhole(pair, portal, before)
    })
  })
})

function open(name: string): Promise<Pair> {
  const pair = pairs[name]
  if (!pair) throw new Error(`no pair ${name}`)
  return pair()
}

async function rtToRedminePair(source: Place, destination: Place): Promise<Pair> {
  await prepareRedmine(destination)
  const login = `mover-${randomBytes(4).toString('hex')}`
  const user = {
    login,
    firstname: 'Mover',
    lastname: 'Key',
    mail: `${login}@agents.example`,
    admin: true,
    generate_password: true,
  }
  const made = await callRedmine(destination, 'POST', '/users.json', { user })
  const keyOf = async () => {
    const { json } = await callRedmine(destination, 'GET', `/users/${made.json.user.id}.json`)
    return { instanceUrl: destination.url, username: null, token: String(json.user.api_key) }
  }
  return {
    walk: { from: 'rt', to: 'redmine', family: 'helpdesk', source: source.access, destination: await keyOf() },
    middle: ['comments', 5],
    destination,
    read: () => readRedmine(destination),
    compare: async (before, now, records) =>
      compareDesks(await readRt(source), deskOfRedmine(newFacts(before, now), 'destination'), records, rtToRedmine),
    async revoke() {
      const owner = [made.json.user.id]
      await inDatabase(destination, (ask) => ask(`delete from tokens where action = 'api' and user_id = $1`, owner))
      return keyOf()
    },
  }
}

async function trytonPair(source: Place, destination: Place): Promise<Pair> {
  const admin = await signIn(destination.access)
  const groups = await admin.read<{ id: number }>('res.group', [], ['name'])
  const [me] = await admin.read<{ id: number; company: number }>(
    'res.user',
    [['login', '=', destination.access.username]],
    ['company'],
  )
  const login = `mover${randomBytes(4).toString('hex')}`
  const access = (token: string): AccountAccess => ({ instanceUrl: destination.url, username: login, token })
  const first = randomBytes(12).toString('hex')
  const [id = 0] = await admin.create('res.user', {
    login,
    name: 'Mover',
    password: first,
    groups: [['add', groups.map((group) => group.id)]],
    companies: [['add', [me?.company]]],
    company: me?.company,
  })
  return {
    walk: { from: 'tryton', to: 'tryton', family: 'crm', source: source.access, destination: access(first) },
    middle: ['contacts', 1],
    destination,
    read: () => readTryton(destination),
    compare: async (before, now, records) => compareTrytons(await readTryton(source), before, now, records),
    async revoke() {
      const next = randomBytes(12).toString('hex')
      await admin.call('res.user', 'write', [id], { password: next })
      return access(next)
    },
  }
}
