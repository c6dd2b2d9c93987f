import { afterAll, afterEach, expect, test } from 'vitest'
import { openIntercomWriter } from '../../../service/src/connectors/helpdesk/intercom/writer.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import type { IntercomTwin } from '../../twins/intercom/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { fileOf, idOf, lossesOf, record, related, startAccount, writeTicket } from './open-twin.ts'

// What people have or add in the workspace stays, nothing becomes public, and nothing arrives twice.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let open: IntercomTwin[] = []
afterEach(async () => {
  for (const twin of open) {
    twin.expectNoViolations()
    await twin.close()
  }
  open = []
})
async function start() {
  const account = await startAccount(outbound)
  open.push(account.twin)
  return account
}

test('an internal draft that is published in the source stays a draft', async () => {
  const { twin, writer } = await start()
  const draft = record({ title: 'How we pump', body: '<p>Among us</p>', status: 'draft', visibility: 'internal' })
  const [first] = await writer.write('articles', [draft])
  const fields = { ...draft.fields, status: 'published' }
  const [second] = await writer.write('articles', [{ ...draft, fields, destinationId: idOf(first) }])
  expect(lossesOf(second)).toEqual(['private_kept_as_draft'])
  expect(twin.account.articles.list().map(({ state }) => state)).toEqual(['draft'])
  const [inner] = await writer.write('articles', [record(fields)])
  const hidden = { ...draft, destinationId: idOf(inner) }
  expect(await writer.write('articles', [hidden])).toMatchObject([{ result: 'refused', code: 'stays_internal' }])
})

test('an undo keeps a person who got a ticket or a note since', async () => {
  const { twin, writer } = await start()
  const people = ['Ada', 'Bo', 'Cy'].map((name) => record({ name }))
  const outcomes = await writer.write('contacts', people)
  const [ada, bo] = outcomes.map(idOf)
  const { ticketId } = await writeTicket(writer)
  twin.account.tickets.change(ticketId, { contactIds: [String(ada)] })
  const note = { id: twin.account.nextId(), body: '<p>Nice</p>', adminId: null, createdAt: twin.account.now() }
  twin.account.contacts.change(String(bo), { notes: [note] })
  twin.clock.advance(600_000)
  const removed = await writer.remove(
    'contacts',
    outcomes.map((outcome) => ({
      ...{ key: outcome.key, destinationId: idOf(outcome), parent: null },
      version: outcome.result === 'written' ? outcome.version : null,
    })),
  )
  expect(removed.map(({ result }) => result)).toEqual(['kept', 'kept', 'removed'])
})

test("a customer's answer to a solved ticket whose answer is lost is found, though it opened the ticket", async () => {
  const { twin, writer } = await start()
  const { ticketId, contactId } = await writeTicket(writer, { status: 'solved' })
  const author_contact = related('contacts', contactId)
  const comment = record({
    ticket: related('tickets', ticketId),
    body: '<p>Thanks</p>',
    is_public: true,
    author_contact,
  })
  twin.faults.next('POST', `/tickets/${ticketId}/reply`, { kind: 'lost' })
  await expect(writer.write('comments', [comment])).rejects.toThrow(RetryableError)
  const sought = { key: comment.key, destinationId: null, parent: { entity: 'tickets', destinationId: ticketId } }
  expect(await writer.find('comments', [sought])).toMatchObject([{ key: comment.key, fields: { is_public: true } }])
})

test('a record that arrived before a worker was killed is found, though the ledger does not know its outcome', async () => {
  const { twin, account, writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const parent = related('tickets', ticketId)
  const [comment, article, category] = [
    record({ ticket: parent, body: '<p>Thanks</p>', is_public: false }),
    record({ title: 'Knots', body: '<p>All</p>', status: 'published' }),
    record({ name: 'Shelf' }),
  ]
  const file = fileOf({ parent, file_name: 'a.txt' }, Buffer.from('A'))
  const ids = {
    comments: idOf((await writer.write('comments', [comment]))[0]),
    articles: idOf((await writer.write('articles', [article]))[0]),
    categories: idOf((await writer.write('categories', [category]))[0]),
    attachments: idOf(await writer.writeFile('attachments', file)),
  }
  const later = openIntercomWriter(account)
  const look = (entity: string, { key }: { key: string }) =>
    later.find(entity, [
      { key, destinationId: null, parent: ['comments', 'attachments'].includes(entity) ? parent : null },
    ])
  expect(await look('comments', comment)).toMatchObject([{ destinationId: ids.comments }])
  expect(await look('attachments', file)).toMatchObject([{ destinationId: ids.attachments }])
  expect(await look('articles', article)).toMatchObject([{ destinationId: ids.articles }])
  expect(await look('categories', category)).toMatchObject([{ destinationId: ids.categories }])
  expect(twin.account.articles.size()).toBe(1)
})

test('a company from before 1970 arrives without its time', async () => {
  const { twin, writer } = await start()
  const [outcome] = await writer.write('organizations', [
    record({ name: 'Harbour' }, { createdAt: '1899-05-01T00:00:00.000Z' }),
  ])
  expect(outcome?.result).toBe('written')
  expect(twin.account.companies.list()[0]?.remoteCreatedAt).toBeGreaterThan(0)
})

test('a state that the type of imported tickets does not offer is reported', async () => {
  const { twin, writer } = await start()
  const states = twin.account.ticketStates as unknown[]
  // The writer knows the state, which people take away before the ticket is sent.
  states.splice(states.length - 1, 1)
  const { outcome } = await writeTicket(writer, { status: 'With the harbour master' })
  expect(lossesOf(outcome)).toEqual(['status_refused'])
})

test('an undo lists the tags that the import made, and none that was there', async () => {
  const { twin, writer, sides } = await start()
  twin.account.tags.put({ id: '77', name: 'VIP' })
  await writeTicket(writer, { tags: ['vip', 'leaks'] })
  const outcomes = (await writer.removeSides?.(sides.all, { isForced: false })) ?? []
  const tags = outcomes.filter(({ kind }) => kind === 'tag')
  const made = twin.account.tags.list().find(({ name }) => name === 'leaks')
  expect(tags).toMatchObject([{ result: 'kept', destinationId: made?.id }])
})

test('a comment of nobody appears under the name of the token, and that is reported', async () => {
  const { writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const comment = record({ ticket: related('tickets', ticketId), body: '<p>I am a bot</p>', is_public: true })
  const [outcome] = await writer.write('comments', [comment])
  expect(lossesOf(outcome)).toEqual(['author_replaced'])
})

test('a ticket without a requester is refused with the reason', async () => {
  const { writer } = await start()
  const [outcome] = await writer.write('tickets', [record({ subject: 'A leak', requester: null })])
  expect(outcome).toMatchObject({ result: 'refused', code: 'requester_missing' })
})

test.each([null, ' '])('a ticket with the subject %j arrives, and is found as it was sent', async (subject) => {
  const { twin, writer } = await start()
  const { sent, ticketId } = await writeTicket(writer, { subject })
  expect(twin.account.tickets.list()[0]?.attributes._default_title_).toBe('(no subject)')
  const [found] = await writer.find('tickets', [{ key: sent.key, destinationId: ticketId, parent: null }])
  expect(found?.fields.subject).toEqual((await writer.asStored('tickets', sent)).fields.subject)
})

test('a draft that people began over an imported article counts as their change', async () => {
  const { twin, writer } = await start()
  const article = record({ title: 'Knots', body: '<p>All</p>', status: 'published' })
  const id = idOf((await writer.write('articles', [article]))[0])
  const look = async () =>
    (await writer.find('articles', [{ key: article.key, destinationId: id, parent: null }]))[0]?.version
  const before = await look()
  expect(await look()).toBe(before)
  twin.account.articles.change(id.slice(1), { hasDraft: true })
  expect(await look()).not.toBe(before)
})

test('after a lost answer the run waits before it looks for a record without a key, because it may still arrive', async () => {
  const { writer } = await start()
  const { entities } = await writer.describe()
  for (const name of ['comments', 'attachments', 'articles', 'categories']) {
    expect([name, entities[name]?.capabilities?.settleMs]).toEqual([name, 60_000])
  }
})
