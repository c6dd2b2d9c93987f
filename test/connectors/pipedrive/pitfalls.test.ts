import { expect, test } from 'vitest'
import type { OutgoingFile, OutgoingRecord, Reader } from '../../../service/src/connectors/contract/contract.ts'
import { openPipedrive } from '../../../service/src/connectors/crm/pipedrive/reader.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import { makeField } from '../../twins/pipedrive/fields.ts'
import { makeFile } from '../../twins/pipedrive/files.ts'
import { makeNote } from '../../twins/pipedrive/notes.ts'
import { makeThing } from '../../twins/pipedrive/records.ts'
import { readAll } from '../reader-contract.ts'
import { fileOf, outcomeId } from './outgoing.ts'
import { openTwinBench } from './twin-bench.ts'

// Peculiarities of Pipedrive, each tested against its twin.

const bench = openTwinBench()
const { accountOf, start, writer } = bench
const reader = (pageSize = 500): Reader => openPipedrive(accountOf(), pageSize)
let made = 0
const record = (fields: OutgoingRecord['fields'], more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: `imp/${++made}`,
  revision: made,
  destinationId: null,
  createdBy: null,
  customFields: {},
  createdAt: '2020-01-02T03:04:05.000Z',
  updatedAt: null,
  fields,
  ...more,
})
const seenAt = (path: string) => bench.twin.seen.filter((request) => request.endsWith(path)).length
const soughtOf = ({ key }: OutgoingRecord, parent: { entity: string; destinationId: string } | null = null) => ({
  key,
  destinationId: null,
  parent,
})
const write = async (entity: string, one: OutgoingRecord) => outcomeId((await writer().write(entity, [one]))[0])
const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })
const fieldsNamed = (kind: 'persons' | 'deals', name: string) =>
  bench.twin.account.fields[kind].filter((field) => field.name === name)

test('our field is created once in an account, and has another key in every account', async () => {
  await write('contacts', record({ name: 'Ada' }))
  await write('contacts', record({ name: 'Bo' }))
  const [first, ...more] = fieldsNamed('persons', 'Wherry key')
  expect([first?.type, more]).toEqual(['varchar', []])
  await start()
  await write('contacts', record({ name: 'Cy' }))
  expect(fieldsNamed('persons', 'Wherry key')[0]?.code).not.toBe(first?.code)
})

test('our field is found after a lost answer, and not created again', async () => {
  bench.twin.faults.next('POST', '/api/v2/personFields', { kind: 'lost' })
  const ada = record({ name: 'Ada' })
  await expect(writer().write('contacts', [ada])).rejects.toThrow(RetryableError)
  await write('contacts', ada)
  expect(fieldsNamed('persons', 'Wherry key')).toHaveLength(1)
})

test('the creation time of a deal cannot be set: that is declared, and the date is kept in another field', async () => {
  const { entities, capabilities } = await writer().describe()
  const keeps = Object.fromEntries(Object.entries(entities).map(([name, one]) => [name, one.capabilities?.backdate]))
  expect(keeps).toMatchObject({ accounts: true, contacts: true, notes: true, deals: false, activities: false })
  expect(capabilities.backdate).toBe(false)
  await write('deals', record({ name: 'Boat' }))
  await write('accounts', record({ name: 'Old' }))
  const [deal] = bench.twin.account.deals.list()
  const [code = ''] = fieldsNamed('deals', 'Wherry created').map((field) => field.code)
  expect([deal?.body.add_time, deal?.custom[code]]).toEqual(['2026-01-02T03:04:05Z', '2020-01-02T03:04:05.000Z'])
  expect(bench.twin.account.organizations.list()[0]?.body.add_time).toBe('2020-01-02T03:04:05Z')
})

test('participants of a meeting get no invitation', async () => {
  const ada = await write('contacts', record({ name: 'Ada', emails: [{ address: 'ada@example.com' }] }))
  const related = to('contacts', ada)
  const times = { started_at: '2026-03-04T05:06:00.000Z', ended_at: '2026-03-04T06:36:00.000Z' }
  const meeting = record({ type: 'meeting', subject: 'Meet', related, ...times })
  await write('activities', meeting)
  const [activity] = bench.twin.account.activities.list()
  expect(activity?.body).toMatchObject({ due_date: '2026-03-04', due_time: '05:06:00', duration: '01:30:00' })
  expect(activity?.body).toMatchObject({ participants: [{ person_id: Number(ada), primary: true }] })
  expect(bench.twin.account.invitations).toBe(0)
  const [found] = await writer().find('activities', [soughtOf(meeting, related)])
  expect(found?.fields).toMatchObject(times)
})

test('an activity without a subject is found as it was sent, though Pipedrive shows the name of its type', async () => {
  const call = record({ type: 'call', body: 'Rang' })
  const destinationId = await write('activities', call)
  const [found] = await writer().find('activities', [{ key: call.key, destinationId, parent: null }])
  expect(found?.fields.subject).toBe('Call')
  expect(found?.fields).toEqual((await writer().asStored('activities', call)).fields)
})

test('a person loses the title, the birthday, the notes and the organization that the source no longer has', async () => {
  const accounts = [to('accounts', await write('accounts', record({ name: 'Acme' })))]
  const own = { title: 'Head', birthday: '1990-02-03', description: 'Tall', accounts }
  const ada = record({ name: 'Ada', emails: ['ada@example.com'], ...own })
  const destinationId = await write('contacts', ada)
  const bare = { ...ada, destinationId, fields: { name: 'Ada' } }
  expect((await writer().write('contacts', [bare]))[0]).toMatchObject({ result: 'written' })
  const [found] = await writer().find('contacts', [{ key: ada.key, destinationId, parent: null }])
  expect(found?.fields).toEqual((await writer().asStored('contacts', bare)).fields)
  expect(found?.fields).toMatchObject({ title: null, birthday: null, description: null, accounts: null })
})

test('a note without a time of creation is changed, and keeps the time that Pipedrive gave it', async () => {
  const related = to('contacts', await write('contacts', record({ name: 'Ada' })))
  const note = record({ body: '<p>One</p>', related }, { createdAt: null })
  const destinationId = await write('notes', note)
  const changed = { ...note, destinationId, fields: { related, body: '<p>Two</p>' } }
  expect((await writer().write('notes', [changed]))[0]).toMatchObject({ result: 'written' })
  const [found] = await writer().find('notes', [{ key: note.key, destinationId, parent: null }])
  expect(found?.fields).toEqual((await writer().asStored('notes', changed)).fields)
})

test('a time that an activity has no field for is reported as lost', async () => {
  const times = {
    owner: String(bench.twin.users.mia.id),
    started_at: '2026-03-04T05:06:00.000Z',
    due_at: '2026-03-09T00:00:00.000Z',
  }
  const [outcome] = await writer().write('activities', [record({ type: 'call', subject: 'Ring', ...times })])
  expect(outcome).toMatchObject({ result: 'written', losses: ['moment_not_kept'] })
})

test('archived deals are read, and deleted ones are not', async () => {
  const [open, archived, deleted] = ['a', 'b', 'c'].map((title) => makeThing(bench.twin.account, 'deals', { title }))
  bench.twin.account.deals.change(archived?.id ?? '', { body: { ...archived?.body, is_archived: true } })
  await writer().remove('deals', [{ key: 'k', destinationId: String(deleted?.id), version: null, parent: null }])
  const read = await readAll((cursor) => reader().read('deals', cursor, {}))
  expect(read.map(({ sourceId }) => sourceId)).toEqual([open?.id, archived?.id])
  expect(read.map(({ customFields }) => customFields?.is_archived?.value)).toEqual([false, true])
  const ids = [open, archived, deleted].map((deal) => String(deal?.id))
  expect(await reader().findIds?.('deals', ids)).toEqual(ids.slice(0, 2))
  expect(await reader().findGone?.('deals', ids)).toEqual(ids.slice(2))
})

test.each([true, false])(
  'an undo marks records as deleted, whether deleted records are shown: %s',
  async (showsDeleted) => {
    await start({ showsDeleted })
    const ada = await write('contacts', record({ name: 'Ada' }))
    const removable = { key: 'k', destinationId: ada, version: null, parent: null }
    expect(await writer().remove('contacts', [removable])).toMatchObject([{ result: 'removed' }])
    expect(bench.twin.account.persons.get(ada)?.deletedAt).not.toBeNull()
    expect(await writer().find('contacts', [removable])).toEqual([])
    expect(await reader().findGone?.('contacts', [ada])).toEqual([ada])
    expect(await writer().remove('contacts', [removable])).toMatchObject([{ result: 'missing' }])
  },
)

test('a note whose answer was lost is found at its deal, though its HTML was changed', async () => {
  const deal = await write('deals', record({ name: 'Boat' }))
  const related = to('deals', deal)
  const body = '<p class="x">One<!-- secret --> &quot;two&quot;<br/></p><script>alert(1)</script>'
  const note = record({ related, body })
  bench.twin.faults.next('POST', '/api/v1/notes', { kind: 'lost' })
  await expect(writer().write('notes', [note])).rejects.toThrow(RetryableError)
  const other = record({ related, body })
  const [found, ...more] = await writer().find('notes', [soughtOf(note, related), soughtOf(other, related)])
  expect([found?.key, more]).toEqual([note.key, []])
  expect(found?.fields).toEqual((await writer().asStored('notes', note)).fields)
  expect(bench.twin.account.notes.list()[0]?.body.content).not.toContain('secret')
  const [read] = (await reader().read('notes', null, {})).items
  expect(read?.fields.body).toEqual({ format: 'html', body: '<p>One &quot;two&quot;<br></p>' })
})

test('where Pipedrive removes our marker from a text, no record that could be duplicated is written', async () => {
  await start({ stripsInvisible: true })
  const related = to('deals', await write('deals', record({ name: 'Boat' })))
  const failed = writer().write('notes', [record({ related, body: '<p>x</p>' })])
  await expect(failed).rejects.toMatchObject({ code: 'marker_missing' })
  expect(bench.twin.account.notes.list(({ deletedAt }) => deletedAt === null)).toEqual([])
})

test('a new record is found at once, though the search does not have it yet', async () => {
  const ada = record({ name: 'Ada' })
  bench.twin.faults.next('POST', '/api/v2/persons', { kind: 'lost' })
  await expect(writer().write('contacts', [ada])).rejects.toThrow(RetryableError)
  expect(await writer().find('contacts', [soughtOf(ada)])).toMatchObject([{ key: ada.key }])
  expect(seenAt('/itemSearch/field')).toBe(0)
})

test.each(['plain', 'scored'] as const)(
  'an old record among many is found by the search (%s)',
  async (searchAnswers) => {
    await start({ searchAnswers })
    const ada = record({ name: 'Ada' })
    const id = await write('contacts', ada)
    for (let at = 0; at < 2_001; at += 1) makeThing(bench.twin.account, 'persons', { name: `Other ${at}` })
    bench.twin.clock.advance(60_000)
    expect(await writer().find('contacts', [soughtOf(ada)])).toMatchObject([{ key: ada.key, destinationId: id }])
    expect(seenAt('/itemSearch/field')).toBe(1)
  },
)

test('custom fields of every type get their own field, with choices by their numbers', async () => {
  const company = await write('accounts', record({ name: 'One' }))
  const customFields: OutgoingRecord['customFields'] = {
    size: { label: 'Größe', type: 'decimal', value: 38.5 },
    rank: { label: 'Rank', type: 'option', value: 'Captain' },
    likes: { label: 'Likes', type: 'option', value: ['Tea', 'Rum'] },
    is_vip: { label: 'VIP', type: 'boolean', value: true },
    born: { label: 'Born', type: 'date', value: '2001-02-03' },
    seen_at: { label: 'Seen', type: 'datetime', value: '2026-02-03T04:05:06.000Z' },
    budget: { label: 'Budget', type: 'money', value: { amount: '12.50', currency: 'GBP' } },
    gold: { label: 'Gold', type: 'money', value: { amount: '3', currency: 'XAU' } },
    long: { label: 'Long', type: 'text', value: 'x'.repeat(300) },
    home: { label: 'Home', type: 'address', value: { line1: '1 Quay', city: 'Cork' } },
    boss: { label: 'Boss', type: 'relation', value: to('accounts', company) },
    agent: { label: 'Agent', type: 'user', value: String(bench.twin.users.otto.id) },
    boats: { label: 'Boats', type: 'relation', value: [to('accounts', company)] },
    boat: { label: 'First boat', type: 'relation', value: to('deals', '77') },
    crew: {
      label: 'Crew',
      type: 'user',
      value: [bench.twin.users.otto, bench.twin.users.mia].map(({ id }) => String(id)),
    },
    // Two fields with one name stay two.
    other: { label: 'Rank', type: 'text', value: 'second' },
  }
  const ada = record({ name: 'Ada' }, { customFields })
  const id = await write('contacts', ada)
  const types = Object.fromEntries(
    bench.twin.account.fields.persons.filter(({ isCustom }) => isCustom).map(({ name, type }) => [name, type]),
  )
  expect(types).toMatchObject({ Rank: 'enum', Likes: 'set', Budget: 'monetary', Gold: 'varchar', Long: 'text' })
  expect(types).toMatchObject({
    Home: 'address',
    Boss: 'org',
    Agent: 'user',
    Born: 'date',
    'Rank (varchar)': 'varchar',
  })
  const [found] = await writer().find('contacts', [soughtOf(ada)])
  expect(found?.customFields).toEqual((await writer().asStored('contacts', ada)).customFields)
  const kept = (name: string) => bench.twin.account.persons.get(id)?.custom[fieldsNamed('persons', name)[0]?.code ?? '']
  expect([kept('Boats'), kept('First boat'), kept('Crew')]).toEqual([
    `https://rake-sandbox.pipedrive.com/organization/${company}`,
    'https://rake-sandbox.pipedrive.com/deal/77',
    'Otto\nMia',
  ])
  const [rank] = fieldsNamed('persons', 'Rank')
  expect(bench.twin.account.persons.get(id)?.custom[rank?.code ?? '']).toBe(rank?.options?.[0]?.id)
  // A new choice is added, and a field that the source no longer has is emptied.
  const mate = { rank: { label: 'Rank', type: 'option' as const, value: 'Mate' } }
  await write('contacts', { ...ada, customFields: mate, destinationId: id })
  expect(rank?.options?.map(({ label }) => label)).toEqual(['Captain', 'Mate'])
  expect(bench.twin.account.persons.get(id)?.custom[fieldsNamed('persons', 'Likes')[0]?.code ?? '']).toBeNull()
})

test('money of custom fields and of deals is read with its currency, and choices by their names', async () => {
  const { account } = bench.twin
  const budget = makeField(account, 'deals', 'Budget', 'monetary')
  const choice = makeField(account, 'deals', 'Choice', 'set', ['One', 'Two'])
  const custom_fields = { [budget.code]: { value: 12.5, currency: 'GBP' }, [choice.code]: [choice.options?.[1]?.id] }
  makeThing(account, 'deals', { title: 'Boat', value: 99.5, currency: 'USD', custom_fields })
  const [deal] = (await reader().read('deals', null, {})).items
  expect(deal?.fields.value).toEqual({ amount: '99.5', currency: 'USD' })
  expect(deal?.customFields?.[budget.code]?.value).toEqual({ amount: '12.5', currency: 'GBP' })
  expect(deal?.customFields?.[choice.code]).toMatchObject({ many: true, value: ['Two'], options: ['One', 'Two'] })
  expect((await writer().describe()).entities.deals?.fields.value?.currencies).toContain('JPY')
})

test('all participants of a deal are read', async () => {
  const [ada, bo] = ['Ada', 'Bo'].map((name) => makeThing(bench.twin.account, 'persons', { name }))
  const deal = makeThing(bench.twin.account, 'deals', { title: 'Boat', person_id: Number(ada?.id) })
  const body = { deal_id: Number(deal.id), person_id: Number(bo?.id), add_time: bench.twin.account.now() }
  bench.twin.account.participants.put({
    id: bench.twin.account.nextId('participants'),
    body,
    custom: {},
    deletedAt: null,
  })
  const [read] = (await reader().read('deals', null, {})).items
  expect(read?.fields.contacts).toEqual([ada, bo].map((one) => ({ entity: 'contacts', sourceId: one?.id })))
})

test('participants of a deal without a person are read', async () => {
  const bo = makeThing(bench.twin.account, 'persons', { name: 'Bo' })
  const deal = makeThing(bench.twin.account, 'deals', { title: 'Boat' })
  const body = { deal_id: Number(deal.id), person_id: Number(bo.id), add_time: bench.twin.account.now() }
  bench.twin.account.participants.put({
    id: bench.twin.account.nextId('participants'),
    body,
    custom: {},
    deletedAt: null,
  })
  const [read] = (await reader().read('deals', null, {})).items
  expect(read?.fields.contacts).toEqual([{ entity: 'contacts', sourceId: bo.id }])
})

test('the primary address of a person is marked, and the primary number comes first', async () => {
  const ways = (...values: string[]) => values.map((value, at) => ({ value, primary: at === 1, label: 'work' }))
  const [emails, phones] = [ways('old@example.com', 'new@example.com'), ways('+1', '+2')]
  makeThing(bench.twin.account, 'persons', { name: 'Bo', emails, phones })
  const [read] = (await reader().read('contacts', null, {})).items
  expect(read?.fields.emails).toMatchObject([{}, { address: 'new@example.com', isPrimary: true }])
  expect(read?.fields.phones).toMatchObject([{ number: '+2' }, { number: '+1' }])
})

test('a delta is complete when many records changed in one second, and requests whole seconds', async () => {
  for (let at = 0; at < 23; at += 1) makeThing(bench.twin.account, 'organizations', { name: `Company ${at}` })
  bench.twin.clock.advance(60_000)
  makeThing(bench.twin.account, 'organizations', { name: 'Later' })
  const changed = await readAll((cursor) => reader(4).read('accounts', cursor, { since: '2026-01-02T03:04:05.000Z' }))
  expect(new Set(changed.map(({ sourceId }) => sourceId)).size).toBe(24)
  const later = await readAll((cursor) => reader(4).read('accounts', cursor, { since: '2026-01-02T03:04:06.789Z' }))
  expect(later.map(({ fields }) => fields.name)).toEqual(['Later'])
})

test('paging by offset loses no note or file when others are deleted meanwhile', async () => {
  const { account } = bench.twin
  const deal_id = Number(makeThing(account, 'deals', { title: 'Boat' }).id)
  const notes = Array.from({ length: 9 }, (_, at) => makeNote(account, { content: `<p>${at}</p>`, deal_id }))
  const files = Array.from({ length: 9 }, (_, at) => makeFile(account, `${at}.txt`, Buffer.from('x'), { deal_id }))
  for (const [entity, store, all] of [
    ['notes', account.notes, notes],
    ['attachments', account.files, files],
  ] as const) {
    const first = await reader(4).read(entity, null, {})
    expect(first.items).toHaveLength(4)
    store.change(all[1]?.id ?? '', { deletedAt: bench.twin.clock.now() })
    const rest = await readAll((cursor) => reader(4).read(entity, cursor ?? first.next, {}))
    expect(rest.map(({ sourceId }) => sourceId)).toEqual(all.slice(4).map(({ id }) => id))
  }
})

test('a file comes from another host, which never gets our token', async () => {
  const deal_id = Number(makeThing(bench.twin.account, 'deals', { title: 'Boat' }).id)
  makeFile(bench.twin.account, 'plan.txt', Buffer.from('the plan'), { deal_id })
  const [file] = (await reader().read('attachments', null, {})).items
  if (!file) throw new Error('no file')
  const { body } = await reader().openFile(file)
  expect(Buffer.concat(await body.toArray()).toString()).toBe('the plan')
  // The file host records a token as a violation, which fails this test.
  bench.twin.expectNoViolations()
})

test('a file of a note is attached to its deal, and is found by its key before and after it gets its name', async () => {
  const deal = await write('deals', record({ name: 'Boat' }))
  const note = await write('notes', record({ related: to('deals', deal), body: 'x' }))
  const parent = { entity: 'notes', destinationId: note }
  const file: OutgoingFile = fileOf(record({ parent: to('notes', note), file_name: 'plan.pdf' }), 'the plan')
  bench.twin.faults.next('PUT', '/api/v1/files', { kind: 'dropped' })
  await expect(writer().writeFile('attachments', file)).rejects.toThrow(RetryableError)
  for (const again of [false, true]) {
    const [found, ...more] = await writer().find('attachments', [soughtOf(file, parent)])
    expect([found?.fields, found?.fileSize, more]).toEqual([
      { file_name: 'plan.pdf', parent: `deals ${deal}`, description: null },
      8,
      [],
    ])
    if (!again) await writer().writeFile('attachments', { ...file, destinationId: found?.destinationId ?? null })
  }
  expect(bench.twin.account.files.list().map(({ body }) => [body.name, body.deal_id])).toEqual([
    ['plan.pdf', Number(deal)],
  ])
})
