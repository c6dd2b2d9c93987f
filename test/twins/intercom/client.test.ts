import { IntercomClient } from 'intercom-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createClock, minuteMs } from '../clock.ts'
import { type IntercomTwin, startIntercomTwin } from './twin.ts'

// The twin's answers are valid for Intercom's own client.

let twin: IntercomTwin
let client: IntercomClient
beforeAll(async () => {
  twin = await startIntercomTwin({ scrollSize: 2 }, createClock({ startsAt: '2026-03-01T12:00:00Z' }))
  client = new IntercomClient({ token: twin.access.token, environment: twin.url, maxRetries: 0 })
})
afterEach(() => twin.expectNoViolations())
afterAll(() => twin.close())

/** All items of a list, page by page. */
async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) items.push(item)
  return items
}
const makeContact = async (external_id: string) =>
  (await client.contacts.create({ external_id, name: external_id })).id ?? ''

test('it reads its own admin, and the other admins', async () => {
  const me = await client.admins.identify()
  expect(me).toMatchObject({ id: twin.staff.una.id, app: { region: 'US' } })
  expect((await client.admins.list()).admins).toHaveLength(4)
  expect((await client.admins.find({ admin_id: 991002 }))?.name).toBe('Otto Müller')
  expect((await client.teams.list()).teams?.map(({ name }) => name)).toEqual(['Support', 'Verkauf'])
  const stranger = new IntercomClient({ token: 'wrong', environment: twin.url, maxRetries: 0 })
  await expect(stranger.admins.identify()).rejects.toMatchObject({ statusCode: 401 })
})

test('it creates, changes, finds and deletes contacts, and gets conflicts', async () => {
  const id = await makeContact('c-1')
  expect((await client.contacts.showContactByExternalId({ external_id: 'c-1' })).id).toBe(id)
  const changed = await client.contacts.update({ contact_id: id, email: 'a@example.com', name: 'Zoë 👋' })
  expect(changed).toMatchObject({ email: 'a@example.com', name: 'Zoë 👋' })
  await expect(makeContact('c-1')).rejects.toMatchObject({ statusCode: 409 })
  const tag = await client.tags.create({ name: 'VIP' })
  await client.tags.tagContact({ contact_id: id, id: String(tag.id) })
  expect((await client.contacts.listAttachedTags({ contact_id: id })).data).toMatchObject([{ name: 'VIP' }])
  expect(await client.contacts.delete({ contact_id: id })).toMatchObject({ id, deleted: true })
  await expect(client.contacts.find({ contact_id: id })).rejects.toMatchObject({ statusCode: 404 })
})

test('it pages through contacts and through search results', async () => {
  for (let at = 0; at < 5; at += 1) await makeContact(`page-${at}`)
  const listed = await all(await client.contacts.list({ per_page: 2 }))
  expect(listed).toHaveLength(5)
  twin.clock.advance(3 * minuteMs)
  const query = { field: 'external_id', operator: '^' as const, value: 'page-' }
  const found = await all(await client.contacts.search({ query, pagination: { per_page: 2 } }))
  expect(found.map(({ external_id: key }) => key).sort()).toEqual(['page-0', 'page-1', 'page-2', 'page-3', 'page-4'])
})

test('it upserts, scrolls, attaches and deletes companies', async () => {
  for (let at = 0; at < 5; at += 1) await client.companies.createOrUpdate({ company_id: `k${at}`, name: `C ${at}` })
  const { id } = await client.companies.createOrUpdate({ company_id: 'k0', size: 7 })
  expect(await client.companies.find({ company_id: id })).toMatchObject({ name: 'C 0', size: 7 })
  expect(await all(await client.companies.scroll())).toHaveLength(5)
  const contact_id = await makeContact('of-company')
  await client.companies.attachContact({ contact_id, id })
  expect(await client.contacts.find({ contact_id })).toMatchObject({ companies: { data: [{ id }], has_more: false } })
  expect(await client.companies.delete({ company_id: id })).toMatchObject({ id, deleted: true })
})

test('it creates attributes, and reads them back', async () => {
  const made = await client.dataAttributes.create({
    name: 'Tier',
    model: 'contact',
    data_type: 'options',
    options: [{ value: 'Gold' }, { value: 'Tin' }],
  } as never)
  expect(made).toMatchObject({ name: 'Tier', custom: true, options: ['Gold', 'Tin'] })
  const { data } = await client.dataAttributes.list({ model: 'contact' })
  expect(data?.map(({ name }) => name)).toContain('Tier')
})

test('it writes in conversations, and finds them', async () => {
  const id = await makeContact('talks')
  const from = { type: 'user' as const, id }
  const { conversation_id: made = '' } = await client.conversations.create({
    from,
    body: 'Hello',
    created_at: 1_500_000_000,
  })
  const admin = { type: 'admin' as const, admin_id: twin.staff.una.id }
  const attachment_files = [{ name: 'a.txt', content_type: 'text/plain', data: Buffer.from('A').toString('base64') }]
  await client.conversations.reply({
    conversation_id: made,
    body: { ...admin, message_type: 'note', body: '<b>Among us</b>', created_at: 1_500_000_100, attachment_files },
  })
  const replied = await client.conversations.reply({
    conversation_id: made,
    body: { type: 'user', message_type: 'comment', intercom_user_id: id, body: 'Thanks' },
  })
  expect(replied.conversation_parts?.conversation_parts?.map((part) => part.part_type)).toEqual(['note', 'comment'])
  await client.conversations.manage({ conversation_id: made, body: { ...admin, message_type: 'close' } })
  const found = await client.conversations.find({ conversation_id: made })
  expect(found).toMatchObject({
    state: 'closed',
    created_at: 1_500_000_000,
    statistics: { count_conversation_parts: 4 },
  })
  const [file] = found.conversation_parts?.conversation_parts?.[0]?.attachments ?? []
  expect(await (await fetch(String(file?.url))).text()).toBe('A')
  await client.conversations.create({ from, body: 'Another' })
  twin.clock.advance(minuteMs)
  const query = { field: 'contact_ids', operator: '=' as const, value: id }
  expect(await all(await client.conversations.search({ query, pagination: { per_page: 1 } }))).toHaveLength(2)
  expect(await all(await client.conversations.list({ per_page: 1 }))).toHaveLength(2)
  await client.conversations.deleteConversation({ conversation_id: made as never })
  await expect(client.conversations.find({ conversation_id: made })).rejects.toMatchObject({ statusCode: 404 })
})

test('it creates ticket types and tickets, replies to them and changes their state', async () => {
  const type = await client.ticketTypes.create({ name: 'Request', category: 'Customer' })
  const made = await client.ticketTypes.attributes.create({
    ticket_type_id: String(type?.id),
    name: 'Key',
    description: 'Ours',
    data_type: 'string',
  })
  const contact = await makeContact('asks')
  const ticket = await client.tickets.create({
    ticket_type_id: String(type?.id),
    contacts: [{ id: contact }],
    ticket_attributes: { _default_title_: 'T', Key: 'k-1' },
    created_at: 1_500_000_000,
    skip_notifications: true,
  } as never)
  const ticket_id = String(ticket?.id)
  const reply = { message_type: 'comment' as const, type: 'admin' as const, admin_id: twin.staff.otto.id, body: 'Yes' }
  expect(await client.tickets.reply({ ticket_id, body: reply })).toMatchObject({
    part_type: 'comment',
    body: '<p>Yes</p>',
  })
  const states = await client.ticketStates.listTicketStates()
  const resolved = states.data?.find((state) => state?.category === 'resolved')
  const moved = await client.tickets.update({ ticket_id, ticket_state_id: String(resolved?.id) })
  expect(moved).toMatchObject({ open: false, created_at: 1_500_000_000, ticket_attributes: { Key: 'k-1' } })
  twin.clock.advance(minuteMs)
  const query = { field: `ticket_attribute.${made?.id}`, operator: '=' as const, value: 'k-1' }
  expect((await all(await client.tickets.search({ query }))).map((one) => one?.id)).toEqual([ticket_id])
  await client.tickets.deleteTicket({ ticket_id })
  await expect(client.tickets.get({ ticket_id })).rejects.toMatchObject({ statusCode: 404 })
})

test('it writes a help center, and pages through it', async () => {
  const author_id = Number(twin.staff.una.id)
  const shelf = await client.helpCenters.collections.create({ name: 'Shelf' })
  const parent = { parent_id: Number(shelf.id), parent_type: 'collection' as const }
  for (let at = 0; at < 3; at += 1)
    await client.articles.create({ title: `A ${at}`, body: '<p>B</p>', author_id, state: 'published', ...parent })
  const listed = await all(await client.articles.list({ per_page: 2 }))
  expect(listed.map(({ title }) => title).sort()).toEqual(['A 0', 'A 1', 'A 2'])
  const [first] = listed
  const changed = await client.articles.update({ article_id: Number(first?.id), title: 'Other' })
  expect(changed).toMatchObject({ title: 'Other', state: 'published', parent_id: Number(shelf.id) })
  expect((await all(await client.helpCenters.collections.list())).map(({ name }) => name)).toEqual(['Shelf'])
  await client.articles.delete({ article_id: Number(first?.id) })
  await client.helpCenters.collections.delete({ collection_id: Number(shelf.id) })
})
