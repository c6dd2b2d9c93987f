import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { hourMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { importTicket } from '../../twins/zendesk/import-ticket.ts'
import { saveOrganization } from '../../twins/zendesk/organizations.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { changeAnswers } from '../change-answers.ts'
import { outgoing, startBoth } from './start-both.ts'

// People, organizations and groups in Zendesk: existing ones stay as they are, and an undo keeps those in use.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

/** An answer without the people that it has. */
const forgetPeople = (json: { users: unknown[] }) => {
  json.users = []
}

test('a person whom the search does not find yet is not overwritten', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const known = saveUser(twin.account, { name: 'Known', email: 'new@example.test', notes: 'Mine' })
  const outbound = changeAnswers(account.outbound, '/api/v2/users/search', forgetPeople)
  const writer = await destination.open({ ...account, outbound })
  const record = outgoing({ name: 'Other', emails: ['New@example.test'], notes: 'Theirs' })
  expect(await writer.write('contacts', [record])).toMatchObject([{ result: 'matched', destinationId: known.id }])
  expect(twin.account.users.get(known.id)).toMatchObject({ name: 'Known', notes: 'Mine', external_id: null })
})

test('a person whom the search still shows after their removal is made anew', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const gone = saveUser(twin.account, { name: 'Gone', email: 'gone@example.test' })
  twin.account.users.remove(gone.id, { isKept: true })
  for (const { id } of twin.account.identities.list(({ user_id }) => user_id === idOf(gone)))
    twin.account.identities.remove(id)
  const show = (json: { users: object[] }) => {
    json.users = [{ ...gone, id: idOf(gone), active: true }]
  }
  const outbound = changeAnswers(account.outbound, '/api/v2/users/search', show)
  const writer = await destination.open({ ...account, outbound })
  const [outcome] = await writer.write('contacts', [outgoing({ name: 'Gone', emails: ['gone@example.test'] })])
  expect(outcome).toMatchObject({ result: 'written' })
})

test('an organization that the search still shows after its removal is made anew', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const gone = saveOrganization(twin.account, { name: 'Gone' })
  twin.account.organizations.remove(gone.id)
  const show = (json: { organizations: object[] }) => {
    json.organizations = [{ ...gone, id: idOf(gone) }]
  }
  const outbound = changeAnswers(account.outbound, '/api/v2/organizations/search', show)
  const writer = await destination.open({ ...account, outbound })
  expect(await writer.write('organizations', [outgoing({ name: 'Gone' })])).toMatchObject([{ result: 'written' }])
})

test('an account that validates phone numbers takes a person without a number that it refuses', async () => {
  const { twin, writer } = await startBoth(cleanup, { validatesPhones: true })
  const people = [
    outgoing({ name: 'Rita', emails: ['rita@example.test'], phones: ['030 123456'] }),
    outgoing({ name: 'Sam', emails: ['sam@example.test'], phones: ['+4930123456'] }),
  ]
  const outcomes = await writer.write('contacts', people)
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['phone_refused'] }, { result: 'written' }])
  const phoneOf = (name: string) => twin.account.users.list((one) => one.name === name)[0]?.phone
  expect([phoneOf('Rita'), phoneOf('Sam')]).toEqual([null, '+4930123456'])
  const [, sam] = outcomes
  const destinationId = sam && 'destinationId' in sam ? String(sam.destinationId) : ''
  const later = outgoing({ name: 'Samuel', phones: ['(030) 123456'] }, { destinationId })
  expect(await writer.write('contacts', [later])).toMatchObject([{ result: 'written', losses: ['phone_refused'] }])
  expect(twin.account.users.get(destinationId)).toMatchObject({ name: 'Samuel', phone: '+4930123456' })
})

test('an organization with a domain that Zendesk refuses arrives without domains', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const record = outgoing({ name: 'Acme', domains: ['acme.test', 'not a domain'], notes: 'Kept' })
  expect(await writer.write('organizations', [record])).toMatchObject([
    { result: 'written', losses: ['domain_refused'] },
  ])
  expect(twin.account.organizations.list()).toMatchObject([{ name: 'Acme', domain_names: [], notes: 'Kept' }])
})

test('a changed person keeps the organizations that people added', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const { organizationMemberships: memberships } = twin.account
  const [first, added] = ['First', 'Added'].map((name) => saveOrganization(twin.account, { name }))
  const organization = { entity: 'organizations', key: 'o', destinationId: String(first?.id) }
  const record = outgoing({ name: 'Rita', organization })
  const [made] = await writer.write('contacts', [record])
  const destinationId = made && 'destinationId' in made ? String(made.destinationId) : ''
  const times = { created_at: twin.account.now(), updated_at: twin.account.now() }
  const link = { id: twin.account.nextId(), user_id: Number(destinationId), of_id: Number(added?.id) }
  memberships.put({ ...link, default: false, ...times })
  const later = { ...record, destinationId, fields: { name: 'Rita Later', organization } }
  expect(await writer.write('contacts', [later])).toMatchObject([{ result: 'written' }])
  const namesNow = memberships.list().map(({ of_id }) => of_id)
  expect(namesNow.sort()).toEqual([Number(first?.id), Number(added?.id)].sort())
  // A person who left the organization in the source leaves it here, too.
  await writer.write('contacts', [{ ...later, fields: { name: 'Rita Later' } }])
  expect(twin.account.users.get(destinationId)).toMatchObject({ name: 'Rita Later', organization_id: null })
})

test('a person whose first request took effect late is one person', async () => {
  const { twin, account, destination, writer } = await startBoth(cleanup)
  const record = outgoing({ name: 'Rita', emails: ['rita@example.test'] })
  const [first] = await writer.write('contacts', [record])
  // The second request looks for it before the first one has taken effect.
  const unseen = changeAnswers(account.outbound, '/api/v2/users/show_many', forgetPeople)
  const outbound = changeAnswers(unseen, '/api/v2/users/search', forgetPeople)
  const again = await destination.open({ ...account, outbound })
  const id = first && 'destinationId' in first ? first.destinationId : ''
  expect(await again.write('contacts', [record])).toMatchObject([{ result: 'written', destinationId: id }])
  expect(twin.account.users.list(({ name }) => name === 'Rita')).toHaveLength(1)
})

test('an organization that somebody made since the search is used', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const known = saveOrganization(twin.account, { name: 'Acme' })
  let searches = 0
  const outbound = changeAnswers(account.outbound, '/api/v2/organizations/search', (json) => {
    if (++searches === 1) json.organizations = []
  })
  const writer = await destination.open({ ...account, outbound })
  expect(await writer.write('organizations', [outgoing({ name: 'Acme' })])).toMatchObject([
    { result: 'matched', destinationId: known.id },
  ])
})

test('an undo keeps a group that other tickets are in, and removes one whose tickets were deleted', async () => {
  const { twin, clock, writer } = await startBoth(cleanup)
  const { account, staff } = twin
  const removals = []
  for (const name of ['Used', 'Left', 'Moved']) {
    const record = outgoing({ name, agents: [staff.anna.id] })
    const [made] = await writer.write('groups', [record])
    if (made?.result !== 'written') throw new Error('no group')
    removals.push({ key: record.key, parent: null, destinationId: String(made.destinationId), version: made.version })
  }
  const [, left, moved] = removals.map(({ destinationId: group }) => {
    const body = { subject: 'Ours', requester_id: idOf(staff.anna), group_id: Number(group) }
    return importTicket(account, { ...body, comments: [{ html_body: '<p>x</p>' }] }, staff.admin)
  })
  clock.advance(hourMs)
  // The search index still has both.
  account.tickets.remove(String(left?.id), { isKept: true })
  account.tickets.change(String(moved?.id), { group_id: idOf(staff.support) })
  expect(await writer.remove('groups', removals)).toMatchObject([
    { result: 'kept', message: 'Tickets of this account are in it.' },
    { result: 'removed' },
    { result: 'removed' },
  ])
})

test("a time zone arrives under Zendesk's own name, and a lost one becomes that of the account", async () => {
  const { twin, writer } = await startBoth(cleanup)
  const record = outgoing({ name: 'Rita', timezone: 'Europe/Berlin' })
  const [made] = await writer.write('contacts', [record])
  const destinationId = made && 'destinationId' in made ? String(made.destinationId) : ''
  const [person] = twin.account.users.list(({ name }) => name === 'Rita')
  expect(person).toMatchObject({ time_zone: 'Berlin' })
  const without = { ...outgoing({ name: 'Rita' }), key: record.key, destinationId }
  const sent: [OutgoingRecord, string][] = [
    [{ ...record, destinationId }, 'Berlin'],
    [without, 'Eastern Time (US & Canada)'],
  ]
  for (const [one, zone] of sent) {
    await writer.write('contacts', [one])
    expect(twin.account.users.get(destinationId)).toMatchObject({ time_zone: zone })
    const [found] = await writer.find('contacts', [{ key: record.key, destinationId, parent: null }])
    expect(found?.fields.timezone ?? null).toEqual((await writer.asStored('contacts', one)).fields.timezone ?? null)
  }
})

test('two imports into one account at once share custom fields and their options', async () => {
  const { twin, account, destination, writer } = await startBoth(cleanup)
  const other = await destination.open(account)
  const colour = (value: string) => ({ customFields: { c: { label: 'Colour', type: 'option' as const, value } } })
  const send = async (to: typeof writer, value: string) => {
    for (const entity of ['contacts', 'organizations']) {
      const [made] = await to.write(entity, [outgoing({ name: `${entity} ${value}` }, colour(value))])
      expect(made).toMatchObject({ result: 'written' })
    }
    expect(await to.write('tickets', [outgoing({ subject: value }, colour(value))])).toMatchObject([
      { result: 'written' },
    ])
  }
  // Both have read the lists of fields before either makes one.
  for (const one of [writer, other]) await one.find('contacts', [{ key: 'k', destinationId: '1', parent: null }])
  await send(writer, 'Red')
  await send(other, 'Blue')
  await send(writer, 'Green')
  const made = twin.account.fields.list(({ title }) => title === 'Colour')
  expect(made.map(({ of }) => of).sort()).toEqual(['organization', 'ticket', 'user'])
  for (const { options } of made) expect(options.map(({ name }) => name)).toEqual(['Red', 'Blue', 'Green'])
  twin.expectNoViolations()
})

test('a change that breaks off while it adds an address leaves the person as written, and not as edited', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const record = outgoing({ name: 'Rita', emails: ['rita@example.test'] })
  const [made] = await writer.write('contacts', [record])
  const destinationId = made && 'destinationId' in made ? String(made.destinationId) : ''
  const sought = [{ key: record.key, destinationId, parent: null }]
  const [before] = await writer.find('contacts', sought)
  const emails = ['new@example.test', 'rita@example.test', 'third@example.test']
  const changed = { ...record, destinationId, fields: { name: 'Rita Maier', emails } }
  twin.faults.next('POST', `/api/v2/users/${destinationId}/identities`, { kind: 'lost' })
  await expect(writer.write('contacts', [changed])).rejects.toThrow()
  const [half] = await writer.find('contacts', sought)
  expect(half?.version).toBe(before?.version)
  expect(await writer.write('contacts', [changed])).toMatchObject([{ result: 'written' }])
  const [whole] = await writer.find('contacts', sought)
  expect(whole?.fields.emails).toEqual((await writer.asStored('contacts', changed)).fields.emails)
  expect(twin.account.users.get(destinationId)).toMatchObject({ name: 'Rita Maier', email: 'new@example.test' })
})
