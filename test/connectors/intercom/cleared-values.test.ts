import { afterAll, afterEach, expect, test } from 'vitest'
import { openIntercomWriter } from '../../../service/src/connectors/helpdesk/intercom/writer.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import type { IntercomTwin } from '../../twins/intercom/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { idOf, lossesOf, record, related, startAccount, writeTicket } from './open-twin.ts'

// Changes of a copy: the source lost a value, or people added something to the copy.

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
type Opened = Awaited<ReturnType<typeof start>>

const filled = (values: Record<string, unknown> | undefined) =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null))
const customFields = {
  a: { label: 'Colour', type: 'option' as const, value: 'Red' },
  b: { label: 'Boats', type: 'integer' as const, value: 3 },
  c: { label: 'Fragile', type: 'boolean' as const, value: true },
  d: { label: 'Story', type: 'text' as const, value: 'Long' },
}

async function clear({ writer }: Opened, entity: string, base: Record<string, unknown>, more: Record<string, unknown>) {
  const sent = record({ ...base, ...more }, ['categories', 'articles'].includes(entity) ? {} : { customFields })
  const [made] = await writer.write(entity, [sent])
  const empty = { ...record(base), key: sent.key, destinationId: idOf(made) }
  const [changed] = await writer.write(entity, [empty])
  expect(changed).toMatchObject({ result: 'written' })
  const [found] = await writer.find(entity, [{ key: sent.key, destinationId: idOf(made), parent: null }])
  const wanted = await writer.asStored(entity, empty)
  expect(filled(found?.fields)).toEqual(filled(wanted.fields))
  expect(filled(found?.customFields)).toEqual(filled(wanted.customFields))
  return { changed, id: idOf(made) }
}

test('values that the source has lost are cleared in copies of people, companies, tickets and articles', async () => {
  const opened = await start()
  const { twin, writer } = opened
  const [firm] = await writer.write('organizations', [record({ name: 'Quay' })])
  const organization = related('organizations', idOf(firm))
  const [nora] = await writer.write('contacts', [record({ name: 'Nora', emails: 'nora@example.com' })])
  const requester = related('contacts', idOf(nora))
  const [shelf] = await writer.write('categories', [record({ name: 'Shelf' })])
  const category = related('categories', idOf(shelf))
  const [admin] = twin.account.admins.list()
  const [team] = twin.account.teams.list()
  const group = related('groups', String(team?.id))

  await clear(opened, 'organizations', { name: 'Acme' }, { domains: ['acme.example'] })
  const rita = { emails: 'rita@example.com', phones: '+4915112345678', organization }
  const { changed } = await clear(opened, 'contacts', { name: 'Rita' }, rita)
  expect(lossesOf(changed)).toEqual([])
  const assigned = { description: '<p>Bent</p>', type: 'task', priority: 'high', assignee: String(admin?.id), group }
  const ticket = await clear(opened, 'tickets', { subject: 'One', requester }, assigned)
  expect(lossesOf(ticket.changed)).toEqual([])
  await clear(opened, 'categories', { name: 'Inner' }, { description: 'Words', parent_category: category })
  await clear(opened, 'articles', { title: 'Knots' }, { body: '<p>All</p>', category, status: 'published' })
})

test('a ticket that loses its team keeps its teammate', async () => {
  const { twin, writer } = await start()
  const [admin] = twin.account.admins.list()
  const [team] = twin.account.teams.list()
  const assignee = String(admin?.id)
  const { sent, ticketId } = await writeTicket(writer, { assignee, group: related('groups', String(team?.id)) })
  const { group: _, ...fields } = sent.fields
  await writer.write('tickets', [{ ...sent, fields, destinationId: ticketId }])
  expect(twin.account.tickets.get(ticketId)).toMatchObject({ adminAssigneeId: Number(assignee), teamAssigneeId: 0 })
})

test('a change of a person leaves the companies that people added, and their link shows as a change', async () => {
  const { twin, writer } = await start()
  const [own, next] = await writer.write('organizations', [record({ name: 'Own' }), record({ name: 'Next' })])
  const theirs = twin.account.companies.put({
    ...Object(twin.account.companies.get(idOf(own))),
    ...{ id: 'theirs', companyId: 'their-key', name: 'Theirs' },
  })
  const sent = record({ name: 'Rita', organization: related('organizations', idOf(own)) })
  const [made] = await writer.write('contacts', [sent])
  const id = idOf(made)
  const before = await writer.find('contacts', [{ key: sent.key, destinationId: id, parent: null }])
  twin.account.contacts.change(id, { companyIds: [idOf(own), theirs.id] })
  const after = await writer.find('contacts', [{ key: sent.key, destinationId: id, parent: null }])
  expect(after[0]?.version).not.toBe(before[0]?.version)
  const moved = { ...sent, fields: { name: 'Rita', organization: related('organizations', idOf(next)) } }
  await writer.write('contacts', [{ ...moved, destinationId: id }])
  expect(twin.account.contacts.get(id)?.companyIds.sort()).toEqual([theirs.id, idOf(next)].sort())
})

test('an article moves to another collection', async () => {
  const { writer } = await start()
  const shelves = await writer.write('categories', [record({ name: 'Shelf' }), record({ name: 'Other' })])
  const [first, other] = shelves.map((one) => related('categories', idOf(one)))
  const sent = record({ title: 'Knots', category: first })
  const [made] = await writer.write('articles', [sent])
  const moved = { ...sent, fields: { ...sent.fields, category: other }, destinationId: idOf(made) }
  await writer.write('articles', [moved])
  const [found] = await writer.find('articles', [{ key: sent.key, destinationId: idOf(made), parent: null }])
  expect(found?.fields.category).toEqual((await writer.asStored('articles', moved)).fields.category)
})

test('an article whose only change is the address of a link is sent again', async () => {
  const { writer } = await start()
  const linked = (address: string) => record({ title: 'Knots', body: `<p>See <a href="${address}">here</a></p>` })
  const [one, other] = [linked('https://a.example/x?a=1&amp;b=2'), linked('https://b.example/x')]
  expect(await writer.asStored('articles', one)).not.toEqual(await writer.asStored('articles', other))
  const [made] = await writer.write('articles', [one])
  const [found] = await writer.find('articles', [{ key: one.key, destinationId: idOf(made), parent: null }])
  expect(found?.fields.body).toEqual((await writer.asStored('articles', one)).fields.body)
  expect((await writer.describe()).entities.articles?.hidesLinks).toBe(true)
})

test('a change at the end of a long article is noticed', async () => {
  const { writer } = await start()
  const long = (end: string) => record({ title: 'Knots', body: `<p>${'word '.repeat(10_000)}${end}</p>` })
  expect(await writer.asStored('articles', long('old'))).not.toEqual(await writer.asStored('articles', long('new')))
})

test('a ticket loses the company and the tags that the source lost, and keeps the tags that people added', async () => {
  const { twin, writer, ...rest } = await start()
  const [firm] = await writer.write('organizations', [record({ name: 'Quay' })])
  const organization = related('organizations', idOf(firm))
  const { sent, outcome, ticketId } = await writeTicket(writer, { organization, tags: ['Sails', 'ropes'] })
  const tagsNow = () =>
    twin.account.tickets
      .get(ticketId)
      ?.tagIds.map((id) => twin.account.tags.get(id)?.name)
      .sort()
  expect(tagsNow()).toEqual(['Sails', 'ropes'])
  const theirs = twin.account.tags.put({ id: '999', name: 'Theirs' })
  const { tagIds = [] } = twin.account.tickets.get(ticketId) ?? {}
  twin.account.tickets.change(ticketId, { tagIds: [...tagIds, theirs.id] })
  const look = async () => {
    const [found] = await writer.find('tickets', [{ key: sent.key, destinationId: ticketId, parent: null }])
    return { version: found?.version, customFields: filled(found?.customFields) }
  }
  const storedOf = async (one: typeof sent) => filled((await writer.asStored('tickets', one)).customFields)
  expect(await look()).toMatchObject({ version: (outcome as { version: string }).version })

  const fields = { ...sent.fields, organization: undefined, tags: ['ropes', 'Knots'] }
  const change = { ...sent, fields, destinationId: ticketId }
  // A later run notices the change, although Intercom tells neither company nor tags.
  expect(await storedOf(change)).not.toEqual(await storedOf(sent))
  expect((await look()).customFields).toEqual(await storedOf(sent))
  // A worker that dies in the middle leaves the ticket unlike the sent one, so that it is sent again.
  twin.faults.next('POST', `/tickets/${ticketId}/tags`, { kind: 'answered', status: 500 })
  await expect(writer.write('tickets', [change])).rejects.toThrow(RetryableError)
  expect((await look()).customFields).not.toEqual(await storedOf(change))
  const [changed] = await openIntercomWriter(rest.account).write('tickets', [change])
  expect(lossesOf(changed)).toEqual([])
  expect(tagsNow()).toEqual(['Knots', 'Theirs', 'ropes'])
  expect(twin.account.tickets.get(ticketId)?.companyId).toBeNull()
  expect((await look()).customFields).toEqual(await storedOf(change))

  const { tags: _tags, ...bare } = fields
  await writer.write('tickets', [{ ...change, fields: bare }])
  expect(tagsNow()).toEqual(['Theirs'])
})

test.each(['DELETE', 'POST'])(
  'a person whose move to another company broke off at its %s is no edit by people',
  async (method) => {
    const { twin, writer } = await start()
    const firms = await writer.write('organizations', [record({ name: 'Quay' }), record({ name: 'Pier' })])
    const [quay, pier] = firms.map((firm) => related('organizations', idOf(firm)))
    const sent = record({ name: 'Nora', emails: 'nora@example.com', organization: quay })
    const [made] = await writer.write('contacts', [sent])
    const id = idOf(made)
    const moved = { ...sent, destinationId: id, fields: { ...sent.fields, organization: pier } }
    twin.faults.next(method, `/contacts/${id}/companies`, { kind: 'dropped' })
    await expect(writer.write('contacts', [moved])).rejects.toThrow()
    const find = async () => (await writer.find('contacts', [{ key: sent.key, destinationId: id, parent: null }]))[0]
    const found = await find()
    const there = method === 'POST' ? [true, null] : [undefined, quay?.destinationId]
    expect([found?.isUnfinished, found?.fields.organization]).toEqual(there)
    await writer.write('contacts', [moved])
    expect(twin.account.contacts.get(id)?.companyIds).toEqual([pier?.destinationId])
    expect((await find())?.isUnfinished).toBeUndefined()
  },
)

test('a ticket that broke off between two assignees is no edit by people', async () => {
  const { twin, writer } = await start()
  const [admin] = twin.account.admins.list()
  const [team] = twin.account.teams.list()
  const assignee = String(admin?.id)
  const { sent, ticketId } = await writeTicket(writer, { assignee, group: related('groups', String(team?.id)) })
  const { group: _group, ...fields } = sent.fields
  const changed = { ...sent, destinationId: ticketId, fields }
  let puts = 0
  const stop = twin.faults.when(({ method }) => (method === 'PUT' && ++puts === 3 ? { kind: 'dropped' } : null))
  await expect(writer.write('tickets', [changed])).rejects.toThrow()
  stop()
  expect(twin.account.tickets.get(ticketId)).toMatchObject({ adminAssigneeId: 0, teamAssigneeId: 0 })
  const find = async () => (await writer.find('tickets', [{ key: sent.key, destinationId: ticketId, parent: null }]))[0]
  expect(await find()).toMatchObject({ isUnfinished: true })
  await writer.write('tickets', [changed])
  expect(twin.account.tickets.get(ticketId)).toMatchObject({ adminAssigneeId: Number(assignee), teamAssigneeId: 0 })
  expect((await find())?.isUnfinished).toBeUndefined()
})

test('two custom fields of one name and type both arrive', async () => {
  const opened = await start()
  const one = { label: 'Location', type: 'text' as const }
  const twice = { a: { ...one, value: 'first' }, location: { ...one, value: 'second' } }
  for (const [entity, fields] of [
    ['organizations', { name: 'Acme' }],
    ['contacts', { name: 'Rita', emails: ['rita@mail.example.com'] }],
  ] as const) {
    const sent = record(fields, { customFields: twice })
    const [made] = await opened.writer.write(entity, [sent])
    const [found] = await opened.writer.find(entity, [{ key: sent.key, destinationId: idOf(made), parent: null }])
    expect(Object.values(filled(found?.customFields)).sort()).toEqual(['first', 'second'])
    expect(filled(found?.customFields)).toEqual(filled((await opened.writer.asStored(entity, sent)).customFields))
  }
})
