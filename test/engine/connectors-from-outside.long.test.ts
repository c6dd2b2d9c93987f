import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { loadConnectors } from '../../service/src/connectors/load-connectors.ts'
import { connectors as ours } from '../../service/src/connectors/registry.ts'
import { parseKeyRing } from '../../service/src/key-ring.ts'
import { createPartner } from '../../service/src/partners/create-partner.ts'
import { testKeys } from '../support/service.ts'
import { plainSettleMs } from './plain-connectors.ts'
import { type PlainTool, startPlainTool } from './plain-tool.ts'
import { type Portal, startWholeService, type WholeService } from './whole-service.ts'

// The whole service with an operator's own connectors that are broken in every way. The service must keep working for
// everyone else.

const limit = { timeout: 900_000 }
let folder: string
let cleanup = new AsyncDisposableStack()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outside-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function place(name: string, code: string): Promise<string> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'index.ts'), code)
  return join(folder, name)
}

/** The connector for a test tool whose \`write\` for tickets falsifies its outcomes. */
const plainWith = (tool: string, write: string, batchSize: number) => `
  import { plainConnectors } from '${join(import.meta.dirname, 'plain-connectors.ts')}'
  const plain = plainConnectors.find(({ tool }) => tool === 'plain_c')
  const change = ${write}
  export default () => ({
    ...plain, tool: '${tool}', label: 'Plain ${tool}',
    destination: { ...plain.destination, open: async (...asked) => {
      const writer = await plain.destination.open(...asked)
      return {
        ...writer,
        describe: async () => {
          const description = await writer.describe()
          return { ...description, capabilities: { ...description.capabilities, batchSize: ${batchSize} } }
        },
        write: async (entity, records) => {
          const outcomes = await writer.write(entity, records)
          return entity === 'tickets' ? change(outcomes) : outcomes
        },
      }
    } },
  })`
const stranger = `{ key: 'imp_x/tickets/1', result: 'written', destinationId: '1', url: null, version: null }`

async function startWith(places: readonly string[], limits: Parameters<typeof loadConnectors>[1] = {}) {
  const loaded = await loadConnectors(places, limits)
  const connectors = loaded.connectors.slice(ours.length)
  const service = await startWholeService({ connectors })
  cleanup.defer(() => service.close())
  const plain = await startPlainTool({ settleMs: plainSettleMs })
  cleanup.defer(() => plain.close())
  return { ...loaded, service, plain }
}

async function openImport(service: WholeService, plain: PlainTool, tool: string, loaded: typeof ours): Promise<Portal> {
  const parts = { connectors: loaded, keyRing: parseKeyRing(testKeys) }
  const partner = await createPartner(service.db, parts, { name: tool, destination: tool, families: ['helpdesk'] })
  const portal = await service.openPortal({}, partner.api_token)
  const source = { instance_url: service.fernhill.url, token: 'desk-key' }
  expect(await portal.act('PUT', '/accounts/source', source)).toMatchObject({ status: 200 })
  expect(await portal.act('PUT', '/accounts/destination', { instance_url: plain.url })).toMatchObject({ status: 200 })
  return portal
}

const keysOf = async ({ db }: WholeService, importId: string) => {
  const rows = await db
    .selectFrom('id_map')
    .select(['entity', 'source_id', 'state'])
    .where('import_id', '=', importId)
    .execute()
  return rows
    .filter(({ state }) => state === 'written')
    .map(({ entity, source_id }) => `${importId}/${entity}/${source_id}`)
    .toSorted()
}

test(
  'connectors that throw, loop or never answer while loading are named and left out, and the service runs',
  limit,
  async () => {
    const { leftOut, service } = await startWith(
      [
        await place('throws', `throw new Error('no licence')`),
        await place('loops', 'for (;;) {}'),
        await place('waits', 'await new Promise(() => setInterval(() => {}, 1000))'),
      ],
      { loadMs: 10_000 },
    )
    expect(leftOut.map(({ place: at, reason }) => [at.split('/').at(-1), reason])).toEqual([
      ['throws', 'the module fails at index.ts:1:7: no licence'],
      ['loops', 'the module fails: it is not loaded within 10 seconds'],
      ['waits', 'the module fails: it is not loaded within 10 seconds'],
    ])
    const portal = await service.openPortal()
    await portal.connect()
    await portal.look('/plan')
  },
)

test.each([
  ['answers_more', `(outcomes) => [...outcomes, ${stranger}]`, 'answered for a record that was not sent'],
  ['answers_less', '(outcomes) => []', 'left a record without an outcome'],
  [
    'answers_one_id',
    `(outcomes) => outcomes.map((one) => ({ ...one, destinationId: '1' }))`,
    'gave two new records one id',
  ],
  [
    'repeats_one_id',
    `(outcomes) => outcomes.map((one) => ({ ...one, destinationId: '1' }))`,
    'write(tickets) gave two records one id',
  ],
  [
    'answers_at_length',
    `(outcomes) => outcomes.map((one) => ({ ...one, url: 'x'.repeat(20_000) }))`,
    'with a url that is no',
  ],
  ['makes_mistakes', '(outcomes) => outcomes.none.map((one) => one)', 'write failed at index.ts:'],
  ['never_ends', '() => new Promise(() => {})', 'write did not end within 10 s'],
])(
  'while the faulty connector %s is used, the operator sees its name, the ledger is correct, and other imports continue',
  limit,
  async (tool, write, words) => {
    // Only one connector needs a time limit. Calls of the others end, but on a busy machine they may take seconds.
    const limits = tool === 'never_ends' ? { callMs: 10_000 } : {}
    // A lie about each record alone shows only beside the ledger.
    const batchSize = tool === 'repeats_one_id' ? 1 : 3
    const { connectors, service, plain } = await startWith(
      [await place(tool, plainWith(tool, write, batchSize))],
      limits,
    )
    const portal = await openImport(service, plain, tool, connectors)
    const other = await service.openPortal()
    await other.connect()
    await Promise.all([portal.look('/plan'), other.look('/plan')])
    expect(await portal.act('POST', '/runs', { kind: 'sample' })).toMatchObject({ status: 201 })
    await other.run('sample', 'sample_migration_completed')
    const fault = `The connector for ${tool} does not keep its contract: `
    await vi.waitFor(
      async () => {
        const runs = await service.db.selectFrom('runs').selectAll().where('import_id', '=', portal.id).execute()
        const sample = runs.find(({ kind }) => kind === 'sample')
        const said = sample?.obstacle ?? { message: String(sample?.state) }
        if (sample?.state !== 'finished') expect(said).toMatchObject({ code: 'connector_broken', must_act: 'operator' })
        if (sample?.obstacle) expect(sample.obstacle.message).toContain(fault)
        if (sample?.obstacle) expect(sample.obstacle.message).toContain(words)
      },
      { timeout: 600_000, interval: 250 },
    )
    // Every stored record is in the ledger once, in spite of the connector's false outcomes.
    const there = [...plain.things.values()].map(({ key }) => key)
    expect(new Set(there).size).toBe(there.length)
    expect((await keysOf(service, portal.id)).filter((key) => !there.includes(key))).toEqual([])
    // No record of the destination stands for two of the source.
    const { rows } = await sql`select entity, destination_id from id_map
      where import_id = ${portal.id} and entity = 'tickets' and state = 'written'
      group by 1, 2 having count(*) > 1`.execute(service.db)
    expect(rows).toEqual([])
  },
)
