import { afterEach, expect, test } from 'vitest'
import type { Connector, WriteOutcome } from '../../service/src/connectors/contract.ts'
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

/** The plain tool, which knows organizations by the first letter of their name. */
function initialsConnector(): Connector {
  const plain = plainConnectors.find(({ tool: name }) => name === 'plain_c')
  if (!plain?.destination) throw new Error('there is no plain tool')
  const { destination } = plain
  const places = new Map<string, string>()
  return {
    ...plain,
    tool: 'initials',
    destination: {
      ...destination,
      open(account, family) {
        const inner = destination.open(account, family)
        return {
          ...inner,
          async describe() {
            const described = await inner.describe()
            const { organizations } = described.entities
            if (!organizations) throw new Error('the plain tool takes no organizations')
            const unites = { kind: 'organization', by: ['name'] }
            return { ...described, entities: { ...described.entities, organizations: { ...organizations, unites } } }
          },
          async write(entity, records) {
            if (entity !== 'organizations') return inner.write(entity, records)
            const outcomes: WriteOutcome[] = []
            for (const record of records) {
              const initial = String(record.fields.name)[0] ?? ''
              const known = record.destinationId === null ? places.get(initial) : undefined
              const [made] = known === undefined ? await inner.write(entity, [record]) : []
              if (made?.result === 'written') places.set(initial, made.destinationId)
              outcomes.push(made ?? { key: record.key, result: 'matched', destinationId: String(known), url: null })
            }
            return outcomes
          },
        }
      },
    },
  }
}

test('records that became one with another of the same name are told, with both names', {
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
    expect(row.message).toMatch(/^".+" has the name or address of .+ \(organizations\)\./)
  }
  expect(rows.filter(({ state }) => state === 'matched')).toHaveLength(merged.length)
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'organizations merged': merged.length })
  // Another run tells the same, and not more.
  await journey.work(await journey.start('delta'))
  expect(await expectTrueWarnings(journey)).toMatchObject({ 'organizations merged': merged.length })
})

test('a plan foresees as many records that become one as the run reports', { timeout: 900_000 }, async () => {
  tool = await startPlainTool()
  const destination = { tool: 'initials', url: tool.url, connectors: [initialsConnector()] }
  journey = await startJourney({
    destination,
    between: {
      // Names of one letter, so that the whole name decides.
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
})
