import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import type { ZendeskTwin } from '../../twins/zendesk/twin.ts'
import { smallDesk, startToZendesk, workThrough } from './to-zendesk.ts'

// Files of tickets go to Zendesk inside the import of their ticket: uploaded first, then named in their message.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

type Started = Awaited<ReturnType<typeof startToZendesk>>

/** The files of tickets in the ledger, each with the row of its message. */
const filesOf = ({ journey: { db } }: Started) =>
  db
    .selectFrom('id_map as file')
    .innerJoin('id_map as message', (join) =>
      join
        .onRef('message.import_id', '=', 'file.import_id')
        .onRef('message.entity', '=', 'file.parent_entity')
        .onRef('message.source_id', '=', 'file.parent_source_id'),
    )
    .select(['file.source_id', 'file.state', 'file.code', 'file.carried_at', 'file.warned'])
    .select(['file.destination_id as id', 'message.destination_id as messageId'])
    .where('file.entity', '=', 'attachments')
    .where('file.parent_entity', '=', 'comments')
    .execute()

/** All files that the tickets of the account show, as `ticket-comment-file`. */
const shownIn = ({ account }: ZendeskTwin) =>
  account.tickets
    .list()
    .flatMap(({ id }) =>
      commentsOf(account, Number(id)).flatMap((comment) =>
        comment.attachments.map((file) => `${id}-${comment.id}-${file}`),
      ),
    )

const textsIn = ({ account }: ZendeskTwin) =>
  account.tickets.list().flatMap(({ id }) => commentsOf(account, Number(id)).map(({ html }) => String(html)))

test('files arrive in their messages, in closed tickets too, and once, though workers are killed', async () => {
  const started = await startToZendesk(cleanup)
  const { twin, journey } = started
  const runId = await journey.start('full')
  // Until the customer is asked about mails.
  await journey.work(runId)
  await journey.resume()
  for (const point of ['files uploaded', 'intents committed', 'first batch sent', 'all batches sent'] as const) {
    expect(await crashAt(journey, runId, point)).toBe(true)
  }
  await workThrough(journey, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs|edited)"/)

  const files = (await filesOf(started)).filter(({ state }) => state === 'written')
  const carried = files.filter(({ carried_at }) => carried_at !== null)
  expect(carried.length).toBeGreaterThan(4)
  expect(carried).toHaveLength(files.length)
  for (const { id, messageId } of carried) expect(id?.startsWith(`${messageId}-`)).toBe(true)
  expect(shownIn(twin).toSorted()).toEqual(files.map(({ id }) => String(id)).toSorted())
  const closed = twin.account.tickets.list(({ status }) => status === 'closed').map(({ id }) => String(id))
  expect(carried.some(({ id }) => closed.includes(String(id).split('-')[0] ?? ''))).toBe(true)
  expect((await filesOf(started)).filter(({ code }) => code === 'closed')).toEqual([])
  expect(twin.account.mails).toEqual([])
  // Pictures show the copy, not the desk.
  const pictures = textsIn(twin).flatMap((html) => [...html.matchAll(/<img[^>]+src="([^"]+)"/g)].map(([, src]) => src))
  expect(pictures.some((src) => src?.startsWith(twin.url))).toBe(true)
  expect(pictures.filter((src) => src?.startsWith(journey.fernhill.url))).toEqual([])
  twin.expectNoViolations()

  await journey.work(await journey.start('undo'))
  expect(twin.account.tickets.size()).toBe(0)
})

test('after lost answers, files are found by their place in the message', async () => {
  const started = await startToZendesk(cleanup)
  const { twin, journey } = started
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'lost' }, 6)
  await workThrough(journey, await journey.start('full'))
  const { status_code, warnings } = await journey.status()
  expect(status_code).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs|edited)"/)
  const files = (await filesOf(started)).filter(({ state }) => state === 'written')
  expect(shownIn(twin).toSorted()).toEqual(files.map(({ id }) => String(id)).toSorted())
})

test('a file that the source fails to hand out holds nothing up: its ticket arrives with all others', async () => {
  let failing = ''
  const started = await startToZendesk(cleanup, async (request, pass) => {
    const [, id] = /^\/api\/v1\/attachments\/(\d+)\/content$/.exec(request.path) ?? []
    failing ||= id ?? ''
    if (id === undefined || id !== failing) return smallDesk(request, pass)
    return { status: 500, headers: { 'content-type': 'text/plain' }, body: 'broken' }
  })
  const { twin, journey } = started
  await workThrough(journey, await journey.start('full'))
  expect((await journey.status()).status_code).toBe('migration_completed')
  const files = await filesOf(started)
  expect(files.find(({ source_id }) => source_id === failing)).toMatchObject({ state: 'refused', carried_at: null })
  const others = files.filter(({ source_id }) => source_id !== failing)
  expect(others.filter(({ state, carried_at }) => state !== 'written' || carried_at === null)).toEqual([])
  expect(shownIn(twin)).toHaveLength(others.length)
})
