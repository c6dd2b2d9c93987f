import { afterEach, expect, test } from 'vitest'
import type { Leftover } from '../../../service/src/connectors/contract/contract.ts'
import { createClock, hourMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { importTicket } from '../../twins/zendesk/import-ticket.ts'
import { saveOrganization } from '../../twins/zendesk/organizations.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { changeAnswers } from '../change-answers.ts'
import { readAll } from '../reader-contract.ts'
import { outgoing, startBoth } from './start-both.ts'

// Peculiarities of Zendesk as a destination of people, organizations and tickets.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const isFilled = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0)
const filled = (fields: object = {}) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isFilled(value)))
const relation = (entity: string, id: string) => ({ entity, key: `seed/${id}`, destinationId: id })

test('a further address of an existing person counts as theirs, and the person stays unchanged', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const identities = [{ type: 'email', value: 'second@example.test' }]
  const known = saveUser(twin.account, { name: 'Known', email: 'first@example.test', notes: 'Mine', identities })
  const [outcome] = await writer.write('contacts', [outgoing({ name: 'Other', emails: ['Second@example.test'] })])
  expect(outcome).toMatchObject({ result: 'matched', destinationId: known.id })
  expect(twin.account.users.get(known.id)).toMatchObject({ name: 'Known', notes: 'Mine', external_id: null })
})

test('a further address that another person has is left out, and the first one stays', async () => {
  const { twin, writer } = await startBoth(cleanup)
  saveUser(twin.account, { name: 'Known', email: 'taken@example.test', skip_verify_email: true })
  const emails = ['own@example.test', 'taken@example.test']
  const [outcome] = await writer.write('contacts', [outgoing({ name: 'New', emails })])
  expect(outcome).toMatchObject({ result: 'written', losses: ['address_refused'] })
  expect(twin.account.users.list(({ name }) => name === 'New')).toMatchObject([{ email: 'own@example.test' }])
  expect(twin.account.mails).toEqual([])
})

test('tickets of a suspended person arrive, and the person is suspended again, also after a crash', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const left: Leftover[] = []
  const leftovers = {
    note: async (...items: Leftover[]) => void left.push(...items),
    forget: async (...items: Leftover[]) =>
      void left.splice(0, left.length, ...left.filter((one) => !items.includes(one))),
  }
  const writer = await destination.open({ ...account, leftovers })
  const [made] = await writer.write('contacts', [
    outgoing({ name: 'Spam', emails: ['spam@example.test'], is_suspended: true }),
  ])
  const id = made && 'destinationId' in made ? String(made.destinationId) : ''
  const ticket = () => outgoing({ subject: 'One', requester: relation('contacts', id) })
  expect(await writer.write('tickets', [ticket(), ticket()])).toMatchObject([
    { result: 'written' },
    { result: 'written' },
  ])
  expect(twin.account.users.get(id)).toMatchObject({ suspended: true })
  expect(left).toEqual([])
  // The second change of the person is lost.
  let changes = 0
  const stop = twin.faults.when(({ method, url }) => {
    const isChange = method === 'PUT' && url.pathname.startsWith('/api/v2/users/')
    return isChange && ++changes === 2 ? { kind: 'dropped' } : null
  })
  expect(await writer.write('tickets', [ticket()])).toMatchObject([{ result: 'written' }])
  stop()
  expect(twin.account.users.get(id)).toMatchObject({ suspended: false })
  expect(await writer.restore?.(left)).toEqual(left)
  expect(twin.account.users.get(id)).toMatchObject({ suspended: true })
  // Somebody whom the account had before stays as they are.
  const own = saveUser(twin.account, { name: 'Own', email: 'own@example.test', suspended: true })
  const theirs = outgoing({ subject: 'Two', requester: relation('contacts', own.id) })
  expect(await writer.write('tickets', [theirs])).toMatchObject([{ result: 'refused' }])
})

test('an undo keeps people whom other tickets copy, and organizations of other people', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const { account, staff } = twin
  const records = [
    { entity: 'contacts', record: outgoing({ name: 'Copied', emails: ['copied@example.test'] }) },
    { entity: 'contacts', record: outgoing({ name: 'Free', emails: ['free@example.test'] }) },
    { entity: 'organizations', record: outgoing({ name: 'Shared' }) },
    { entity: 'organizations', record: outgoing({ name: 'Empty' }) },
  ]
  const removals = []
  for (const { entity, record } of records) {
    const [made] = await writer.write(entity, [record])
    if (made?.result !== 'written') throw new Error(`${entity} was not written`)
    removals.push({
      entity,
      key: record.key,
      parent: null,
      destinationId: String(made.destinationId),
      version: made.version ?? null,
    })
  }
  const [copied, , shared] = removals.map(({ destinationId }) => Number(destinationId))
  const ccs = { email_ccs: [{ user_id: Number(copied) }], requester_id: idOf(staff.anna) }
  importTicket(account, { subject: 'Ours', ...ccs, comments: [{ html_body: '<p>x</p>' }] }, staff.admin)
  saveUser(account, { name: 'Own', email: 'own@example.test', organization_id: Number(shared) })
  const results = []
  for (const { entity, ...one } of removals) results.push(...(await writer.remove(entity, [one])))
  expect(results).toMatchObject([
    { result: 'kept', message: 'Tickets of this account name them.' },
    { result: 'removed' },
    { result: 'kept', message: 'People of this account belong to it.' },
    { result: 'removed' },
  ])
})

test('values that the source has lost are cleared in copies of people, organizations and tickets', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const customFields = {
    a: { label: 'Colour', type: 'option' as const, value: 'Red' },
    b: { label: 'Sizes', type: 'option' as const, value: ['S', 'M'] },
    c: { label: 'Fragile', type: 'boolean' as const, value: true },
    d: { label: 'Story', type: 'text' as const, value: 'Long' },
  }
  const anna = String(idOf(twin.staff.anna))
  const full: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['organizations', { name: 'Acme' }, { domains: ['acme.example'], description: 'Street 1', notes: 'Late' }],
    ['contacts', { name: 'Rita' }, { phones: ['+491'], notes: 'Nice' }],
    ['tickets', { subject: 'One', status: 'open' }, { type: 'task', priority: 'high', assignee: anna, tags: ['a'] }],
  ]
  for (const [entity, base, more] of full) {
    const record = outgoing({ ...base, ...more }, { customFields })
    const [made] = await writer.write(entity, [record])
    const destinationId = made && 'destinationId' in made ? String(made.destinationId) : ''
    const empty = { ...outgoing(base), key: record.key, destinationId }
    expect(await writer.write(entity, [empty])).toMatchObject([{ result: 'written' }])
    const [found] = await writer.find(entity, [{ key: record.key, destinationId, parent: null }])
    const wanted = await writer.asStored(entity, empty)
    expect(filled(found?.fields)).toEqual(filled(wanted.fields))
    expect(filled(found?.customFields)).toEqual(filled(wanted.customFields))
  }
  expect(twin.account.tickets.list()).toMatchObject([{ type: null, priority: null, assignee_id: null, tags: [] }])
})

test('a ticket that gets another organization than its own arrives, and the loss is reported', async () => {
  const { twin, account, destination } = await startBoth(cleanup)
  const [own, other] = ['Own', 'Other'].map((name) => saveOrganization(twin.account, { name }))
  const person = saveUser(twin.account, { name: 'Rita', email: 'rita@example.test', organization_id: Number(own?.id) })
  const fields = {
    ...{ subject: 'One', requester: relation('contacts', person.id) },
    organization: relation('organizations', String(other?.id)),
  }
  const refusing = await destination.open(account)
  expect(await refusing.write('tickets', [outgoing(fields)])).toMatchObject([{ losses: ['relation_refused'] }])
  // Zendesk may also take the requester's organization without a word.
  const quiet = changeAnswers(account.outbound, '/api/v2/imports/tickets', ({ ticket }) => {
    ticket.organization_id = Number(own?.id)
  })
  const belongs = { ...fields, organization: relation('organizations', String(own?.id)) }
  const writer = await destination.open({ ...account, outbound: quiet })
  expect((await writer.write('tickets', [outgoing(belongs)]))[0]).not.toHaveProperty('losses')
  twin.account.organizationMemberships.put({
    ...{ id: '7', user_id: Number(person.id), of_id: Number(other?.id), default: false },
    ...{ created_at: twin.account.now(), updated_at: twin.account.now() },
  })
  expect(await writer.write('tickets', [outgoing(fields)])).toMatchObject([{ losses: ['relation_refused'] }])
})

test('two fields with the same title are two fields, and their values stay apart', async () => {
  const { twin, clock, reader, writer } = await startBoth(cleanup, {}, createClock())
  const { account, staff } = twin
  const words = { description: '', key: null, tag: null, options: [], required: false, removable: true }
  const times = { created_at: account.now(), updated_at: account.now() }
  const ids = [false, true, true].map((active) => {
    const id = account.nextId()
    account.fields.put({ id, of: 'ticket', type: 'text', title: 'Order', active, ...words, ...times })
    return Number(id)
  })
  const [off, first, second] = ids
  const values = [first, second].map((id, at) => ({ id: Number(id), value: ['A-1', 'B-2'][at] }))
  const body = { subject: 'One', requester_id: idOf(staff.anna), custom_fields: values }
  importTicket(account, { ...body, comments: [{ html_body: '<p>x</p>' }] }, staff.admin)
  clock.advance(hourMs)
  const fields = await reader.customFields('tickets')
  expect(fields.filter(({ type }) => type === 'text').map(({ key, label }) => [key, label])).toEqual(
    expect.arrayContaining([
      [String(first), `Order (${first})`],
      [String(second), `Order (${second})`],
      [String(off), `Order (${off})`],
    ]),
  )
  const [ticket] = await readAll((cursor) => reader.read('tickets', cursor, {}))
  const copy = outgoing({ subject: 'Copy' }, { customFields: ticket?.customFields ?? {} })
  expect(await writer.write('tickets', [copy])).toMatchObject([{ result: 'written' }])
  const [copied] = account.tickets.list(({ subject }) => subject === 'Copy')
  expect(Object.values(copied?.values ?? {}).filter(Boolean)).toEqual(['A-1', 'B-2'])
})

test("the account's own ids of records are read as fields; our keys of an earlier import are not", async () => {
  const { twin, clock, reader } = await startBoth(cleanup)
  const { account } = twin
  saveUser(account, { name: 'Rita', email: 'rita@example.test', external_id: 'crm-7' })
  saveUser(account, { name: 'Sam', email: 'sam@example.test', external_id: `wherry_${'0'.repeat(32)}` })
  saveOrganization(account, { name: 'Acme', external_id: 'erp-8' })
  clock.advance(hourMs)
  const read = async (entity: string) => readAll((cursor) => reader.read(entity, cursor, {}))
  const idOfName = async (entity: string, name: string) =>
    (await read(entity)).find(({ fields }) => fields.name === name)?.customFields?.external_id?.value ?? null
  expect(await idOfName('contacts', 'Rita')).toBe('crm-7')
  expect(await idOfName('contacts', 'Sam')).toBeNull()
  expect(await idOfName('organizations', 'Acme')).toBe('erp-8')
})
