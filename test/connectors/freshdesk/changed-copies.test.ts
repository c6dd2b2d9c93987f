import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { sidesInMemory } from '../../../service/src/connectors/kit/sides-in-memory.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveCompany } from '../../twins/freshdesk/companies.ts'
import { makeField } from '../../twins/freshdesk/fields.ts'
import { outgoing, related, start } from './start.ts'

// Freshdesk as a destination: copies that are changed by a later run.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const idIn = (outcome: WriteOutcome | undefined): string => {
  if (!outcome || !('destinationId' in outcome)) throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}
const custom = (label: string, type: 'text' | 'boolean', value: string | boolean): OutgoingRecord['customFields'] => ({
  [label]: { label, type, value },
})

test('a custom field or choice that Freshdesk refuses is requested once', async () => {
  const { twin, contact, writer } = await start(cleanup)
  await writer.describe()
  const requester = related('contacts', contact.id)
  const answer = {
    kind: 'answered',
    status: 403,
    json: { code: 'require_feature', message: 'No more fields' },
  } as const
  let requests = 0
  twin.faults.when(({ method, url }) => {
    if (method === 'GET' || !url.pathname.startsWith('/api/v2/admin/ticket_fields')) return null
    requests += 1
    return requests === 1 || method === 'PUT' ? answer : null
  })
  const write = async (customFields: OutgoingRecord['customFields']) => {
    const [outcome] = await writer.write('tickets', [outgoing({ subject: 'One', requester }, { customFields })])
    return outcome && 'losses' in outcome ? outcome.losses : []
  }
  expect(await write(custom('Site', 'text', 'A'))).toEqual(['custom_value_refused'])
  expect(await write(custom('Site', 'text', 'B'))).toEqual(['custom_value_refused'])
  expect(requests).toBe(1)
  const plan = (value: string) => ({ plan: { label: 'Plan', type: 'option' as const, value } })
  expect(await write(plan('Gold'))).toEqual([])
  expect(await write(plan('Silver'))).toEqual(['custom_value_refused'])
  expect(await write(plan('Silver'))).toEqual(['custom_value_refused'])
  expect(requests).toBe(3)
})

test.each([
  ['tickets', 'Type', 'option', 'Gold'],
  ['contacts', 'Tags', 'text', ['a', 'b']],
  ['organizations', 'notes', 'text', 'x'],
] as const)(
  'a value of %s keeps a place where Freshdesk has another field "%s"',
  async (entity, label, type, value) => {
    const { twin, contact, writer } = await start(cleanup)
    await writer.describe()
    const fields =
      entity === 'tickets' ? { subject: 'One', requester: related('contacts', contact.id) } : { name: 'One' }
    const customFields = {
      own: { label, type, value: typeof value === 'string' ? value : [...value] },
      tier: { label: 'Tier', type: 'text' as const, value: 'Gold' },
      level: { label: 'tier', type: 'integer' as const, value: 7 },
    }
    const record = outgoing(fields, { customFields })
    const [outcome] = await writer.write(entity, [record])
    expect(outcome).toMatchObject({ result: 'written' })
    expect(outcome).not.toMatchObject({ losses: ['custom_value_refused'] })
    const made = twin.account.fields.list((field) => field.label.startsWith(`${label} (`))
    expect(made.map((field) => field.label)).toEqual([`${label} (2)`])
    const [found] = await writer.find(entity, [{ key: record.key, destinationId: idIn(outcome), parent: null }])
    expect(found?.customFields).toEqual((await writer.asStored(entity, record)).customFields)
    // The next record takes the same field.
    const [next] = await writer.write(entity, [outgoing({ ...fields, name: 'Two' }, { customFields })])
    expect(next).not.toMatchObject({ losses: ['custom_value_refused'] })
    expect(twin.account.fields.list((field) => field.label === `${label} (2)`)).toHaveLength(1)
  },
)

test('a label of the source that ends in "(2)" is compared as what it is', async () => {
  const { twin, contact, writer } = await start(cleanup)
  makeField(twin.account, 'ticket', { label: 'Size', type: 'custom_checkbox' })
  await writer.describe()
  const requester = related('contacts', contact.id)
  const second = custom('Size (2)', 'text', 'XL')
  for (const customFields of [second, { ...second, ...custom('Size (3)', 'text', 'M') }, custom('Size', 'text', 'S')]) {
    const record = outgoing({ subject: 'One', requester }, { customFields })
    const [outcome] = await writer.write('tickets', [record])
    expect(outcome).not.toHaveProperty('losses')
    const [found] = await writer.find('tickets', [{ key: record.key, destinationId: idIn(outcome), parent: null }])
    expect(found?.customFields).toEqual((await writer.asStored('tickets', record)).customFields)
  }
})

test('values that the source has lost since are cleared in the copies', async () => {
  const { twin, account: access, destination } = await start(cleanup)
  const writer = await destination.open({ ...access, sides: sidesInMemory() })
  await writer.describe()
  const { account, staff } = twin
  const company = saveCompany(account, { name: 'Acme' })
  const group = { name: 'Second line', description: 'All', agents: [staff.anna.id] }
  const fields = { ...custom('Site', 'text', 'A'), ...custom('Paid', 'boolean', true) }
  const change = async (entity: string, full: Record<string, unknown>, less: Record<string, unknown>) => {
    const customFields = entity === 'groups' ? {} : fields
    const record = outgoing(full, { customFields })
    const [made] = await writer.write(entity, [record])
    const [changed] = await writer.write(entity, [
      { ...record, fields: less, customFields: {}, destinationId: idIn(made) },
    ])
    expect(changed).toMatchObject({ result: 'written' })
    expect(changed).not.toHaveProperty('losses')
    return idIn(changed)
  }
  const groupId = await change('groups', group, { name: 'Second line' })
  expect(account.groups.get(groupId)).toMatchObject({ description: '', agent_ids: [] })
  const firm = { name: 'Bolt', domains: ['bolt.example.com'], description: 'Old', notes: 'Mine' }
  const firmId = await change('organizations', firm, { name: 'Bolt' })
  const bare = { cf_site: null, cf_paid: false }
  expect(account.companies.get(firmId)).toMatchObject({ description: null, note: null, domains: [] })
  const person = { name: 'Di', phones: '1', notes: 'VIP', organization: related('organizations', company.id) }
  const personId = await change('contacts', person, { name: 'Di' })
  expect(account.contacts.get(personId)).toMatchObject({ phone: null, description: null, company_id: null })
  const requester = related('contacts', personId)
  const more = { type: 'question', assignee: staff.ben.id, group: related('groups', groupId), tags: ['a'] }
  const ticketId = await change(
    'tickets',
    { subject: 'One', requester, description: '<p>Long</p>', ...more },
    { subject: 'One', requester },
  )
  const ticket = account.tickets.get(ticketId)
  expect(ticket).toMatchObject({ type: null, responder_id: null, group_id: null, tags: [], custom_fields: bare })
  expect(ticket?.description).not.toContain('Long')
  expect(ticket?.requester_id).toBe(Number(personId))
  for (const one of [account.companies.get(firmId), account.contacts.get(personId)])
    expect(one?.custom_fields).toMatchObject({ site: null, paid: false })
  twin.expectNoViolations()
})

test('a link that changes in a text makes another text; a shown address counts once', async () => {
  const { twin, contact, writer } = await start(cleanup)
  const { entities } = await writer.describe()
  for (const entity of ['tickets', 'comments', 'articles']) expect(entities[entity]?.hidesLinks, entity).toBe(true)
  const requester = related('contacts', contact.id)
  const textOf = (href: string, words = 'here') =>
    outgoing({ subject: 'One', requester, description: `<p>Look <a href="${href}">${words}</a>.</p>` })
  const stored = async (record: OutgoingRecord) => (await writer.asStored('tickets', record)).fields.description
  const [one, other] = [textOf('https://a.example/1?x=1&amp;y=2'), textOf('https://a.example/2')]
  expect(await stored(one)).not.toBe(await stored(other))
  expect(await stored(textOf('https://a.example/1', 'https://a.example/1'))).toBe(
    await stored(outgoing({ subject: 'One', description: '<p>Look https://a.example/1.</p>' })),
  )
  const [made] = await writer.write('tickets', [one])
  const [found] = await writer.find('tickets', [{ key: one.key, destinationId: idIn(made), parent: null }])
  expect(found?.fields.description).toBe(await stored(one))
  expect(idOf(contact)).toBe(twin.account.tickets.list()[0]?.requester_id)
})

test('a custom field whose answer was lost is known as ours: a change clears it, and an undo lists it', async () => {
  const { twin, account, destination } = await start(cleanup)
  const sides = sidesInMemory()
  const open = () => destination.open({ ...account, sides })
  const record = outgoing(
    { name: 'Rita', emails: ['rita@example.test'] },
    { customFields: custom('Story', 'text', 'Long') },
  )
  twin.faults.next('POST', '/api/v2/contact_fields', { kind: 'lost' })
  await expect((await open()).write('contacts', [record])).rejects.toThrow()
  const writer = await open()
  const [made] = await writer.write('contacts', [record])
  const destinationId = idIn(made)
  const empty = { ...record, destinationId, customFields: {} }
  expect(await writer.write('contacts', [empty])).toMatchObject([{ result: 'written' }])
  const [found] = await writer.find('contacts', [{ key: record.key, destinationId, parent: null }])
  expect(found?.customFields).toEqual({})
  const fields = await sides.list('field_of_contacts')
  expect(await writer.removeSides?.(fields, { isForced: false })).toMatchObject([{ result: 'kept' }])
})

test('the new text of a note that is private by now never goes into its public copy', async () => {
  const { twin, contact, make, writer } = await start(cleanup)
  await writer.describe()
  const ticket = related('tickets', make('One').id)
  const words = { ticket, author_contact: related('contacts', contact.id), body: '<p>For all</p>' }
  const noteIn = (outcome: WriteOutcome | undefined) =>
    twin.account.conversations.get(idIn(outcome).split('-')[1] ?? '')
  const changed = (record: OutgoingRecord, outcome: WriteOutcome | undefined, fields: object) => ({
    ...record,
    destinationId: idIn(outcome),
    fields: { ...record.fields, body: '<p>For agents</p>', ...fields },
  })
  const record = outgoing({ ...words, is_public: true })
  const [made] = await writer.write('comments', [record])
  const refused = { result: 'refused', code: 'not_protected' }
  expect(await writer.write('comments', [changed(record, made, { is_public: false })])).toMatchObject([refused])
  expect(noteIn(made)).toMatchObject({ private: false, body: expect.stringContaining('For all') })
  // Agents alone read a private copy, so it changes whatever the record is by now.
  const inner = outgoing({ ...words, is_public: false })
  const [kept] = await writer.write('comments', [inner])
  for (const is_public of [false, true])
    expect(await writer.write('comments', [changed(inner, kept, { is_public })])).toMatchObject([{ result: 'written' }])
  expect(noteIn(kept)).toMatchObject({ private: true, body: expect.stringContaining('For agents') })
  twin.expectNoViolations()
})

test('an article that became a draft in a change that broke off is ours, unless people publish it again', async () => {
  const { twin, account, destination } = await start(cleanup)
  const sides = sidesInMemory()
  const open = async () => {
    const writer = await destination.open({ ...account, sides })
    await writer.describe()
    return writer
  }
  const { articles } = twin.account
  const record = outgoing({ title: 'One', body: '<p>One</p>', status: 'published', visibility: 'public' })
  const destinationId = idIn((await (await open()).write('articles', [record]))[0])
  const changed = { ...record, destinationId, fields: { ...record.fields, title: 'Two', visibility: 'internal' } }
  const found = async () =>
    (await (await open()).find('articles', [{ key: record.key, destinationId, parent: null }]))[0]
  // First the request with the new text breaks off, then its answer is lost.
  for (const [kind, title] of [
    ['dropped', 'One'],
    ['lost', 'Two'],
  ] as const) {
    let changes = kind === 'dropped' ? 2 : 1
    const stop = twin.faults.when(({ method }) => (method === 'PUT' && --changes === 0 ? { kind } : null))
    await expect((await open()).write('articles', [changed])).rejects.toThrow()
    stop()
    expect(articles.list()).toMatchObject([{ status: 1, title }])
    expect(await found()).toMatchObject({ isUnfinished: true })
  }
  articles.change(destinationId, { status: 2 })
  expect(await found()).not.toHaveProperty('isUnfinished')
  const outcomes = await (await open()).write('articles', [changed])
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['private_kept_as_draft'] }])
  expect(await found()).not.toHaveProperty('isUnfinished')
})

test('a custom field that names people of the staff arrives with their names', async () => {
  const { twin, writer, contact } = await start(cleanup)
  const ids = [twin.staff.anna, twin.staff.ben].map((one) => String(idOf(one)))
  const names = [...(await writer.users(null)).items].filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  const customFields = {
    owner: { label: 'Owner', type: 'user' as const, value: ids[0] ?? '' },
    team: { label: 'Team', type: 'user' as const, value: ids },
  }
  const sent = outgoing({ subject: 'One', requester: related('contacts', idOf(contact)) }, { customFields })
  const destinationId = idIn((await writer.write('tickets', [sent]))[0])
  const [found] = await writer.find('tickets', [{ key: sent.key, destinationId, parent: null }])
  expect(found?.customFields).toEqual((await writer.asStored('tickets', sent)).customFields)
  const values = Object.values(found?.customFields ?? {}).flatMap((value) => String(value).split('\n'))
  expect(new Set(values)).toEqual(new Set(names))
})

test('a note whose customer Freshdesk refuses as author names the customer, also after a change', async () => {
  const { twin, writer, contact, make } = await start(cleanup)
  await writer.describe()
  const ticket = related('tickets', make('One').id)
  const author_contact = related('contacts', idOf(contact))
  const errors = [{ field: 'user_id', message: 'There is no agent with this id', code: 'invalid_value' }]
  const json = { description: 'Validation failed', errors }
  const refuse = { kind: 'answered', status: 400, json } as const
  twin.faults.next('POST', `/api/v2/tickets/${ticket.destinationId}/notes`, refuse)
  const sent = outgoing({ ticket, body: '<p>Help</p>', is_public: true, author_contact })
  const [outcome] = await writer.write('comments', [sent])
  expect(outcome).toMatchObject({ result: 'written', losses: ['author_not_kept'] })
  const bodyNow = () => twin.account.conversations.list()[0]?.body
  expect(bodyNow()).toContain('Cara · cara@mail.example.com · 2020-02-02 10:00 UTC')
  await writer.write('comments', [{ ...sent, destinationId: idIn(outcome), fields: { ...sent.fields, body: 'More' } }])
  expect(bodyNow()).toContain('Cara · cara@mail.example.com · 2020-02-02 10:00 UTC')
  expect(bodyNow()).toContain('More')
})
