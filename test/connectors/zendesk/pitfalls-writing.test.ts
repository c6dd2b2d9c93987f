import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { Leftover } from '../../../service/src/connectors/contract/contract.ts'
import { createClock, hourMs } from '../../twins/clock.ts'
import { idOf } from '../../twins/zendesk/account.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { importTicket } from '../../twins/zendesk/import-ticket.ts'
import { saveOrganization } from '../../twins/zendesk/organizations.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { changeAnswers } from '../change-answers.ts'
import { readAll } from '../reader-contract.ts'
import { outgoing, startBoth } from './start-both.ts'

// Peculiarities of Zendesk as a destination, each tested against its twin.

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

test('the first message of an agent without an account names the agent, and is not by the requester', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const person = saveUser(twin.account, { name: 'Rita', email: 'rita@example.test' })
  const createdBy = { name: 'Zoe', email: 'zoe@example.test', userId: null }
  const fields = { subject: 'One', description: '<p>Secret</p>', requester: relation('contacts', person.id) }
  const record = outgoing({ ...fields, is_private: true }, { createdBy })
  expect(await writer.write('tickets', [record])).toMatchObject([{ result: 'written' }])
  const [ticket] = twin.account.tickets.list()
  const [first] = commentsOf(twin.account, Number(ticket?.id))
  expect(first).toMatchObject({ author_id: idOf(twin.staff.admin), public: false })
  expect(first?.html).toContain('Zoe')
  // The added line does not count as a difference.
  const [found] = await writer.find('tickets', [{ key: record.key, destinationId: null, parent: null }])
  expect(found?.fields.description).toEqual((await writer.asStored('tickets', record)).fields.description)
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

test('times before 1970 and in the future are changed, and the loss is reported for each message', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const author_agent = String(idOf(twin.staff.anna))
  const message = (body: string, createdAt: string) => ({
    ...outgoing({ author_agent, body: `<p>${body}</p>`, is_public: true }, { createdAt }),
    entity: 'comments',
  })
  const soon = new Date(Date.now() + hourMs).toISOString()
  const parts = [
    message('Old', '1969-12-31T00:00:00.000Z'),
    message('Fine', '2020-02-05T00:00:00.500Z'),
    message('Soon', soon),
  ]
  const record = outgoing(
    { subject: 'One', description: '<p>Words</p>' },
    { parts, createdAt: '1965-01-01T00:00:00.000Z' },
  )
  const outcomes = await writer.write('tickets', [record])
  const lost = { result: 'written', losses: ['moment_not_kept'] }
  expect(outcomes).toMatchObject([lost, lost, { result: 'written' }, lost])
  expect(outcomes[2]).not.toHaveProperty('losses')
  const years = commentsOf(twin.account, 1).map(({ created_at }) => created_at.slice(0, 4))
  expect(years.sort()).toEqual(['1970', '1970', '1970', '2020'])
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

test('all comments of a ticket go inside it, and 1,000 if Zendesk refuses it for its size', async () => {
  const { twin, writer } = await startBoth(cleanup)
  expect((await writer.describe()).entities.tickets?.carries?.comments).toMatchObject({ most: 4_999 })
  const author_agent = String(idOf(twin.staff.anna))
  const parts = Array.from({ length: 1_100 }, (_, at) => ({
    ...outgoing({ author_agent, body: `<p>${at}</p>` }),
    entity: 'comments',
  }))
  const count = (outcomes: { result: string }[], result: string) =>
    outcomes.filter((one) => one.result === result).length
  const whole = await writer.write('tickets', [outgoing({ subject: 'One' }, { parts })])
  expect([count(whole, 'written'), count(whole, 'untried')]).toEqual([1_101, 0])
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'answered', status: 413, json: {} })
  const cut = await writer.write('tickets', [outgoing({ subject: 'Two' }, { parts })])
  expect([count(cut, 'written'), count(cut, 'untried')]).toEqual([1_001, 100])
  expect(twin.account.mails).toEqual([])
})

test('texts that Zendesk cuts are reported, and tags that it refuses are left out', async () => {
  const { twin, account, destination, writer } = await startBoth(cleanup)
  const { entities } = await writer.describe()
  expect(entities.tickets?.fields).toMatchObject({ subject: { maxLength: 255 }, description: { maxLength: 65_535 } })
  const long = `<p>${'слово '.repeat(10_000)}</p>`
  const cutting = changeAnswers(account.outbound, '/api/v2/tickets/1/comments', ({ comments }) => {
    for (const one of comments) one.html_body = one.html_body.slice(0, 32_000)
  })
  const part = { ...outgoing({ author_agent: String(idOf(twin.staff.anna)), body: long }), entity: 'comments' }
  const record = outgoing(
    { subject: 'One', description: long },
    { parts: [part, { ...part, fields: { body: '<p>x</p>' } }] },
  )
  const other = await destination.open({ ...account, outbound: cutting })
  const [ticket, first, second] = await other.write('tickets', [record])
  expect([ticket, first]).toMatchObject([{ losses: ['text_shortened'] }, { losses: ['text_shortened'] }])
  expect(second).not.toHaveProperty('losses')
  const late = (body: string) => outgoing({ ticket: relation('tickets', '1'), body }, { createdAt: null })
  const [cut, whole] = await other.write('comments', [late(long), late('<p>x</p>')])
  expect(cut).toMatchObject({ result: 'written', losses: ['text_shortened'] })
  expect(whole).not.toHaveProperty('losses')
  const details = { tags: [{ description: 'Tags: is too long', error: 'InvalidValue' }] }
  const json = { error: 'RecordInvalid', description: 'Record validation errors', details }
  twin.faults.next('POST', '/api/v2/imports/tickets', { kind: 'answered', status: 422, json })
  expect(await writer.write('tickets', [outgoing({ subject: 'Two', tags: ['a'] })])).toMatchObject([
    { result: 'written', losses: ['tags_left_out'] },
  ])
})

test('comments are known by their times and words, although Zendesk gives their ids in any order', async () => {
  const { account, destination } = await startBoth(cleanup)
  const reversed = (id: number) => 800_000_000_000 - id
  const outbound = changeAnswers(account.outbound, '/api/v2/tickets/1/comments', ({ comments }) => {
    for (const one of comments) one.id = reversed(one.id)
  })
  const said = (word: string, day: number) => ({
    ...outgoing({ body: `<p>${word}</p>`, is_public: true }, { createdAt: `2020-02-0${day}T10:00:00.000Z` }),
    entity: 'comments',
  })
  // The second comment has an earlier time than the first.
  const parts = [said('One', 4), said('Two', 3), said('Three', 5)]
  const writer = await destination.open({ ...account, outbound })
  const [ticket, ...outcomes] = await writer.write('tickets', [
    outgoing({ subject: 'A', description: '<p>Zero</p>' }, { parts }),
  ])
  const parent = { entity: 'tickets', destinationId: '1' }
  const sought = outcomes.map((one) => ({
    key: one.key,
    destinationId: 'destinationId' in one ? one.destinationId : '',
    parent,
  }))
  const found = await writer.find('comments', sought)
  expect(found.map(({ key, fields }) => [key, fields.body])).toEqual(
    parts.map(({ key }, at) => [key, ['One', 'Two', 'Three'][at]]),
  )
  const [own] = await writer.find('tickets', [{ key: String(ticket?.key), destinationId: '1', parent: null }])
  expect(own?.fields.description).toBe('Zero')
  // Without an id, a comment is found by its place among the times.
  const lost = { key: 'k', destinationId: null, parent, position: 2 }
  expect(await writer.find('comments', [lost])).toMatchObject([{ fields: { body: 'Three' } }])
})

test('a picture for agents alone is taken out of a public message and stays in an internal one', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const picture = async (holder: { key: string }) => {
    const parent = { entity: 'tickets', key: holder.key, destinationId: '' }
    const file = outgoing({ parent, file_name: 'a.png', is_private: true })
    const body = Readable.from([Buffer.from('a')])
    const upload = await writer.uploadFile?.('attachments', { ...file, size: 1, contentType: 'image/png', body })
    return { ...file, entity: 'attachments', upload: upload ?? { token: '', url: null } }
  }
  for (const is_private of [false, true]) {
    const record = outgoing({ subject: 'One', is_private })
    const file = await picture(record)
    const shown = `<img src="${file.upload.url}" alt="a"> and <a href="${file.upload.url}">this</a>`
    const fields = { ...record.fields, description: `<p>See ${shown}</p>` }
    const [ticket, part] = await writer.write('tickets', [{ ...record, fields, parts: [file] }])
    expect([ticket, part]).toMatchObject([{ result: 'written' }, { result: is_private ? 'written' : 'untried' }])
    const id = ticket && 'destinationId' in ticket ? Number(ticket.destinationId) : 0
    const html = commentsOf(twin.account, id)[0]?.html
    if (is_private) expect(html).toContain(shown)
    else {
      expect(ticket).toMatchObject({ losses: ['picture_hidden'] })
      expect(html).toContain('See  and <a>this</a>')
    }
  }
})

test('a file sends a mail to the agent and the followers of its ticket, as the plan says', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const { entities } = await writer.describe()
  expect(entities.attachments?.capabilities?.silentCreate).not.toBe(true)
  const [anna, ben] = [twin.staff.anna, twin.staff.ben].map((one) => String(idOf(one)))
  const record = outgoing({ subject: 'One', status: 'open', assignee: anna, followers: [ben] })
  const [ticket] = await writer.write('tickets', [record])
  expect(twin.account.staffMails).toEqual([])
  const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
  const file = { ...outgoing({ parent, file_name: 'a.txt' }), size: 1, contentType: 'text/plain' }
  await writer.writeFile('attachments', { ...file, body: Readable.from([Buffer.from('a')]) })
  expect(twin.account.staffMails).toHaveLength(2)
  expect(twin.account.mails).toEqual([])
  expect((await writer.preflight?.())?.find(({ code }) => code === 'mail_about_files')).toMatchObject({
    ...{ isFine: false, isBlocking: false, message: expect.stringContaining('the followers') },
  })
})

test('a public comment that a later run adds is mailed to the requester, and the plan says so', async () => {
  const { twin, writer } = await startBoth(cleanup)
  await writer.describe()
  const [ticket] = await writer.write('tickets', [outgoing({ subject: 'One', status: 'open' })])
  expect(twin.account.mails).toEqual([])
  const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
  await writer.write('comments', [outgoing({ ticket: parent, body: '<p>Note</p>', is_public: false })])
  expect(twin.account.mails).toEqual([])
  await writer.write('comments', [outgoing({ ticket: parent, body: '<p>Reply</p>', is_public: true })])
  expect(twin.account.mails).toHaveLength(1)
  expect((await writer.preflight?.())?.find(({ code }) => code === 'mail_about_comments')).toMatchObject({
    ...{ isFine: false, isBlocking: false, isAboutLaterRuns: true },
    ...{ message: expect.stringContaining('a later run'), fix: expect.stringContaining('trigger') },
  })
})

test.each([
  [false, ['kept_for_agents']],
  [true, []],
])(
  'a file that comes after its ticket is a note; the report says so if customers saw it (private: %j)',
  async (is_private, losses) => {
    const { writer } = await startBoth(cleanup)
    await writer.describe()
    const [ticket] = await writer.write('tickets', [outgoing({ subject: 'One', status: 'open' })])
    const parent = relation('tickets', ticket && 'destinationId' in ticket ? String(ticket.destinationId) : '')
    const file = { ...outgoing({ parent, file_name: 'a.txt', is_private }), size: 1, contentType: 'text/plain' }
    const outcome = await writer.writeFile('attachments', { ...file, body: Readable.from([Buffer.from('a')]) })
    expect(outcome.result === 'written' && (outcome.losses ?? [])).toEqual(losses)
  },
)

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

test('after a lost answer the run waits before it looks for a comment or a file, because a double cannot be removed', async () => {
  const { writer } = await startBoth(cleanup)
  const { entities } = await writer.describe()
  for (const name of ['comments', 'attachments'])
    expect([name, entities[name]?.capabilities?.settleMs]).toEqual([name, 60_000])
})
