import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../service/src/config.ts'
import type { Connector } from '../../service/src/connectors/contract/contract.ts'
import { kit, type NamedList, type RawRecord } from '../../service/src/connectors/kit/index.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import { type ProbeResult, probeConnector } from '../../service/src/operator/probe-connector.ts'
import { hostedClasses, hostedConnectors } from '../twins/hosted/connectors.ts'
import { startHosted } from '../twins/hosted/rules.ts'
import { startWordpressTwin, type WordpressTwin } from '../twins/wordpress/twin.ts'

const limit = { timeout: 900_000 }
const run = promisify(execFile)
const env = { PATH: process.env.PATH, NO_COLOR: '1', WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }
const wherry = (...args: string[]) =>
  run(process.execPath, [join(import.meta.dirname, '../../service/bin/wherry.mjs'), 'connector', 'probe', ...args], {
    env,
  })

let folder: string
let cleanup: AsyncDisposableStack
beforeEach(async () => {
  cleanup = new AsyncDisposableStack()
  folder = await mkdtemp(join(tmpdir(), 'probe-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true }))
})
afterEach(() => cleanup.disposeAsync())

async function keep(credentials: object): Promise<string> {
  const file = join(folder, 'account.json')
  await writeFile(file, JSON.stringify(credentials))
  return file
}
const factOf = ({ facts }: ProbeResult, entity: string) =>
  Object.fromEntries(facts.filter((one) => one.entity === entity).map(({ fact, result }) => [fact, result]))

describe('the twin of WordPress', () => {
  let twin: WordpressTwin
  let account: string
  beforeEach(async () => {
    twin = await startWordpressTwin()
    cleanup.defer(() => twin.close())
    const { instanceUrl, username, token } = twin.access
    account = await keep({ instance_url: instanceUrl, username, token })
  })
  const size = () => [twin.site.writings.size(), twin.site.terms.size(), twin.site.comments.size()]

  test('is only read without --yes, and the command lists the writes that it would make', limit, async () => {
    const { stdout } = await wherry('wordpress', '--account', account)
    expect(stdout).toMatch(/^written: nothing\. With --yes two records of each kind are made and removed: .*posts/m)
    expect(stdout).toMatch(/^ {2}posts +counted +1$/m)
    expect(twin.seen.filter((request) => !request.startsWith('GET'))).toEqual([])
  })

  test('shows its behaviour with a record, and has no record of the probe afterwards', limit, async () => {
    const before = size()
    const { stdout } = await wherry('wordpress', '--account', account, '--yes', '--wait', '1', '--json')
    const result = JSON.parse(stdout) as ProbeResult
    expect(factOf(result, 'posts')).toMatchObject({
      declared: 'class C',
      written: 'written',
      read_back: expect.stringMatching(/^as sent: \d+ fields$/),
      backdate: 'unknown: the connector compares no times here',
      found_by_key: 'at once',
      // Class C: only a search before sending prevents a duplicate.
      twice_with_one_key: 'two records',
      deleted: 'gone',
    })
    expect(factOf(result, 'comments')).toMatchObject({ backdate: 'kept', deleted: 'gone' })
    expect(factOf(result, 'all').mail).toContain('probe@example.invalid')
    expect([result.left, size()]).toEqual([[], before])
    expect(result.not_checked).toEqual(
      expect.arrayContaining([
        'files: media',
        'changes of records that the tool already has',
        'whether mails were sent',
      ]),
    )
  })

  test('that is only read is said to be unchecked for writing', limit, async () => {
    const { stdout } = await wherry('wordpress', '--account', account)
    expect(stdout).toMatch(/^not_checked:\n {2}.*everything about writing/m)
  })

  test('makes the command name the remaining records and fail, if it does not remove them', limit, async () => {
    twin.faults.when(({ method, url }) =>
      method === 'DELETE' && url.pathname.startsWith('/wp/v2/comments/')
        ? { kind: 'answered', status: 500, json: { code: 'oh', message: 'No' } }
        : null,
    )
    const failed = await wherry('wordpress', '--account', account, '--yes', '--wait', '1', '--json').catch(
      (error: { stdout: string; stderr: string }) => error,
    )
    const { left } = JSON.parse(failed.stdout) as ProbeResult
    expect(left.filter(({ entity }) => entity === 'comments')).toHaveLength(2)
    expect(failed.stderr).toContain('may be left in the account')
  })

  test.each([
    ['a wrong key', { token: 'wrong' }, 'could not be signed in to'],
    ['a missing name', { username: '' }, 'lacks username'],
    ['a name that nobody asks for', { region: 'eu' }, 'does not ask for region'],
  ])('is not probed with %s', limit, async (_what, change, message) => {
    const { instanceUrl, username, token } = twin.access
    const file = await keep({ instance_url: instanceUrl, username, token, ...change })
    await expect(wherry('wordpress', '--account', file)).rejects.toThrow(message)
  })
})

test('an address in a network that is not allowed is named, with the setting that allows it', limit, async () => {
  const account = await keep({ instance_url: 'http://127.0.0.1:9', username: 'ada', token: 'key' })
  const connector = connectors.find(({ tool }) => tool === 'wordpress') as Connector
  await expect(probeConnector(connector, { account }, readConfig({}))).rejects.toThrow(
    'The address is in a network that this service must not reach. To allow it, add it to WHERRY_ALLOWED_NETWORKS.',
  )
})

test('a record of a short list without a place for a key is found by its note', limit, async () => {
  const teams: { id: number; name: string }[] = []
  const declared = kit.defineEntity('helpdesk', 'groups', { fields: { name: kit.is.text('name') } })
  const keyed = { deliveryClass: 'C', delete: true, silentCreate: true, backdate: false, createField: false } as const
  const capabilities = { ...keyed, batchSize: 1, concurrency: 1, settleMs: 0 }
  const connector: Connector = {
    tool: 'teams',
    label: 'Teams',
    families: ['helpdesk'],
    movesBetweenInstances: false,
    destination: {
      requires: ['token'],
      checkAccount: async () => ({ name: 'Teams' }),
      open: ({ sides }) => {
        const list: NamedList = {
          kind: 'teams',
          all: async () => [...teams],
          toBody: (record) => kit.writeRecord(declared, record),
          placeOf: ({ name }) => [name],
          save: async (_id, body) => {
            teams.push({ id: teams.length + 1, name: String(body.name) })
            return { raw: teams.at(-1) as RawRecord }
          },
          toFound: (raw) => ({ ...kit.toStored('Teams', declared, raw), url: null, version: null }),
          findNeed: async () => null,
          remove: async (id) => {
            teams.splice(0, teams.length, ...teams.filter((team) => String(team.id) !== id))
            return { result: 'done', status: 204, headers: {}, json: null }
          },
        }
        return kit.openWriter('Teams', {
          describe: async () => ({ account: { name: 'Teams' }, textFormat: 'html', maxFileBytes: null, capabilities }),
          entities: async () => ({
            groups: { declared, offer: { required: ['name'] }, ...kit.namedEntity(list, sides) },
          }),
          users: async () => ({ items: [], next: null }),
        })
      },
    },
  }
  const account = await keep({ token: 'key' })
  const result = await probeConnector(connector, { account, yes: true, wait: '1' }, readConfig({}))
  expect(factOf(result, 'groups')).toMatchObject({ written: 'written', found_by_key: 'at once', deleted: 'gone' })
  expect([result.left, teams]).toEqual([[], []])
})

const expected: Record<string, { found_by_key: RegExp; twice_with_one_key: string }> = {
  hosted_a: { found_by_key: /^at once$/, twice_with_one_key: 'one record' },
  hosted_b: { found_by_key: /^at once$/, twice_with_one_key: 'one record' },
  hosted_c: { found_by_key: /^at once$/, twice_with_one_key: 'two records' },
  hosted_c_weak: { found_by_key: /^after \d+ s$/, twice_with_one_key: 'two records' },
  hosted_d: { found_by_key: /^not within \d+ s$/, twice_with_one_key: 'two records' },
}

test.each(hostedClasses.map((hosted) => [hosted.label, hosted] as const))(
  'each delivery class is recognised: %s',
  limit,
  async (_label, { tool, key }) => {
    const twin = await startHosted({ key, token: 'key', lagMs: 600_000, remembersMs: 600_000 })
    cleanup.defer(() => twin.close())
    // The index shows the record only after a first search without a result.
    let searches = 0
    twin.faults.when(({ url }) => {
      if (url.pathname.includes('/search/') && ++searches % 2 === 0) twin.clock.advance(600_000)
      return null
    })
    const account = await keep({ instance_url: twin.url, token: 'key' })
    const connector = hostedConnectors.find((one) => one.tool === tool) as Connector
    const config = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
    const wait = key === 'searched' ? '120' : '1'
    const result = await probeConnector(connector, { account, yes: true, wait }, config)
    const { found_by_key, twice_with_one_key } = expected[tool] as (typeof expected)[string]
    expect(factOf(result, 'tickets')).toMatchObject({
      found_by_key: expect.stringMatching(found_by_key),
      twice_with_one_key,
      deleted: 'gone',
    })
    expect([result.left, twin.things.size()]).toEqual([[], 0])
  },
)

test('a record that may be there although its request failed is listed', limit, async () => {
  const { tool, key } = hostedClasses.find((one) => one.tool === 'hosted_d') as (typeof hostedClasses)[number]
  const twin = await startHosted({ key, token: 'key', lagMs: 0, remembersMs: 0 })
  cleanup.defer(() => twin.close())
  twin.faults.when(({ method }) => (method === 'POST' ? { kind: 'lost' } : null))
  const account = await keep({ instance_url: twin.url, token: 'key' })
  const connector = hostedConnectors.find((one) => one.tool === tool) as Connector
  const config = readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { left, not_checked } = await probeConnector(connector, { account, yes: true, wait: '1' }, config)
  expect(twin.things.size()).toBeGreaterThan(0)
  expect(left[0]).toMatchObject({ destination_id: 'unknown', why: expect.stringContaining('it may have been made') })
  expect(not_checked).toContain(`${left[0]?.entity}, after the error`)
})

test('a connector that cannot be loaded is named with the reason', limit, async () => {
  await writeFile(join(folder, 'index.mjs'), `throw new Error('no licence')`)
  const program = join(import.meta.dirname, '../../service/bin/wherry.mjs')
  const failed = run(process.execPath, [program, 'connector', 'probe', 'odd', '--account', await keep({})], {
    env: { ...env, WHERRY_CONNECTORS: folder },
  })
  await expect(failed).rejects.toThrow(
    `The connector at ${folder} was left out: the module fails at index.mjs:1:7: no licence`,
  )
})
