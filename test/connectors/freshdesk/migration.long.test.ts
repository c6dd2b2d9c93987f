import { afterEach, expect, test } from 'vitest'
import { crashAt } from '../../engine/crash-at.ts'
import { type Journey, startJourney } from '../../engine/journey.ts'
import type { Tamper } from '../../engine/tampering-proxy.ts'
import { minuteMs } from '../../twins/clock.ts'
import { unreliable } from '../../twins/faults.ts'
import { changeTicket } from '../../twins/freshdesk/save-ticket.ts'
import { type FreshdeskTwin, startFreshdeskTwin, startSeededTwin } from '../../twins/freshdesk/twin.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { startZendeskTwin } from '../../twins/zendesk/twin.ts'
import { rowsOf, workThrough } from '../zendesk/to-zendesk.ts'

// Whole migrations through the engine, from and to Freshdesk, while workers are killed and answers are lost.

const limit = { timeout: 900_000 }
let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const writtenOf = async (journey: Journey, entity: string) =>
  (await rowsOf(journey, entity)).filter(({ state }) => state === 'written')

test('Freshdesk arrives in Zendesk once, archived tickets too, wherever a worker is killed', limit, async () => {
  const source = await startSeededTwin({ searchLagMs: 0 })
  cleanup.defer(() => source.close())
  const destination = await startZendeskTwin()
  cleanup.defer(() => destination.close())
  const journey = await startJourney({
    source: { tool: 'freshdesk', url: source.url },
    destination: { tool: 'zendesk', url: destination.url, username: destination.access.username, connectors: [] },
  })
  cleanup.defer(() => journey.close())
  await journey.connectSource(source.access.token)
  await journey.connectDestination(destination.access.token)
  const runId = await journey.start('full')
  for (const point of ['intents committed', 'first batch sent', 'all batches sent'] as const) {
    await crashAt(journey, runId, point, 2)
  }
  await workThrough(journey, runId)
  const { status_code, warnings } = await journey.status()
  expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
  expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled)"/)

  const { tickets } = source.account
  const there = destination.account.tickets.list()
  // Tickets of a suspended person, too: Zendesk accepts them only while the person is not suspended.
  const living = tickets.list((ticket) => ticket.deletedAt === null && !ticket.spam)
  expect(destination.account.users.list(({ suspended }) => suspended)).toHaveLength(1)
  expect(there.map(({ subject }) => subject ?? '').sort()).toEqual(living.map(({ subject }) => subject).sort())
  expect(there.map(({ subject }) => subject)).toContain('Closed long ago')
  const written = await writtenOf(journey, 'tickets')
  expect(new Set(written.map(({ destination_id }) => destination_id)).size).toBe(there.length)
  // Notes stay visible only to agents, and every message exists once, after its description.
  const long = there.find(({ subject }) => subject === 'Long')
  const said = commentsOf(destination.account, Number(long?.id))
  expect(said.slice(1).map(({ html }) => html?.replace(/<[^>]*>/g, ''))).toEqual(
    Array.from({ length: 105 }, (_, at) => `Word ${at}`),
  )
  const full = there.find(({ subject }) => subject === 'Everything')
  const notes = commentsOf(destination.account, Number(full?.id))
  expect(notes.find(({ html }) => html?.includes('Who sold it?'))?.public).toBe(false)
  expect(notes.find(({ html }) => html?.includes('Is it out?'))?.public).toBe(true)

  // A later run copies changes: one ticket is changed, one is deleted, and nothing else is written.
  source.clock.advance(10 * minuteMs)
  const [changed, deleted] = tickets.list(({ subject }) => /^Plain [12]$/.test(subject))
  if (changed) changeTicket(source.account, changed, { subject: 'Plain no more' })
  if (deleted) tickets.change(deleted.id, { deletedAt: source.clock.now(), updated_at: source.account.now() })
  await workThrough(journey, await journey.start('delta'))
  const now = destination.account.tickets.list().map(({ subject }) => subject)
  expect(now).toHaveLength(there.length)
  expect(now.filter((subject) => /^Plain (1|2|no more)$/.test(String(subject))).sort()).toEqual([
    'Plain 2',
    'Plain no more',
  ])
  const gone = await journey.db
    .selectFrom('id_map')
    .select('source_id')
    .where('gone_from_source_at', 'is not', null)
    .execute()
  expect(gone.map(({ source_id }) => source_id)).toContain(deleted?.id)
  source.expectNoViolations()
  destination.expectNoViolations()
})

test(
  'Freshdesk arrives in Zendesk once, though both lose and cut answers, and an undo leaves the account as it was',
  limit,
  async () => {
    const source = await startSeededTwin({ searchLagMs: 0 })
    cleanup.defer(() => source.close())
    const destination = await startZendeskTwin()
    cleanup.defer(() => destination.close())
    const { account, guide, access } = destination
    const stores = [account.tickets, account.users, account.organizations, account.groups, guide.pieces]
    const contents = () => structuredClone(stores.map((store) => store.list()))
    const before = contents()
    const journey = await startJourney({
      source: { tool: 'freshdesk', url: source.url },
      destination: { tool: 'zendesk', url: destination.url, username: access.username, connectors: [] },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource(source.access.token)
    await journey.connectDestination(access.token)
    const runId = await journey.start('full')
    source.faults.when(unreliable(9, () => true))
    destination.faults.when(unreliable(5))
    for (const point of ['page read', 'intents committed', 'first batch sent', 'all batches sent'] as const) {
      expect(await crashAt(journey, runId, point, 2)).toBe(true)
    }
    await workThrough(journey, runId)
    const { status_code, warnings } = await journey.status()
    expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
    expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled)"/)

    // No record is lost: each was written, or has a reason. No record is duplicated: every id exists once.
    const arrived = await journey.db.selectFrom('id_map').select(['entity', 'state', 'destination_id']).execute()
    expect(arrived.filter(({ state }) => state === 'intended')).toEqual([])
    const idsOf = (entity: string) =>
      arrived.flatMap((row) => (row.entity === entity && row.state === 'written' ? String(row.destination_id) : []))
    const { tickets, conversations } = source.account
    const living = tickets.list(({ deletedAt, spam }) => deletedAt === null && !spam)
    expect(arrived.filter(({ entity }) => entity === 'tickets')).toHaveLength(living.length)
    expect(idsOf('tickets').sort()).toEqual(
      account.tickets
        .list()
        .map(({ id }) => id)
        .sort(),
    )
    expect(account.tickets.size()).toBe(living.length)
    const isLiving = new Set(living.map(({ id }) => Number(id)))
    const said = conversations.list(({ ticket_id }) => isLiving.has(ticket_id))
    expect(arrived.filter(({ entity }) => entity === 'comments')).toHaveLength(said.length)
    const keys = account.users.list().flatMap(({ external_id }) => external_id ?? [])
    expect(new Set(keys).size).toBe(keys.length)
    for (const { id } of account.tickets.list()) {
      // Two files of one name are two comments, each with the key of its file.
      const words = commentsOf(account, Number(id)).map(
        (said) => `${said.created_at} ${said.html} ${said.custom?.wherry}`,
      )
      expect(new Set(words).size).toBe(words.length)
    }
    expect(idsOf('articles')).toHaveLength(guide.list('articles').length)
    expect(account.mails).toEqual([])

    destination.faults.clear()
    destination.faults.when(unreliable(11))
    const undo = await journey.start('undo')
    for (let kills = 0; kills < 2; kills += 1) expect(await crashAt(journey, undo, 'removal sent')).toBe(true)
    await workThrough(journey, undo)
    // Custom fields that the run created stay, and are listed.
    const left = await journey.db.selectFrom('id_map').selectAll().where('state', '=', 'written').execute()
    expect(left.filter(({ entity }) => !entity.endsWith('_field'))).toEqual([])
    expect((await journey.status()).items).toEqual({})
    expect(contents()).toEqual(before)
    source.expectNoViolations()
    destination.expectNoViolations()
  },
)

const deskTickets = 8

/** The desk with only its first tickets, because every record takes its own requests. */
const smallDesk: Tamper = async ({ method, path }, pass) => {
  const answer = await pass()
  const [, name = ''] = /^\/api\/v1\/(\w+)$/.exec(path) ?? []
  if (method !== 'GET' || answer.status !== 200 || !['tickets', 'comments', 'categories', 'articles'].includes(name)) {
    return answer
  }
  const json = JSON.parse(String(answer.body)) as { data?: Record<string, number>[] }
  const isThere = (record: Record<string, number>) =>
    Number(name === 'tickets' ? record.id : (record.ticket_id ?? Number.POSITIVE_INFINITY)) <= deskTickets
  return { ...answer, body: JSON.stringify({ ...json, ...(json.data && { data: json.data.filter(isThere) }) }) }
}

const marksIn = (texts: readonly string[]) => texts.flatMap((text) => /wherry-[0-9a-f]{16}/.exec(text)?.[0] ?? [])
const holdings = ({ account }: FreshdeskTwin) => [
  account.companies.size(),
  account.groups.size(),
  account.contacts.list(({ isDeleted }) => !isDeleted).length,
  account.tickets.list(({ deletedAt }) => deletedAt === null).length,
]

test(
  'a desk arrives in Freshdesk once, wherever a worker is killed or an answer lost, and an undo leaves nothing',
  limit,
  async () => {
    const twin = await startFreshdeskTwin({ hasNotifications: false })
    cleanup.defer(() => twin.close())
    const before = holdings(twin)
    const journey = await startJourney({
      between: { source: smallDesk },
      destination: { tool: 'freshdesk', url: twin.url, connectors: [] },
    })
    cleanup.defer(() => journey.close())
    await journey.connectSource()
    await journey.connectDestination(twin.access.token)
    twin.faults.next('POST', '/api/v2/companies', { kind: 'lost' })
    twin.faults.next('POST', '/api/v2/contacts', { kind: 'lost' }, 2)
    const runId = await journey.start('full')
    expect(await crashAt(journey, runId, 'all batches sent', 3)).toBe(true)
    twin.faults.next('POST', '/api/v2/tickets', { kind: 'lost' }, 5)
    await workThrough(journey, runId)
    const { status_code, warnings } = await journey.status()
    expect(status_code, JSON.stringify(warnings)).toBe('migration_completed')
    expect(JSON.stringify(warnings)).not.toMatch(/"(unknown|doubled|differs)"/)

    const { tickets, conversations, contacts } = twin.account
    const written = await writtenOf(journey, 'tickets')
    expect(written.length).toBeGreaterThanOrEqual(deskTickets - 1)
    expect(tickets.size()).toBe(written.length)
    const marks = marksIn(
      [...tickets.list(), ...conversations.list()].map((one) => ('body' in one ? one.body : one.description)),
    )
    expect(marks.length).toBe(tickets.size() + conversations.size())
    expect(new Set(marks).size).toBe(marks.length)
    const ids = contacts.list().flatMap(({ unique_external_id }) => unique_external_id ?? [])
    expect(new Set(ids).size).toBe(ids.length)
    // No reply was sent, and nobody got a mail.
    expect(conversations.list(({ source }) => source !== 2)).toEqual([])
    expect(twin.account.mails).toEqual([])
    twin.expectNoViolations()

    const undo = await journey.start('undo')
    await crashAt(journey, undo, 'removal sent')
    await journey.work(undo)
    expect(holdings(twin)).toEqual(before)
    twin.expectNoViolations()
  },
)
