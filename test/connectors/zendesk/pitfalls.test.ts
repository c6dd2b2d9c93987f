import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { Reader } from '../../../service/src/connectors/contract/contract.ts'
import { limits } from '../../../service/src/connectors/helpdesk/zendesk/api.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import { type Clock, createClock, hourMs, minuteMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { importTicket } from '../../twins/zendesk/import-ticket.ts'
import type { ZendeskRules } from '../../twins/zendesk/rules.ts'
import { seedDesk } from '../../twins/zendesk/seed.ts'
import type { ZendeskTwin } from '../../twins/zendesk/twin.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { readAll } from '../reader-contract.ts'
import { outgoing, startBoth } from './start-both.ts'

// Peculiarities of Zendesk, each tested against its twin.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const start = (options: Omit<ZendeskRules, 'tokens'> = {}, clock: Clock = createClock()) =>
  startBoth(cleanup, options, clock)

const readTickets = (reader: Reader, since?: string) =>
  readAll((cursor) => reader.read('tickets', cursor, since === undefined ? {} : { since }))

function makeTicket({ account, staff }: ZendeskTwin, subject: string, more: object = {}) {
  const comments = [{ html_body: `<p>About ${subject}</p>`, author_id: idOf(staff.anna) }]
  return importTicket(account, { subject, requester_id: idOf(staff.anna), comments, ...more }, staff.admin)
}

test('a ticket that changed in the last minute is read, though the export leaves it out', async () => {
  const { twin, clock, reader } = await start()
  makeTicket(twin, 'Old')
  clock.advance(hourMs)
  const since = new Date(clock.now() - 10_000).toISOString()
  makeTicket(twin, 'Just now')
  expect((await readTickets(reader)).map(({ fields }) => fields.subject)).toEqual(['Old', 'Just now'])
  expect((await readTickets(reader, since)).map(({ fields }) => fields.subject)).toEqual(['Just now'])
  twin.expectNoViolations()
})

test('tickets that AI agents handled are read, long after a change and at once', async () => {
  const { twin, clock, reader } = await start()
  const byAgent = (subject: string) =>
    twin.account.tickets.change(makeTicket(twin, subject).id, { support_type: 'ai_agent' })
  byAgent('Old')
  clock.advance(hourMs)
  byAgent('Just now')
  expect((await readTickets(reader)).map(({ fields }) => fields.subject)).toEqual(['Old', 'Just now'])
  twin.expectNoViolations()
})

test('a first message of a deleted agent is reported and names the agent, because the requester did not write it', async () => {
  const { twin, clock, reader, source, account } = await start()
  const gone = String(idOf(twin.staff.ben))
  const person = saveUser(twin.account, { name: 'Rita', email: 'rita@example.test' })
  const comments = [{ html_body: '<p>Secret</p>', author_id: Number(gone), public: false }]
  const ticket = makeTicket(twin, 'Opened for Rita', { requester_id: idOf(person), comments })
  makeTicket(twin, 'Other')
  twin.account.users.remove(gone, { isKept: true })
  clock.advance(hourMs)
  const { items, warnings } = await reader.read('tickets', null, {})
  expect(warnings).toMatchObject([{ code: 'author_missing', sourceId: ticket.id }])
  expect(items[0]?.createdBy).toEqual({ name: twin.staff.ben.name })
  // An author whom Zendesk no longer returns is still not the requester.
  twin.account.users.remove(gone)
  const later = await (await source.open(account)).read('tickets', null, {})
  expect(later.items[0]?.createdBy).toEqual({ name: `Deleted user ${gone}` })
})

test('a page of the export is returned in parts, and tickets that change in between are neither lost nor skipped', async () => {
  const { twin, clock, reader } = await start()
  for (let at = 0; at < 230; at += 1) makeTicket(twin, `Ticket ${at}`)
  clock.advance(hourMs)
  const first = await reader.read('tickets', null, {})
  expect(first.items).toHaveLength(100)
  // A ticket that was already read and a ticket that was not both change while the page is read.
  for (const id of [first.items[3]?.sourceId, '150']) {
    twin.account.tickets.change(String(id), { generatedAt: clock.now(), updated_at: twin.account.now() })
  }
  clock.advance(hourMs)
  const rest = await readAll((at) => reader.read('tickets', at ?? first.next, {}))
  const all = [...first.items, ...rest].map(({ sourceId }) => sourceId)
  expect(new Set(all).size).toBe(230)
  expect(all.length).toBe(231)
})

test('the messages of a ticket are requested once, though its description, its comments and its files are read from them', async () => {
  const { twin, clock, reader } = await start()
  seedDesk(twin.account, twin.staff)
  clock.advance(hourMs)
  const tickets = await readTickets(reader)
  const parents = tickets.map(({ sourceId }) => ({ entity: 'tickets', sourceId }))
  const inside = await readAll(
    (cursor) => reader.readSome?.('comments', { parents }, cursor) as ReturnType<Reader['read']>,
  )
  const comments = await readAll((cursor) => reader.read('comments', cursor, {}))
  const files = await readAll((cursor) => reader.read('attachments', cursor, {}))
  expect(inside.length).toBe(comments.length)
  expect(files.length).toBeGreaterThan(0)
  const asked = twin.seen.flatMap((request) => /GET \/api\/v2\/tickets\/(\d+)\/comments/.exec(request)?.[1] ?? [])
  const times = new Map([...Map.groupBy(asked, (id) => id)].map(([id, some]) => [id, some.length]))
  // A ticket with more comments than a page holds is read page by page, each time.
  const short = tickets.filter(({ sourceId }) => commentsOf(twin.account, Number(sourceId)).length <= 100)
  expect(short.length).toBeGreaterThan(10)
  expect(short.map(({ sourceId }) => times.get(sourceId))).toEqual(short.map(() => 1))
})

test('archived tickets are read with their comments; deleted tickets are not read, but counted and reported as deleted', async () => {
  const { twin, clock, reader } = await start()
  const old = makeTicket(twin, 'Old', { status: 'closed' })
  twin.account.tickets.change(old.id, { isArchived: true })
  const gone = makeTicket(twin, 'Gone')
  twin.account.tickets.remove(gone.id, { isKept: true })
  twin.account.deletedAt.set(`ticket ${gone.id}`, clock.now())
  clock.advance(hourMs)
  expect((await readTickets(reader)).map(({ sourceId }) => sourceId)).toEqual([old.id])
  expect(await reader.countSkipped?.()).toMatchObject({ deleted_tickets: 1 })
  expect(await reader.findIds?.('tickets', [old.id, gone.id])).toEqual([old.id])
  expect(await reader.findGone?.('tickets', [old.id, gone.id])).toEqual([gone.id])
})

test("exports stay within 10 requests a minute, and the plan's limit is learned from the answers", async () => {
  const { twin, reader, clock } = await start({ plan: 'team' })
  makeTicket(twin, 'One')
  clock.advance(hourMs)
  const url = new URL(`${twin.url}/api/v2/incremental/tickets/cursor`)
  const exports = limits.find(({ name }) => name === 'exports')
  expect(exports?.limit).toBe(10)
  expect(exports?.cost?.({ method: 'GET', url })).toBe(1)
  expect(exports?.cost?.({ method: 'GET', url: new URL(`${twin.url}/api/v2/tickets`) })).toBe(0)
  // Answers by cursor tell the number under another name.
  for (const name of ['incremental-exports', 'incremental-exports-cursor']) {
    const headers = { [`zendesk-ratelimit-${name}`]: 'total=30; remaining=4; resets=17' }
    expect(exports?.learn?.({ status: 200, headers }, { method: 'GET', url })).toEqual({
      limit: 30,
      remaining: 4,
      resetMs: 17_000,
    })
  }
  const whole = limits.find(({ name }) => name === 'account')
  const told = { 'x-rate-limit': '200', 'x-rate-limit-remaining': '199', 'ratelimit-reset': '12' }
  const learned = { limit: 200, remaining: 199, resetMs: 12_000 }
  expect(whole?.learn?.({ status: 200, headers: told }, { method: 'GET', url })).toEqual(learned)
  const guide = new URL(`${twin.url}/api/v2/help_center/articles.json`)
  expect(whole?.learn?.({ status: 200, headers: told }, { method: 'GET', url: guide })).toBeNull()
  // A 429 of the export is plain text, and still means a wait.
  const readOften = async () => {
    for (let turn = 0; turn < 12; turn += 1) await reader.read('tickets', null, {})
  }
  const error = await readOften().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RetryableError)
  expect((error as RetryableError).retryAfterMs).toBeGreaterThan(0)
})

test('changes and lists of tickets, and changes of people, stay within their own limits', () => {
  const of = (name: string) => limits.find((one) => one.name === name)
  const costs = (name: string, ...asked: string[]) =>
    asked.map((one) => {
      const [method = '', path] = one.split(' ')
      return of(name)?.cost?.({ method, url: new URL(`https://a.example/api/v2${path}`) })
    })
  expect(of('ticket_updates')).toMatchObject({ limit: 100, perMs: minuteMs })
  expect(costs('ticket_updates', 'PUT /tickets/7', 'POST /imports/tickets', 'GET /tickets/7')).toEqual([1, 0, 0])
  expect(costs('ticket_lists', 'GET /tickets', 'GET /tickets/7', 'GET /tickets/show_many')).toEqual([1, 0, 0])
  const change = { method: 'PUT', url: new URL('https://a.example/api/v2/tickets/7') }
  const learn = (name: string, header: string) =>
    of(name)?.learn?.({ status: 200, headers: { [header]: 'total=300; remaining=9; resets=3' } }, change)
  const told = { limit: 300, remaining: 9, resetMs: 3_000 }
  // Zendesk writes the names of these headers in two ways.
  expect(learn('ticket_updates', 'zendesk-ratelimit-tickets-update')).toEqual(told)
  expect(learn('ticket_updates', 'zendesk-rate-limit-tickets-update')).toEqual(told)
  expect(learn('ticket_lists', 'zendesk-rate-limit-tickets-index')).toEqual(told)
  expect(learn('ticket_lists', 'zendesk-ratelimit-tickets-update')).toBeNull()
  expect(of('user_updates')).toMatchObject({ limit: 1, perMs: 1000 })
  expect(costs('user_updates', 'PUT /users/7', 'POST /users/create_or_update', 'POST /users')).toEqual([1, 1, 0])
  expect(costs('user_updates', 'PUT /users/7/identities/8/make_primary')).toEqual([0])
})

test('a 429 in plain text leaves a ticket unsent, so nobody searches for it', async () => {
  const { twin, writer } = await start()
  await writer.describe()
  twin.faults.next('POST', '/api/v2/imports/tickets', {
    kind: 'instead',
    respond: (response) =>
      response.writeHead(429, { 'content-type': 'text/plain', 'retry-after': '7' }).end('Number of allowed requests'),
  })
  const records = [outgoing({ subject: 'One' }), outgoing({ subject: 'Two' })]
  const outcomes = await writer.write('tickets', records)
  expect(outcomes).toMatchObject([{ result: 'failed', isSent: false }, { result: 'untried' }])
  expect(twin.account.tickets.size()).toBe(0)
})

test('a custom status is read by its name and written by its id; "on hold" is offered only if the account has it', async () => {
  const { twin, clock, reader, writer } = await start()
  seedDesk(twin.account, twin.staff)
  clock.advance(hourMs)
  const effect = (await readTickets(reader)).find(({ fields }) => fields.subject === 'An effect')
  expect(effect?.fields.status).toBe('Waiting for parts')
  const { entities } = await writer.describe()
  expect(entities.tickets?.fields.status?.options).toEqual(expect.arrayContaining(['on_hold', 'Waiting for parts']))
  const record = outgoing({ subject: 'One', status: 'Waiting for parts' })
  const [outcome] = await writer.write('tickets', [record])
  expect(outcome).toMatchObject({ result: 'written' })
  const [waiting] = twin.account.statuses.list((one) => one.agent_label === 'Waiting for parts')
  const [stored] = twin.account.tickets.list(({ subject }) => subject === 'One')
  expect(stored).toMatchObject({ status: 'pending', custom_status_id: Number(waiting?.id) })

  const without = await start({ hasOnHold: false })
  const described = await without.writer.describe()
  expect(described.entities.tickets?.fields.status?.options).not.toContain('on_hold')
})

test('a closed ticket is imported as closed, with times and authors, and accepts nothing afterwards', async () => {
  const { twin, writer } = await start()
  await writer.describe()
  const parts = [
    {
      ...outgoing({ author_agent: String(idOf(twin.staff.anna)), body: '<p>First</p>', is_public: true }),
      entity: 'comments',
    },
    {
      ...outgoing(
        { body: '<p>Second</p>', is_public: false },
        { createdBy: { name: 'Zoe', email: null, userId: null } },
      ),
      entity: 'comments',
      createdAt: '2020-02-05T11:22:33.444Z',
    },
  ]
  const record = outgoing({ subject: 'Done', description: '<p>Words</p>', status: 'closed' }, { parts })
  const outcomes = await writer.write('tickets', [record])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'written'])
  const [ticket] = twin.account.tickets.list()
  expect(ticket).toMatchObject({ status: 'closed', isArchived: false, created_at: '2020-02-02T10:00:00Z' })
  const said = commentsOf(twin.account, Number(ticket?.id))
  expect(said.map(({ created_at, public: isPublic }) => [created_at, isPublic])).toEqual([
    ['2020-02-02T10:00:00Z', true],
    ['2020-02-02T10:00:00Z', true],
    ['2020-02-05T11:22:33Z', false],
  ])
  expect(said[1]?.author_id).toBe(idOf(twin.staff.anna))
  expect(said[2]?.html).toContain('Zoe')
  expect(twin.account.mails).toEqual([])

  const key = { entity: 'tickets', key: record.key, destinationId: String(ticket?.id) }
  const [late] = await writer.write('comments', [outgoing({ ticket: key, body: '<p>Late</p>' })])
  expect(late).toMatchObject({ result: 'refused', code: 'closed' })
  const file = { ...outgoing({ parent: key, file_name: 'a.txt' }), size: 1, contentType: 'text/plain' }
  const refused = await writer.writeFile('attachments', { ...file, body: Readable.from([Buffer.from('a')]) })
  expect(refused).toMatchObject({ result: 'refused', code: 'closed' })
  // The uploaded file is removed again.
  expect(twin.account.uploads.size()).toBe(0)
  const preflight = await writer.preflight?.()
  expect(preflight?.find(({ code }) => code === 'closed_tickets')).toMatchObject({
    ...{ isFine: false, isBlocking: false, fix: expect.stringContaining('solved') },
    message: expect.stringContaining('files that come in a later run are refused'),
  })
  twin.expectNoViolations()
})

test('after a lost answer a ticket is found by our id, and its comments by their position', async () => {
  const { twin, writer } = await start()
  await writer.describe()
  const part = { ...outgoing({ body: '<p>Inside</p>', is_public: true }), entity: 'comments' }
  const record = outgoing({ subject: 'Lost', description: '<p>Words</p>' }, { parts: [part] })
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'lost' })
  await expect(writer.write('tickets', [record])).rejects.toThrow(RetryableError)
  const [found] = await writer.find('tickets', [{ key: record.key, destinationId: null, parent: null }])
  expect(found?.destinationId).toBe(twin.account.tickets.list()[0]?.id)
  const parent = { entity: 'tickets', destinationId: String(found?.destinationId) }
  const sought = [{ key: part.key, destinationId: null, parent, position: 0 }]
  expect(await writer.find('comments', sought)).toMatchObject([{ key: part.key, fields: { body: 'Inside' } }])
})

test('an expired upload is retried, and leaves no note', async () => {
  const { twin, clock, writer } = await start()
  await writer.describe()
  const [outcome] = await writer.write('tickets', [outgoing({ subject: 'Open', status: 'open' })])
  const destinationId = outcome && 'destinationId' in outcome ? outcome.destinationId : ''
  const stop = twin.faults.when(({ method, url }) => {
    if (method === 'PUT' && url.pathname.startsWith('/api/v2/tickets/')) clock.advance(61 * minuteMs)
    return null
  })
  const file = () => ({
    ...outgoing(
      { parent: { entity: 'tickets', key: 'k', destinationId }, file_name: 'a.txt' },
      { key: 'imp_1/file/1' },
    ),
    ...{ size: 5, contentType: 'text/plain', body: Readable.from([Buffer.from('bytes')]) },
  })
  await expect(writer.writeFile('attachments', file())).rejects.toThrow(RetryableError)
  expect(commentsOf(twin.account, Number(destinationId))).toHaveLength(1)
  stop()
  const again = await writer.writeFile('attachments', file())
  expect(again).toMatchObject({ result: 'written' })
  const note = commentsOf(twin.account, Number(destinationId)).at(-1)
  expect(note).toMatchObject({ public: false })
  expect(note?.attachments).toHaveLength(1)
  expect(twin.account.mails).toEqual([])
})

test('a file is fetched from the host that Zendesk redirects to, which never gets our credentials', async () => {
  const { twin, clock, reader } = await start()
  seedDesk(twin.account, twin.staff)
  clock.advance(hourMs)
  const files = await readAll((cursor) => reader.read('attachments', cursor, {}))
  const file = files.find(({ fields }) => fields.file_name === 'how to.txt')
  if (!file) throw new Error('there is no such file')
  const { body } = await reader.openFile(file)
  expect((await buffer(body)).toString()).toBe('Pour water')
  expect(file.fields.parent).toMatchObject({ entity: 'comments' })
  expect(files.find(({ fields }) => fields.file_name === 'fire.txt')?.fields.parent).toMatchObject({
    entity: 'tickets',
  })
})

test('existing people and organizations stay unchanged, and an undo does not touch them', async () => {
  const { twin, writer } = await start()
  await writer.describe()
  const anna = String(idOf(twin.staff.anna))
  const [person] = await writer.write('contacts', [outgoing({ name: 'Anne', emails: ['ANNA@example.test'] })])
  expect(person).toMatchObject({ result: 'matched', destinationId: anna })
  expect(twin.account.users.get(anna)).toMatchObject({ name: 'Anna', external_id: null })
  const firm = outgoing({ name: 'Acme' })
  const [made] = await writer.write('organizations', [firm])
  const [same] = await writer.write('organizations', [outgoing({ name: 'ACME' })])
  expect(same).toMatchObject({
    result: 'matched',
    destinationId: made && 'destinationId' in made && made.destinationId,
  })
  // Sending the same record again gives the same organization.
  expect(await writer.write('organizations', [firm])).toMatchObject([
    { result: 'written', destinationId: made && 'destinationId' in made && made.destinationId },
  ])
  expect(twin.account.organizations.size()).toBe(1)
})

test('custom fields are created once, with their choices, and values are read back', async () => {
  const { twin, writer } = await start()
  await writer.describe()
  const customFields = (colour: string, many: string[]) => ({
    a: { label: 'Colour', type: 'option' as const, value: colour },
    b: { label: 'Sizes', type: 'option' as const, value: many },
    c: { label: 'Weight', type: 'decimal' as const, value: 2.5 },
    d: { label: 'Fragile', type: 'boolean' as const, value: true },
    e: { label: 'Bought', type: 'date' as const, value: '2024-02-29' },
  })
  const one = outgoing({ subject: 'One', tags: ['Big Box'] }, { customFields: customFields('Dark red', ['S', 'M']) })
  const two = outgoing({ subject: 'Two' }, { customFields: customFields('Blue', ['L']) })
  expect(await writer.write('tickets', [one, two])).toMatchObject([{ result: 'written' }, { result: 'written' }])
  for (const record of [one, two]) {
    const [found] = await writer.find('tickets', [{ key: record.key, destinationId: null, parent: null }])
    const stored = await writer.asStored('tickets', { ...record, createdAt: null, updatedAt: null })
    expect(found?.customFields).toEqual(stored.customFields)
    expect(found?.fields.tags).toEqual(stored.fields.tags)
  }
  const own = twin.account.fields.list(({ removable, of }) => removable && of === 'ticket')
  expect(own.map(({ title, options }) => [title, options.map(({ name }) => name)])).toEqual([
    ['Colour', ['Dark red', 'Blue']],
    ['Sizes', ['S', 'M', 'L']],
    ['Weight', []],
    ['Fragile', []],
    ['Bought', []],
  ])
  twin.expectNoViolations()
})

test('an assignee that Zendesk refuses is left out and reported, and the ticket arrives', async () => {
  const { twin, writer } = await start()
  await writer.describe()
  const assignee = String(idOf(twin.staff.loner))
  const [outcome] = await writer.write('tickets', [outgoing({ subject: 'One', status: 'open', assignee })])
  expect(outcome).toMatchObject({ result: 'written', losses: ['assignee_refused'] })
  expect(twin.account.tickets.list()).toMatchObject([{ assignee_id: null }])
})

test('only administrators are accepted, and the error says so', async () => {
  const { source, agent } = await start()
  await expect(source.checkAccount(agent)).rejects.toThrow(/no administrator/)
})
