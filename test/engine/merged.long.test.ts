import { afterEach, expect, test } from 'vitest'
import type {
  Connector,
  DestinationEntity,
  OutgoingRecord,
  WriteOutcome,
} from '../../service/src/connectors/contract/contract.ts'
import { fixedRecordFor } from '../../service/src/connectors/kit/fixed-records.ts'
import { RetryableError } from '../../service/src/errors.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { plainConnectors } from './plain-connectors.ts'
import { type PlainTool, startPlainTool } from './plain-tool.ts'

let tool: PlainTool
let journey: Journey
afterEach(async () => {
  await journey.close()
  await tool.close()
})

type Unites = NonNullable<DestinationEntity['unites']>

const byName: Unites = { kind: 'organization', by: ['name'] }
/** The destination has two organizations, A to M and N to Z, and creates no others. */
const fixed = {
  named: Object.fromEntries([...'abcdefghijklm'].map((letter) => [letter, letter])),
  field: 'domains',
  values: {},
  otherwise: 'rest',
}

/** The plain tool, which unites organizations with the same first letter, and may have had them before. */
function initialsConnector({ unites = byName, hadThem = false, losesAnswers = false } = {}): Connector {
  const plain = plainConnectors.find(({ tool: name }) => name === 'plain_c')
  if (!plain?.destination) throw new Error('there is no plain tool')
  const { destination } = plain
  const places = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()
  const lost = new Set<string>()
  return {
    ...plain,
    tool: 'initials',
    destination: {
      ...destination,
      async open(account, family) {
        const inner = await destination.open(account, family)
        return {
          ...inner,
          async describe() {
            const described = await inner.describe()
            const { organizations } = described.entities
            if (!organizations) throw new Error('the plain tool takes no organizations')
            const united = { ...organizations, unites, capabilities: { batchSize: 20, concurrency: 1 } }
            return { ...described, entities: { ...described.entities, organizations: united } }
          },
          write(entity, records) {
            if (entity !== 'organizations') return inner.write(entity, records)
            const writeOne = async (record: OutgoingRecord): Promise<WriteOutcome> => {
              const letter = String(record.fields.name)[0] ?? ''
              const initial = unites.fixed ? fixedRecordFor(unites.fixed, letter, record.fields) : letter
              const known = record.destinationId === null ? places.get(initial) : undefined
              const [made] = known === undefined ? await inner.write(entity, [record]) : []
              if (made?.result === 'written') places.set(initial, made.destinationId)
              if (losesAnswers && made && !lost.has(record.key)) {
                lost.add(record.key)
                return { key: record.key, result: 'failed', error: new RetryableError('no answer'), isSent: true }
              }
              const place = made?.result === 'written' ? made.destinationId : String(known)
              const found = { key: record.key, result: 'matched' as const, destinationId: place, url: null }
              return hadThem ? found : (made ?? found)
            }
            // Records of a batch are written one after the other, so that no organization is created twice.
            const writes = records.map((record) => {
              const write = last.then(() => writeOne(record))
              last = write.catch(() => {})
              return write
            })
            return Promise.all(writes)
          },
        }
      },
    },
  }
}

test('records that were merged with another of the same name are reported, with both names', {
  timeout: 900_000,
}, async () => {
  tool = await startPlainTool()
  const destination = { tool: 'initials', url: tool.url, connectors: [initialsConnector()] }
  journey = await startJourney({ destination })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['source_id', 'state', 'destination_id', 'message', 'warned'])
    .where('entity', '=', 'organizations')
    .execute()
  const merged = rows.filter(({ warned }) => warned?.includes('merged'))
  expect(merged.length).toBeGreaterThan(0)
  for (const row of merged) {
    const other = rows.find(
      ({ source_id, destination_id, state }) =>
        source_id !== row.source_id &&
        destination_id === row.destination_id &&
        (state === 'written' || state === 'matched'),
    )
    expect(other).toBeDefined()
    expect(row.message).toMatch(/^".+" was merged with .+ \(organizations\)\./)
  }
  expect(rows.filter(({ state }) => state === 'matched')).toHaveLength(merged.length)
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'organizations merged': merged.length })
  // Another run reports the same number.
  await journey.work(await journey.start('delta'))
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'organizations merged': merged.length })
})

test('records that were merged with one whose answer was lost are reported as well', { timeout: 900_000 }, async () => {
  tool = await startPlainTool()
  const destination = { tool: 'initials', url: tool.url, connectors: [initialsConnector({ losesAnswers: true })] }
  journey = await startJourney({ destination })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('full'))
  const rows = await journey.db
    .selectFrom('id_map')
    .select(['destination_id', 'warned'])
    .where('entity', '=', 'organizations')
    .where('state', 'in', ['written', 'matched'])
    .execute()
  const shared = [...Map.groupBy(rows, ({ destination_id }) => destination_id).values()]
  expect(shared.some((some) => some.length > 1)).toBe(true)
  expect(shared.map((some) => some.filter(({ warned }) => !warned?.includes('merged')).length)).toEqual(
    shared.map(() => 1),
  )
})

test.each([
  ['records that become one', {}],
  ['records that become one with what was there before', { hadThem: true }],
  ['records that become one of a fixed list', { unites: { ...byName, fixed }, hadThem: true }],
])('a plan foresees the same number of %s as the run reports', { timeout: 900_000 }, async (_what, kind) => {
  tool = await startPlainTool()
  const destination = { tool: 'initials', url: tool.url, connectors: [initialsConnector(kind)] }
  journey = await startJourney({
    destination,
    between: {
      // Names of one letter, so that the first letter is the whole name.
      source: async ({ path }, pass) => {
        const answer = await pass()
        if (!path.startsWith('/api/v1/organizations')) return answer
        const shorten = (one: { name: string }) => ({ ...one, name: one.name.slice(0, 1) })
        const { data, ...rest } = JSON.parse(String(answer.body))
        return { ...answer, body: JSON.stringify({ ...rest, data: data.map(shorten) }) }
      },
    },
  })
  await journey.connectSource()
  await journey.connectDestination()
  await journey.work(await journey.start('plan'))
  const { losses } = await journey.db
    .selectFrom('plan_entities')
    .select('losses')
    .where('entity', '=', 'organizations')
    .executeTakeFirstOrThrow()
  const foreseen = losses.find(({ code }) => code === 'merged')
  expect(foreseen?.examples.length).toBeGreaterThan(0)
  // The plan of a sponsored import starts the full migration by itself.
  const full = await journey.db.selectFrom('runs').select('id').where('kind', '=', 'full').executeTakeFirst()
  await journey.work(full?.id ?? (await journey.start('full')))
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'organizations merged': foreseen?.count })
  await journey.work(await journey.start('delta'))
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'organizations merged': foreseen?.count })
})
