import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openFreshdeskWriter } from '../../../service/src/connectors/helpdesk/freshdesk/writer.ts'
import { hourMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/freshdesk/account.ts'
import { saveCompany } from '../../twins/freshdesk/companies.ts'
import { saveContact } from '../../twins/freshdesk/contacts.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { makeField } from '../../twins/freshdesk/fields.ts'
import { seedFields } from '../../twins/freshdesk/seed.ts'
import { keepSides } from '../keep-sides.ts'
import { outgoing, related, soughtOf, start } from './start.ts'

// Peculiarities of Freshdesk as a destination, each tested against its twin.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const idIn = (outcome: WriteOutcome | undefined): string => {
  if (!outcome || !('destinationId' in outcome)) throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}
const versionIn = (outcome: WriteOutcome | undefined) => (outcome?.result === 'written' ? outcome.version : null)
const removable = (record: OutgoingRecord, outcome: WriteOutcome | undefined) => ({
  ...soughtOf(record),
  destinationId: idIn(outcome),
  version: versionIn(outcome),
})

test("a ticket whose answer was lost is found at once among its requester's tickets, though the search lags", async () => {
  const { twin, contact, writer } = await start(cleanup, { searchLagMs: 24 * hourMs })
  await writer.describe()
  const records = [
    outgoing({ subject: 'Kept', requester: related('contacts', contact.id) }),
    outgoing({ subject: 'Ours' }),
  ]
  twin.faults.next('POST', '/api/v2/tickets', { kind: 'lost' }, 1)
  const [first, second] = await writer.write('tickets', records)
  expect([first?.result, second?.result]).toEqual(['failed', 'untried'])
  const paths: string[] = []
  twin.faults.when(({ url }) => {
    paths.push(url.pathname)
    return null
  })
  const found = await writer.find(
    'tickets',
    records.map((record) => soughtOf(record)),
  )
  expect(found.map(({ key }) => key)).toEqual([records[0]?.key])
  expect(paths.filter((path) => path.includes('search'))).toEqual([])
  expect(twin.account.tickets.size()).toBe(1)
  twin.expectNoViolations()
})

test('a 429 leaves a ticket unsent, with the waiting time that Freshdesk names', async () => {
  const { twin, writer } = await start(cleanup)
  await writer.describe()
  const headers = { 'retry-after': '34' }
  twin.faults.next('POST', '/api/v2/tickets', { kind: 'answered', status: 429, json: { message: 'x' }, headers })
  const outcomes = await writer.write('tickets', [outgoing({ subject: 'One' }), outgoing({ subject: 'Two' })])
  expect(outcomes).toMatchObject([
    { result: 'failed', isSent: false, error: { retryAfterMs: 34_000 } },
    { result: 'untried' },
  ])
})

test('comments become notes, private unless they were public, and never replies', async () => {
  const { twin, contact, writer, make } = await start(cleanup, { hasNotifications: false })
  await writer.describe()
  const ticket = related('tickets', make('One').id)
  const by = { author_contact: related('contacts', contact.id) }
  const records = [
    outgoing({ ticket, body: '<p>Open</p>', is_public: true, author_agent: twin.staff.anna.id }),
    outgoing({ ticket, body: '<p>Closed</p>', is_public: false, ...by }),
    outgoing(
      { ticket, body: '<p>Unsaid</p>' },
      { createdBy: { name: 'Zoë — Z', email: 'z@example.org', userId: null } },
    ),
    outgoing({ ticket, author_agent: '4711', body: '<p>Nobody</p>' }),
  ]
  const outcomes = await writer.write('comments', records)
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'written', 'written'])
  expect(outcomes.map((outcome) => ('losses' in outcome ? outcome.losses : null))).toEqual([
    ...[null, null, ['author_not_kept'], ['author_not_kept']],
  ])
  const said = twin.account.conversations.list()
  expect(said.map((one) => [one.private, one.source, one.user_id])).toEqual([
    [false, 2, idOf(twin.staff.anna)],
    [true, 2, idOf(contact)],
    [true, 2, idOf(twin.staff.admin)],
    [true, 2, idOf(twin.staff.admin)],
  ])
  // Freshdesk does not keep the times, so the line above the text has them.
  expect(said[2]?.body).toContain('Zoë Z · z@example.org · 2020-02-02 10:00 UTC · wherry-')
  expect(twin.account.mails).toEqual([])
  // A note can be changed later, and stays one note.
  const [first] = records
  if (!first) return
  await writer.write('comments', [
    { ...first, destinationId: idIn(outcomes[0]), fields: { ...first.fields, body: '<p>New</p>' } },
  ])
  expect(twin.account.conversations.list()[0]?.body).toContain('New')
  expect(twin.account.conversations.size()).toBe(4)
  twin.expectNoViolations()
})

test('an existing company with the same name is used unchanged; a company whose answer was lost is ours', async () => {
  const { twin, writer } = await start(cleanup)
  await writer.describe()
  const there = saveCompany(twin.account, { name: 'Acme', note: 'Mine' })
  const [same, lost] = [outgoing({ name: 'ACME', notes: 'Other' }), outgoing({ name: 'Bolt', notes: 'New' })]
  expect(await writer.write('organizations', [same])).toMatchObject([{ result: 'matched', destinationId: there.id }])
  expect(twin.account.companies.get(there.id)?.note).toBe('Mine')
  twin.faults.next('POST', '/api/v2/companies', { kind: 'lost' })
  await expect(writer.write('organizations', [lost])).rejects.toThrow()
  // Even if the record is sent again without a search, it is the same company.
  expect(await writer.write('organizations', [lost])).toMatchObject([{ result: 'written' }])
  const [found] = await writer.find('organizations', [soughtOf(lost)])
  const again = await writer.write('organizations', [{ ...lost, destinationId: found?.destinationId ?? null }])
  expect(again).toMatchObject([{ result: 'written', destinationId: found?.destinationId }])
  expect(twin.account.companies.size()).toBe(2)
  // A company that was deleted meanwhile is created again.
  twin.account.companies.remove(there.id)
  expect(await writer.write('organizations', [outgoing({ name: 'Acme' })])).toMatchObject([{ result: 'written' }])
  // A record that was never ours is not found, so no undo removes it.
  expect(await writer.find('organizations', [soughtOf(same)])).toEqual([])
})

test('contacts carry our id; existing people with the address are used unchanged, and a lost answer duplicates nobody', async () => {
  const { twin, contact, writer } = await start(cleanup)
  await writer.describe()
  const trashed = saveContact(twin.account, { name: 'Gone', email: 'gone@mail.example.com' })
  twin.account.contacts.change(trashed.id, { isDeleted: true })
  const mail = (address: string) => [{ address, isPrimary: true }]
  const [known, staff, hidden, lost] = [
    outgoing({ name: 'Cara again', emails: mail('CARA@mail.example.com') }),
    outgoing({ name: 'Anna', emails: mail('anna@example.test') }),
    outgoing({ name: 'Taken', emails: mail('gone@mail.example.com') }),
    outgoing({ name: 'Lost' }),
  ]
  expect(await writer.write('contacts', [known, staff, hidden])).toMatchObject([
    { result: 'matched', destinationId: contact.id },
    { result: 'matched', destinationId: twin.staff.anna.id },
    { result: 'written', losses: ['address_refused'] },
  ])
  expect(twin.account.contacts.get(contact.id)?.name).toBe('Cara')
  twin.faults.next('POST', '/api/v2/contacts', { kind: 'lost' })
  await expect(writer.write('contacts', [lost])).rejects.toThrow()
  const before = twin.account.contacts.size()
  expect(await writer.find('contacts', [soughtOf(lost)])).toHaveLength(1)
  // Even if the record is sent again without a search, it is the same person.
  expect(await writer.write('contacts', [lost])).toMatchObject([{ result: 'written' }])
  expect(twin.account.contacts.size()).toBe(before)
  twin.expectNoViolations()
})

test('contacts are found even if Freshdesk does not list them by our id', async () => {
  const { twin, contact, writer } = await start(cleanup)
  await writer.describe()
  const json = { description: 'Validation failed', errors: [{ field: 'unique_external_id', code: 'invalid_field' }] }
  twin.faults.when(({ url }) =>
    url.searchParams.has('unique_external_id') ? { kind: 'answered', status: 400, json } : null,
  )
  const known = outgoing({ name: 'Cara', emails: [{ address: 'cara@mail.example.com', isPrimary: true }] })
  expect(await writer.write('contacts', [known])).toMatchObject([{ result: 'matched', destinationId: contact.id }])
  const lost = outgoing({ name: 'Lost' })
  twin.faults.next('POST', '/api/v2/contacts', { kind: 'lost' })
  await expect(writer.write('contacts', [lost])).rejects.toThrow()
  expect(await writer.find('contacts', [soughtOf(lost)])).toEqual([])
  const before = twin.account.contacts.size()
  expect(await writer.write('contacts', [lost])).toMatchObject([{ result: 'written' }])
  expect(twin.account.contacts.size()).toBe(before)
})

test('an undo moves contacts only to the trash, and keeps contacts who have tickets', async () => {
  const { twin, writer, make } = await start(cleanup)
  await writer.describe()
  const records = [outgoing({ name: 'Asks' }), outgoing({ name: 'Silent' })]
  const outcomes = await writer.write('contacts', records)
  make('A question', { requester_id: Number(idIn(outcomes[0])) })
  const deleted: string[] = []
  twin.faults.when(({ method, url }) => {
    if (method === 'DELETE') deleted.push(url.pathname)
    return null
  })
  const removed = await writer.remove(
    'contacts',
    records.map((record, at) => removable(record, outcomes[at])),
  )
  expect(removed).toMatchObject([
    { result: 'kept', message: 'Tickets of this account name them.' },
    { result: 'removed' },
  ])
  expect(deleted).toEqual([`/api/v2/contacts/${idIn(outcomes[1])}`])
  expect(twin.account.contacts.get(idIn(outcomes[1]))?.isDeleted).toBe(true)
})

test('a contact in the trash of an earlier undo is restored, with its address', async () => {
  const { twin, writer } = await start(cleanup)
  await writer.describe()
  const emails = [{ address: 'dora@mail.example.com', isPrimary: true }]
  const first = outgoing({ name: 'Dora', emails, phones: '1' })
  const [made] = await writer.write('contacts', [first])
  await writer.remove('contacts', [removable(first, made)])
  // The same import starts over.
  const [again] = await writer.write('contacts', [outgoing({ name: 'Dora D', emails }, { key: first.key })])
  expect(again).toMatchObject({ result: 'written', destinationId: idIn(made) })
  expect(again).not.toHaveProperty('losses')
  const contact = () => twin.account.contacts.get(idIn(made))
  expect(contact()).toMatchObject({ name: 'Dora D', email: 'dora@mail.example.com', phone: null, isDeleted: false })
  // Another import copies the same person after the undo of the first one.
  await writer.remove('contacts', [removable(first, again)])
  const other = outgoing({ name: 'Dora E', emails })
  const [last] = await writer.write('contacts', [other])
  expect(last).toMatchObject({ result: 'written', destinationId: idIn(made) })
  expect(contact()).toMatchObject({ name: 'Dora E', email: 'dora@mail.example.com', isDeleted: false })
  expect(await writer.find('contacts', [soughtOf(other)])).toHaveLength(1)
  twin.expectNoViolations()
})

test('an undo keeps a ticket that people wrote in; our own notes do not count', async () => {
  const { twin, writer } = await start(cleanup)
  await writer.describe()
  const records = [outgoing({ subject: 'Answered' }), outgoing({ subject: 'Quiet' })]
  const outcomes = await writer.write('tickets', records)
  const [answered, quiet] = outcomes.map(idIn)
  for (const id of [answered, quiet]) {
    await writer.write('comments', [outgoing({ ticket: related('tickets', String(id)), body: '<p>Ours</p>' })])
  }
  const ticket = twin.account.tickets.get(String(answered))
  if (ticket) addConversation(twin.account, ticket, { user_id: idOf(twin.staff.ben), body: '<p>Mine</p>' })
  const removed = await writer.remove(
    'tickets',
    records.map((record, at) => removable(record, outcomes[at])),
  )
  expect(removed.map(({ result }) => result)).toEqual(['kept', 'removed'])
  expect(twin.account.tickets.get(String(quiet))?.deletedAt).not.toBeNull()
})

test('statuses are written by their numbers, and a ticket without a requester belongs to the owner of the key', async () => {
  const { twin, writer } = await start(cleanup)
  seedFields(twin.account)
  const { entities } = await writer.describe()
  expect(entities.tickets?.fields.status?.options).toEqual([
    ...['open', 'pending', 'solved', 'closed', 'Waiting on Customer', 'Waiting for parts'],
  ])
  const record = outgoing({ subject: 'One', status: 'Waiting for parts', priority: 'urgent', assignee: '4711' })
  expect(await writer.write('tickets', [record])).toMatchObject([
    { result: 'written', losses: ['assignee_refused', 'author_replaced'] },
  ])
  const [ticket] = twin.account.tickets.list()
  expect(ticket).toMatchObject({ status: 7, priority: 4, requester_id: idOf(twin.staff.admin) })
})

test('a ticket with more than 30 tags arrives with the first 30, and the loss is reported', async () => {
  const { twin, contact, writer } = await start(cleanup)
  // The engine cuts longer tags, and reports it.
  expect((await writer.describe()).entities.tickets?.fields.tags).toMatchObject({ maxLength: 32 })
  const tags = Array.from({ length: 32 }, (_, at) => `tag ${at}`)
  const requester = related('contacts', contact.id)
  const record = outgoing({ subject: 'Many', requester, tags })
  const [outcome] = await writer.write('tickets', [record])
  expect(outcome).toMatchObject({ result: 'written', losses: ['tags_left_out'] })
  expect(twin.account.tickets.list().map((ticket) => ticket.tags.length)).toEqual([30])
  // A duplicate tag does not count.
  const few = outgoing({ subject: 'Few', requester, tags: [...tags.slice(0, 30), 'Tag 1'] })
  expect((await writer.write('tickets', [few]))[0]).not.toHaveProperty('losses')
  const [{ id: destinationId } = { id: '' }] = twin.account.tickets.list()
  const [found] = await writer.find('tickets', [{ ...soughtOf(record), destinationId }])
  expect(found?.fields.tags).toEqual((await writer.asStored('tickets', record)).fields.tags)
})

test('custom fields are created once with their choices; values that Freshdesk does not accept are left out and reported', async () => {
  const { twin, contact, writer } = await start(cleanup)
  await writer.describe()
  const before = twin.account.fields.size()
  const requester = related('contacts', contact.id)
  const withFields = (plan: string, more: OutgoingRecord['customFields'] = {}) =>
    outgoing(
      { subject: plan, requester },
      { customFields: { plan: { label: 'Tier', type: 'option', value: plan }, ...more } },
    )
  const outcomes = await writer.write('tickets', [withFields('Gold'), withFields('Silver'), withFields('Gold')])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'written', 'written'])
  expect(twin.account.fields.size()).toBe(before + 1)
  const made = twin.account.fields.list(({ label }) => label === 'Tier')[0]
  expect(made?.choices.map(({ value }) => value)).toEqual(['Gold', 'Silver'])
  // Customers see a new field only if an agent decides so.
  await writer.write('contacts', [
    outgoing({ name: 'Di' }, { customFields: { a: { label: 'Risk', type: 'text', value: 'high' } } }),
  ])
  expect([made, ...twin.account.fields.list(({ label }) => label === 'Risk')].map((one) => one?.isShown)).toEqual([
    ...[false, false],
  ])
  // The answer to a new field is lost. The field exists, and is found.
  twin.faults.next('POST', '/api/v2/admin/ticket_fields', { kind: 'lost' })
  const dated = withFields('Gold', { day: { label: 'Day', type: 'date', value: '2024-02-29' } })
  await expect(writer.write('tickets', [dated])).rejects.toThrow()
  expect(await writer.write('tickets', [dated])).toMatchObject([{ result: 'written' }])
  expect(twin.account.fields.list(({ label }) => label === 'Day')).toHaveLength(1)
  expect(twin.account.tickets.list().at(-1)?.custom_fields).toMatchObject({ cf_day: '2024-02-29' })
  // The first of two values takes the place of a label that both have, and the other one is reported.
  const twice = withFields('Gold', { other: { label: 'Tier', type: 'option', value: 'Silver' } })
  const [outcome] = await writer.write('tickets', [twice])
  expect(outcome).toMatchObject({ result: 'written', losses: ['custom_value_refused'] })
  expect(twin.account.tickets.list().at(-1)?.custom_fields).toMatchObject({ [String(made?.name)]: 'Gold' })
  const [stored] = await writer.find('tickets', [{ ...soughtOf(twice), destinationId: idIn(outcome) }])
  expect(stored?.customFields).toEqual((await writer.asStored('tickets', twice)).customFields)
  twin.expectNoViolations()
})

test('limits are reported before anything is written: mail, times, replies, files, required fields', async () => {
  const { twin, writer } = await start(cleanup)
  const codes = async () => (await writer.preflight?.())?.map(({ code }) => code)
  const ofArticles = ['article_times', 'article_language', 'article_readers']
  expect(await codes()).toEqual(['notifications', 'times', 'replies', 'file_sizes', ...ofArticles])
  const asking = (await writer.preflight?.())?.filter(({ isFine }) => !isFine)
  expect(asking).toMatchObject([
    { code: 'notifications', isBlocking: false, fix: expect.stringContaining('switch off') },
  ])
  makeField(twin.account, 'ticket', { label: 'Site', type: 'custom_text', required_for_agents: true })
  const other = await (await start(cleanup)).destination.open({
    ...(await start(cleanup)).account,
    access: { username: null, ...twin.access },
  })
  expect((await other.preflight?.())?.at(-1)).toMatchObject({
    code: 'required_fields',
    isFine: false,
    message: expect.stringContaining('Site'),
  })
  const { entities, capabilities } = await writer.describe()
  expect(capabilities).toMatchObject({ backdate: false, silentCreate: false })
  expect([entities.tickets?.sendsMail, entities.comments?.sendsMail]).toEqual([true, true])
})

test('a child ticket gets its parent by a later change, and a parent that Freshdesk ignores is reported', async () => {
  for (const [hasParents, losses] of [
    [true, undefined],
    [false, ['parent_refused']],
  ] as const) {
    const { twin, contact, writer, make } = await start(cleanup, { hasParents })
    const parent = make('Parent')
    const record = outgoing({ subject: 'Child', requester: related('contacts', contact.id) })
    const [made] = await writer.write('tickets', [record])
    const fields = { ...record.fields, parent_ticket: related('tickets', parent.id) }
    const [changed] = await writer.write('tickets', [{ ...record, fields, destinationId: idIn(made) }])
    expect(changed?.result === 'written' && changed.losses).toEqual(losses)
    const [whole] = await writer.write('tickets', [outgoing(fields)])
    expect(whole?.result === 'written' && whole.losses).toEqual(losses)
    expect(twin.account.tickets.list(({ parent_id }) => parent_id !== null)).toHaveLength(hasParents ? 2 : 0)
  }
})

test('a custom field or choice that Freshdesk refuses is asked for once an hour, by all workers together', async () => {
  const { twin, account, contact } = await start(cleanup)
  const sides = keepSides()
  makeField(twin.account, 'ticket', { label: 'Tier', type: 'custom_dropdown', choices: [{ value: 'Gold' }] })
  let asked = 0
  twin.faults.when(({ method, url }) => {
    if (method === 'GET' || !url.pathname.includes('ticket_fields')) return null
    asked += 1
    return { kind: 'answered', status: 400, json: { errors: [{ field: 'label', message: 'too many fields' }] } }
  })
  const write = async () => {
    const customFields = {
      a: { label: 'Plan', type: 'text' as const, value: 'x' },
      b: { label: 'Tier', type: 'option' as const, value: 'Silver' },
    }
    const record = outgoing({ subject: 'One', requester: related('contacts', contact.id) }, { customFields })
    return openFreshdeskWriter({ ...account, sides }).write('tickets', [record])
  }
  for (const _worker of [1, 2, 3]) expect(await write()).toMatchObject([{ losses: ['custom_value_refused'] }])
  expect(asked).toBe(2)
  for (const side of sides.all()) await sides.note({ ...side, version: String(Date.now() - hourMs) })
  await write()
  expect(asked).toBe(4)
})
