import { afterEach, beforeEach, expect, test } from 'vitest'
import { listSides } from '../../service/src/engine/side-records.ts'
import { listRecords } from '../../service/src/imports/list-records.ts'
import { startOver } from '../../service/src/imports/start-over.ts'
import { expectTrueWarnings } from './harbour-client.ts'
import { type Journey, startJourney } from './journey.ts'
import { labelledConnector } from './labelled-connector.ts'
import { type PlainFault, type PlainTool, startPlainTool } from './plain-tool.ts'

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
let tool: PlainTool
let journey: Journey
let onRequest: (request: { method: string; url: string }) => PlainFault

beforeEach(async () => {
  onRequest = () => 'ok'
  tool = await startPlainTool({ onRequest: (request) => onRequest(request) })
  cleanup.defer(() => tool.close())
  const destination = { tool: 'labelled', url: tool.url, connectors: [labelledConnector()] }
  journey = await startJourney({ destination })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination()
})
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const things = (entity: string) => [...tool.things.values()].filter((thing) => thing.entity === entity)
const labels = () => things('labels').map(({ content }) => (content as { name: string }).name)
const change = (name: string, content: object) => {
  const label = things('labels').find((thing) => (thing.content as { name: string }).name === name)
  if (!label) throw new Error(`there is no ${name}`)
  label.content = { ...(label.content as object), ...content }
}
const listed = () => listRecords(journey.db, journey.importId, { entity: 'labels' }, { after: null, limit: 100 })
const noted = async () => (await listSides(journey.db, journey.importId)).map(({ mark }) => mark).sort()

test('an undo removes the side records of a connector', limit, async () => {
  await journey.work(await journey.start('full'))
  expect(labels().length).toBeGreaterThan(100)
  expect(await noted()).toEqual(labels().sort())
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  expect([labels(), await noted(), await listed()]).toEqual([[], [], []])
})

test(
  'side records that people changed or use stay and are listed, until a later undo can remove them',
  limit,
  async () => {
    await journey.work(await journey.start('full'))
    change('label of 2', { name: 'Renamed' })
    change('label of 3', { isUsed: true })
    await journey.work(await journey.start('undo'))
    expect(labels().sort()).toEqual(['Renamed', 'label of 3'])
    expect(await listed()).toMatchObject([
      { source_id: 'label of 2', state: 'written', code: 'kept', message: 'Somebody renamed it.' },
      { source_id: 'label of 3', destination_url: expect.stringContaining('/labels/'), message: 'Somebody uses it.' },
    ])
    expect(await expectTrueWarnings(journey)).toMatchObject({ 'labels kept': 2 })
    await startOver(journey.db, journey.importId)
    expect([await listed(), await noted()]).toEqual([[], ['label of 2', 'label of 3']])
    await journey.work(await journey.start('full'))
    change('Renamed', { name: 'label of 2' })
    change('label of 3', { isUsed: false })
    await journey.work(await journey.start('undo'))
    expect([labels(), await noted(), await listed()]).toEqual([[], [], []])
    expect(await expectTrueWarnings(journey)).not.toHaveProperty('labels kept')
  },
)

test('an undo with remove_edited removes edited side records, and keeps those that are still used', limit, async () => {
  await journey.work(await journey.start('full'))
  change('label of 2', { name: 'Renamed' })
  change('label of 3', { isUsed: true })
  await journey.work(await journey.start('undo', { remove_edited: true }))
  expect(labels()).toEqual(['label of 3'])
})

test('a side record whose removal always fails stays and is listed; the others are removed', limit, async () => {
  await journey.work(await journey.start('full'))
  const failing = things('labels')[0]
  onRequest = ({ method, url }) => (method === 'DELETE' && url === `/labels/${failing?.id}` ? { status: 500 } : 'ok')
  await journey.work(await journey.start('undo'))
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  expect(things('labels')).toEqual([failing])
  expect(await listed()).toMatchObject([{ message: expect.stringContaining('could not be removed') }])
})

test('a side record whose removal fails five times is removed in the end', limit, async () => {
  await journey.work(await journey.start('full'))
  const [failing] = things('labels')
  let failures = 0
  onRequest = ({ method, url }) =>
    method === 'DELETE' && url === `/labels/${failing?.id}` && ++failures <= 5 ? { status: 500 } : 'ok'
  await journey.work(await journey.start('undo'))
  expect(failures).toBeGreaterThan(5)
  expect([labels(), await listed()]).toEqual([[], []])
})

test('a worker that dies in the middle of the undo leaves no side record behind', limit, async () => {
  await journey.work(await journey.start('full'))
  const undo = await journey.start('undo')
  const died = new Error('the process ended')
  let deaths = 0
  await journey.work(undo, async (point) => {
    if (point !== 'removal sent' || things('labels').length > 0 || deaths > 0) return
    deaths += 1
    throw died
  })
  expect(deaths).toBe(1)
  expect((await journey.status()).status_code).toBe('migration_cleaned')
  expect([labels(), await noted(), await listed()]).toEqual([[], [], []])
})

test('a comment that people changed keeps its ticket, although it would be removed along with it', limit, async () => {
  await journey.work(await journey.start('full'))
  const rows = await journey.db
    .selectFrom('id_map')
    .selectAll()
    .where('entity', '=', 'comments')
    .where('state', '=', 'written')
    .execute()
  const [edited] = rows
  const comment = tool.things.get(String(edited?.destination_id))
  if (!comment || !edited) throw new Error('there is no comment')
  const content = comment.content as { fields: object }
  comment.content = { ...content, fields: { ...content.fields, body: 'Somebody wrote this.' } }
  await journey.work(await journey.start('undo'))
  expect(tool.things.has(comment.id)).toBe(true)
  const kept = await journey.db
    .selectFrom('id_map')
    .select(['entity', 'source_id'])
    .where('state', '=', 'written')
    .where('entity', 'in', ['tickets', 'comments'])
    .execute()
  expect(kept).toContainEqual({ entity: 'tickets', source_id: edited.parent_source_id })
  expect(kept).toContainEqual({ entity: 'comments', source_id: edited.source_id })
  expect(kept.filter(({ entity }) => entity === 'tickets')).toHaveLength(1)
})
