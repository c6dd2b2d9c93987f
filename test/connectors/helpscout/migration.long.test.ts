import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import type { Tamper } from '../../engine/tampering-proxy.ts'
import { minuteMs } from '../../twins/clock.ts'
import type { Fault, Faulted } from '../../twins/faults.ts'
import { seedDesk, seedDocs } from '../../twins/helpscout/seed.ts'
import { type HelpScoutTwin, startHelpScoutTwin } from '../../twins/helpscout/twin.ts'
import { hurry, letTimePass, workThrough } from './work-through.ts'

// Whole migrations through the engine, to and from Help Scout, with faults of every kind.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function startTwin(): Promise<HelpScoutTwin> {
  const twin = await startHelpScoutTwin()
  cleanup.defer(() => twin.close())
  return twin
}

const most: Readonly<Record<string, number>> = { tickets: 8, contacts: 16, categories: 0, articles: 0 }
/** The desk with only its first tickets and people, because every record takes its own requests. */
const smallDesk: Tamper = async ({ method, path }, pass) => {
  const answer = await pass()
  const [, name = ''] = /^\/api\/v1\/(\w+)$/.exec(path) ?? []
  if (method !== 'GET' || answer.status !== 200 || name === '') return answer
  const json = JSON.parse(String(answer.body)) as { data?: Record<string, number>[]; counts?: object }
  const isThere = ({ id, ticket_id: ticketId }: Record<string, number>) =>
    name === 'comments'
      ? Number(ticketId) <= Number(most.tickets)
      : Number(id) <= (most[name] ?? Number.POSITIVE_INFINITY)
  const somebody = (record: Record<string, number>) =>
    name === 'tickets' ? { ...record, requester_id: 1 + (Number(record.id) % Number(most.contacts)) } : record
  const data = json.data?.filter(isThere).map(somebody)
  const changed = { ...json, ...(data && { data }), ...(json.counts && { counts: { ...json.counts, ...most } }) }
  return { ...answer, body: JSON.stringify(changed) }
}

const rowsOf = async ({ db }: Journey) =>
  db.selectFrom('id_map').select(['entity', 'source_id', 'state', 'destination_id', 'code', 'message']).execute()
const marksIn = (twin: HelpScoutTwin) =>
  twin.account.conversations
    .list()
    .flatMap(({ threads }) => threads.flatMap(({ body }) => /wherry[0-9a-f]{32}/.exec(body ?? '')?.[0] ?? []))

/** Makes eight requests fail, each in another way; the rest succeed. */
function unreliable(): (request: Faulted) => Fault | null {
  const faults: Fault[] = [{ kind: 'lost' }, { kind: 'dropped' }, { kind: 'spoiled', status: 500 }, { kind: 'cut' }]
  let requests = 0
  return ({ method, url }) => {
    if (method !== 'POST' || url.pathname.endsWith('/token')) return null
    requests += 1
    return requests % 5 === 0 && requests <= 40 ? (faults[(requests / 5) % faults.length] ?? null) : null
  }
}

test('a desk arrives in Help Scout once, though workers are killed and answers lost, and an undo leaves nothing', async () => {
  const twin = await startTwin()
  const { username, token } = twin.access
  const journey = await startJourney({
    between: { source: smallDesk },
    destination: { tool: 'helpscout', url: twin.url, username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource()
  await journey.connectDestination(token)
  const runId = await journey.start('full')
  const hurried = hurry(journey)
  for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
    expect(await crashAt(journey, runId, point)).toBe(true)
    await letTimePass(journey, twin)
  }
  hurried()
  const stop = twin.faults.when(unreliable())
  await workThrough(journey, twin, runId)
  stop()
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)
  const rows = await rowsOf(journey)
  expect(rows.filter(({ state }) => state === 'intended')).toEqual([])
  const written = rows.filter(({ state }) => state === 'written')
  const ids = written.map(({ entity, destination_id }) => `${entity} ${destination_id}`)
  expect(new Set(ids).size).toBe(ids.length)
  const count = (entity: string) => written.filter((row) => row.entity === entity).length
  const marks = marksIn(twin)
  expect(new Set(marks).size).toBe(marks.length)
  expect(twin.account.conversations.size()).toBe(count('tickets'))
  expect(twin.account.customers.size()).toBe(count('contacts'))
  expect(twin.account.organizations.size()).toBe(count('organizations'))
  expect(twin.account.attachments.size()).toBe(count('attachments'))
  const said = twin.account.conversations
    .list()
    .flatMap(({ threads }) => threads.filter(({ type }) => type !== 'lineitem'))
  // Each conversation also has a description and our note.
  expect(said.length).toBe(count('comments') + 2 * count('tickets'))
  expect(said.filter(({ createdAt }) => Date.parse(createdAt) < Date.now() - 30 * 24 * 60 * minuteMs).length).toBe(
    said.length,
  )
  expect(twin.mails).toEqual([])

  await letTimePass(journey, twin)
  const undo = await journey.start('undo')
  await crashAt(journey, undo, 'removal sent')
  await workThrough(journey, twin, undo)
  expect(twin.account.conversations.size()).toBe(0)
  expect(twin.account.customers.size()).toBe(0)
  expect(twin.account.organizations.size()).toBe(0)
  expect((await journey.status()).items).toEqual({})
})

test('Help Scout arrives in Harbour complete, though workers are killed, and an undo leaves nothing', async () => {
  const twin = await startTwin()
  const { rich } = seedDesk(twin.account, twin.staff, twin.files)
  seedDocs(twin.docs)
  twin.clock.advance(minuteMs)
  const { username, token, more } = twin.access
  const journey = await startJourney({ source: { tool: 'helpscout', url: twin.url, username, more } })
  cleanup.defer(() => journey.close())
  await journey.connectSource(token)
  await journey.connectDestination()
  const runId = await journey.start('full')
  for (const point of ['intents committed', 'first batch sent'] as const) {
    await crashAt(journey, runId, point)
    await letTimePass(journey, twin)
  }
  await workThrough(journey, twin, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  const rows = (await rowsOf(journey)).filter(({ state }) => state === 'written')
  const count = (entity: string) => rows.filter((row) => row.entity === entity).length
  expect(count('tickets')).toBe(twin.account.conversations.list(({ status }) => status !== 'spam').length)
  expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
    expect.arrayContaining(['skipped:history_entries', 'skipped:spam_tickets', 'draft_left_out']),
  )
  expect(count('contacts')).toBe(twin.account.customers.size())
  expect(count('organizations')).toBe(twin.account.organizations.size())
  expect(count('articles')).toBe(twin.docs.articles.size())
  expect(rows.filter(({ source_id }) => source_id.startsWith(`${rich.id}-`)).length).toBeGreaterThan(8)
  expect(twin.mails).toEqual([])
  await workThrough(journey, twin, await journey.start('undo'))
  expect((await journey.status()).items).toEqual({})
})
