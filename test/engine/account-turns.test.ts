import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account, OutgoingRecord } from '../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../service/src/connectors/crm/hubspot/writer.ts'
import { type OpenDatabase, openDatabase } from '../../service/src/db/open-database.ts'
import { openTurns } from '../../service/src/engine/account-turns.ts'
import { noteSent } from '../../service/src/outbound/track-sends.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { keepSides } from '../connectors/keep-sides.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createClock } from '../twins/clock.ts'
import { startHubspotTwin } from '../twins/hubspot/twin.ts'

let own: TestDatabase
let database: OpenDatabase
beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.url, { poolSize: 10 })
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

test('changes of one name in one account never overlap, and others do not wait', async () => {
  let under = 0
  let most = 0
  const change = async (account: string, name: string) =>
    openTurns(database.db, account)(name, async () => {
      under += 1
      most = Math.max(most, under)
      await sleep(50)
      under -= 1
    })
  await Promise.all(Array.from({ length: 6 }, () => change('one', 'colour')))
  expect(most).toBe(1)
  await Promise.all([change('one', 'colour'), change('one', 'size'), change('other', 'colour')])
  expect(most).toBeGreaterThan(1)
})

test('after a request without an answer, another import waits until it cannot take effect', async () => {
  const turns = openTurns(database.db, 'two')
  const lost = new Error('The connection broke.')
  const breakOff = async () => {
    noteSent()
    throw lost
  }
  await expect(turns('colour', breakOff)).rejects.toBe(lost)
  const waiting = turns('colour', async () => 'done')
  await expect(waiting).rejects.toMatchObject({
    name: 'RetryableError',
    isForAll: true,
    retryAfterMs: expect.any(Number),
  })
  await sql`update account_turns set expires_at = clock_timestamp()`.execute(database.db)
  expect(await turns('colour', async () => 'done')).toBe('done')
  // A request that was surely not sent keeps nobody waiting.
  await expect(turns('colour', async () => Promise.reject(lost))).rejects.toBe(lost)
  expect(await turns('colour', async () => 'done')).toBe('done')
})

test('two imports that add choices to one field of one account at the same time keep all of them', async () => {
  const twin = await startHubspotTwin({}, createClock())
  const outbound = createLoopbackOutbound()
  try {
    const write = async (value: string) => {
      const record: OutgoingRecord = {
        ...{ key: `imp_${value}/contacts/1`, revision: 1, destinationId: null, createdBy: null },
        ...{ fields: { name: value }, customFields: { colour: { label: 'Colour', type: 'option', value } } },
        ...{ createdAt: null, updatedAt: null },
      }
      const sides = { ...keepSides(), inTurn: openTurns(database.db, 'hubspot') }
      const access = { username: null, ...twin.access }
      const account: Account = { access, outbound, sides, signal: AbortSignal.timeout(600_000) }
      const [outcome] = await openHubspotWriter(account, 'crm').write('contacts', [record])
      return outcome?.result
    }
    expect(await write('Red')).toBe('written')
    // Each change takes effect at once, and its answer takes a while.
    twin.faults.when(({ method, url }) =>
      method === 'POST' || !url.pathname.startsWith('/crm/v3/properties/contacts') ? null : { kind: 'slow', ms: 100 },
    )
    const values = ['Green', 'Blue', 'White', 'Black']
    expect(await Promise.all(values.map(write))).toEqual(values.map(() => 'written'))
    const { options } = twin.account.properties.contacts.find(({ label }) => label === 'Colour') ?? { options: [] }
    expect(options.map(({ value }) => value).sort()).toEqual([...values, 'Red'].sort())
  } finally {
    await outbound.close()
    await twin.close()
  }
})
