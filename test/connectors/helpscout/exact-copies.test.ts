import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../service/src/connectors/contract/contract.ts'
import { splitName } from '../../../service/src/connectors/helpdesk/helpscout/lenses.ts'
import { openHelpscout } from '../../../service/src/connectors/helpdesk/helpscout/reader.ts'
import { minuteMs } from '../../twins/clock.ts'
import { saveConversation } from '../../twins/helpscout/save-conversation.ts'
import { saveCustomer } from '../../twins/helpscout/save-customer.ts'
import { seedDesk, seedDocs } from '../../twins/helpscout/seed.ts'
import { changeAnswers } from '../change-answers.ts'
import { readAll } from '../reader-contract.ts'
import { file, idOf, openTwin, part, record, sought, to } from './open-helpscout.ts'

// Copies say what the original says: every message, who wrote it, and who may read it. Nobody ever gets a mail.

type Opened = Awaited<ReturnType<typeof openTwin>>
type Sent = ReturnType<typeof record>
let open: Opened
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(async () => {
  expect(open.twin.mails).toEqual([])
  await open.close()
})

const readEvery = (entity: string, account: Account = open.account(), since?: string) => {
  const reader = openHelpscout(account)
  return readAll((cursor) => reader.read(entity, cursor, since === undefined ? {} : { since }))
}
const person = (firstName = 'Nora', email = 'nora@example.com') =>
  saveCustomer(open.twin.account, { firstName, lastName: 'Nord', emails: [{ value: email, type: 'work' }] })
const talk = (subject: string, texts: string[]) => {
  const { account, staff } = open.twin
  const customer = { id: Number(person('Old', `${subject}@example.com`).id) }
  const threads = texts.map((text) => ({ type: 'customer', customer, text, imported: true }))
  const inbox = { type: 'email', status: 'active', mailboxId: Number(staff.support.id), imported: true }
  return saveConversation(account, { subject, ...inbox, customer, threads })
}
const threadsOf = (id: string) => open.twin.account.conversations.get(id)?.threads ?? []
const said = (id: string) => threadsOf(id).filter(({ type }) => type !== 'lineitem')
const written = async (fields: object, more: object = {}, customer = person()) => {
  const requester = to('contacts', customer.id)
  const outcomes = await open.writer().write('tickets', [record({ subject: 'Broken', requester, ...fields }, more)])
  return { outcomes, id: idOf(outcomes[0]), requester }
}

test('a conversation with more threads than Help Scout embeds is read completely, although drafts do not count', async () => {
  const { id } = talk(
    'long',
    Array.from({ length: 29 }, (_, at) => `Message ${at}`),
  )
  const threads = threadsOf(id).map((one, at) => (at < 25 ? one : { ...one, state: 'draft' as const }))
  open.twin.account.conversations.change(id, { threads })
  expect(await readEvery('comments')).toHaveLength(28)
  const [ticket] = await readEvery('tickets')
  expect(ticket?.fields.description).toMatchObject({ body: 'Message 0' })
})

test('a message older than its ticket does not become the description', async () => {
  const older = (word: string, createdAt: string) =>
    part({ body: `<p>${word}</p>`, is_public: word === 'Mail' }, { createdAt })
  const parts = [older('Mail', '2020-02-03T10:00:00.000Z'), older('Note', '2020-02-02T10:00:00.000Z')]
  const { id } = await written({ description: '<p>Words</p>' }, { parts, createdAt: '2020-02-04T10:00:00.000Z' })
  expect(open.twin.account.conversations.get(id)?.createdAt.slice(0, 10)).toBe('2020-02-04')
  const [ticket] = await readEvery('tickets')
  expect(ticket?.fields).toMatchObject({ description: { body: expect.stringContaining('Words') }, is_private: false })
  expect((await readEvery('comments')).map(({ fields }) => JSON.stringify(fields.body))).toEqual([
    expect.stringContaining('Note'),
    expect.stringContaining('Mail'),
  ])
})

test('a message that was forwarded to somebody else is private', async () => {
  const { rich } = seedDesk(open.twin.account, open.twin.staff, open.twin.files)
  const comments = (await readEvery('comments')).filter(({ sourceId }) => sourceId.startsWith(`${rich.id}-`))
  const forwarded = comments.find(({ fields }) => JSON.stringify(fields.body).includes('Please look at this'))
  expect(forwarded?.fields.is_public).toBe(false)
})

test('a conversation in the trash is left out, and counts as deleted', async () => {
  const [kept, trashed] = [talk('kept', ['Hello']), talk('trashed', ['Secret'])]
  const trash = (one: Record<string, unknown>) => {
    if (String(one.id) === trashed.id) one.state = 'deleted'
  }
  const list = changeAnswers(open.account().outbound, '/v2/conversations', (json) => {
    for (const one of json._embedded?.conversations ?? []) trash(one)
  })
  const outbound = changeAnswers(list, `/v2/conversations/${trashed.id}`, trash)
  const account = { ...open.account(), outbound }
  expect((await readEvery('tickets', account)).map(({ sourceId }) => sourceId)).toEqual([kept.id])
  expect(await openHelpscout(account).findGone?.('tickets', [kept.id, trashed.id])).toEqual([trashed.id])
})

test('a later run reads people whose change a list showed too late for the run before', async () => {
  const { id } = person()
  open.twin.clock.advance(2 * minuteMs)
  const since = new Date(open.twin.clock.now()).toISOString()
  expect((await readEvery('contacts', open.account(), since)).map(({ sourceId }) => sourceId)).toEqual([id])
})

test('articles stay public, although the list of categories does not tell who may read them', async () => {
  const { guide } = seedDocs(open.twin.docs)
  const { outbound: direct } = open.account()
  const outbound = changeAnswers(direct, `/v1/collections/${guide.id}/categories`, (json) => {
    for (const one of json.categories.items) delete one.visibility
  })
  const articles = await readEvery('articles', { ...open.account(), outbound })
  const visible = articles.filter(({ fields }) => fields.visibility === 'public' && fields.status === 'published')
  expect(visible).toHaveLength(60)
})

test('the category for articles without one is no category of a copy, and is never asked for', async () => {
  const { guide } = seedDocs(open.twin.docs)
  const loose = open.twin.docs.addArticle(guide.id, 'Loose', '<p>Nowhere</p>', { status: 'published' })
  const one = (await readEvery('articles')).find(({ sourceId }) => sourceId === loose.id)
  expect(one?.fields.category).toMatchObject({ sourceId: `c${guide.id}` })
  expect((await readEvery('categories')).map(({ fields }) => fields.name)).not.toContain('Uncategorized')
  const writer = open.writer()
  const shelf = record({ name: 'Uncategorized', parent_category: to('categories', `c${guide.id}`) })
  const [category] = await writer.write('categories', [shelf])
  const fields = { title: 'Elsewhere', visibility: 'public', category: to('categories', idOf(category)) }
  const [made] = await writer.write('articles', [record(fields)])
  expect(made).toMatchObject({ result: 'written' })
  const again = { ...record({ ...fields, title: 'Changed' }), destinationId: idOf(made) }
  expect(await writer.write('articles', [again])).toMatchObject([{ result: 'written' }])
})

test('an article in several categories is copied into the first, and the others are reported', async () => {
  const { first } = seedDocs(open.twin.docs)
  const { warnings } = await open.reader().read('articles', null, {})
  expect(warnings).toContainEqual(expect.objectContaining({ sourceId: first.id, code: 'relations_left_out', count: 1 }))
})

test('all that Help Scout knows of a person is read', async () => {
  const { vera } = seedDesk(open.twin.account, open.twin.staff, open.twin.files)
  const one = (await readEvery('contacts')).find(({ sourceId }) => sourceId === vera.id)
  expect(one?.customFields).toMatchObject({
    address: { value: { line1: 'Am Weg 1', line2: 'Hof', city: 'Berlin', region: 'BE', postalCode: '10115' } },
    websites: { value: ['https://vera.example'] },
    social_profiles: { value: ['twitter: @vera'] },
    chats: { value: ['skype: vera.b'] },
    gender: { value: 'Female' },
    age: { value: '30-35' },
  })
})

test('a file is written, although the answer to an upload has no Resource-ID', async () => {
  const { id } = await written({ description: '<p>Look</p>' })
  const parent = to('tickets', id)
  const [first, second] = ['one', 'two'].map((text) => file(parent, Buffer.from(text)))
  open.twin.faults.next('POST', `/v2/conversations/${id}/threads/`, { kind: 'spoiled', status: 201 }, 2)
  const outcomes = []
  for (const one of [first, second]) if (one) outcomes.push(await open.writer().writeFile('attachments', one))
  expect(outcomes).toMatchObject([{ result: 'written' }, { result: 'written' }])
  expect(new Set(outcomes.map(idOf)).size).toBe(2)
  expect(open.twin.account.attachments.size()).toBe(2)
})

test('an article whose title is taken gets a number, also if Docs answers 400', async () => {
  seedDocs(open.twin.docs)
  const json = { code: 400, error: 'Name must be unique' }
  open.twin.docsTwin.faults.next('POST', '/v1/articles', { kind: 'answered', status: 400, json })
  const [outcome] = await open.writer().write('articles', [record({ title: 'Twice', visibility: 'public' })])
  expect(open.twin.docs.articles.get(idOf(outcome))?.name).toBe('Twice (2)')
})

const gone = { name: 'Gone Agent', email: 'gone@example.com', userId: null }

test('the text of an agent without an account is never sent as a message of the customer', async () => {
  const { id, outcomes } = await written({ description: '<p>We write first</p>' }, { createdBy: gone })
  expect(outcomes[0]).toMatchObject({ losses: ['author_not_kept'] })
  expect(said(id)[0]).toMatchObject({ type: 'message', createdBy: { type: 'user' } })
  expect(said(id)[0]?.body).toMatch(/^<p>— Gone Agent, .* —<\/p><p>We write first<\/p>$/)
  const unknown = { name: 'Gone Agent', email: null, userId: '999' }
  const eve = person('Eve', 'eve@example.com')
  const second = await written({ description: '<p>Again</p>' }, { createdBy: unknown }, eve)
  expect(second.outcomes[0]).toMatchObject({ losses: ['author_not_kept'] })
  expect(said(second.id)[0]?.body).toContain('Gone Agent')
})

test('a private message of a customer becomes a note that names them', async () => {
  const eve = person('Eve', 'eve@example.com')
  const secret = { body: '<p>Hidden</p>', is_public: false, author_contact: to('contacts', eve.id) }
  const { id, outcomes, requester } = await written(
    { is_private: true, description: '<p>Draft</p>' },
    { parts: [part(secret)] },
  )
  expect(outcomes).toMatchObject([{ losses: ['author_not_kept'] }, { losses: ['author_not_kept'] }])
  const [first, , second] = said(id)
  expect([first?.type, second?.type]).toEqual(['note', 'note'])
  expect([first?.body, second?.body]).toEqual([
    expect.stringContaining('Nora Nord, nora@example.com'),
    expect.stringContaining('Eve Nord, eve@example.com'),
  ])
  const later = record({ ...secret, ticket: to('tickets', id), author_contact: requester })
  const [outcome] = await open.writer().write('comments', [later])
  expect(outcome).toMatchObject({ losses: ['author_not_kept'] })
  expect(said(id).at(-1)?.body).toContain('Nora Nord')
})

test('a name is divided where both parts fit, and a name that fits nowhere loses no letter', async () => {
  const [given, family] = ['Maximiliana Theodora Wilhelmine', 'von und zu Hohenstaufen-Württemberg']
  expect(splitName(`${given} ${family}`)).toEqual({
    firstName: `${given} von und`,
    lastName: 'zu Hohenstaufen-Württemberg',
  })
  const name = `A ${'x'.repeat(45)}`
  const writer = open.writer()
  const [outcome] = await writer.write('contacts', [record({ name, emails: ['x@example.com'] })])
  const [stored] = await writer.find('contacts', [{ ...sought({ key: 'k' }), destinationId: idOf(outcome) }])
  expect(stored?.fields.name).toBe(`A ${'x'.repeat(38)} ${'x'.repeat(7)}`)
  expect(stored?.fields.name).toEqual((await writer.asStored('contacts', record({ name }))).fields.name)
  expect((await writer.describe()).entities.contacts?.fields.name?.maxLength).toBe(79)
  expect(splitName(`${'x'.repeat(39)}🚢${'y'.repeat(38)}`)).toEqual({
    firstName: 'x'.repeat(39),
    lastName: `🚢${'y'.repeat(38)}`,
  })
})

test('a time before 1970 that Help Scout refuses is left out alone', async () => {
  const error = { path: 'createdAt', message: 'must be after 1970' }
  const json = { message: 'Bad request', _embedded: { errors: [error] } }
  open.twin.faults.next('POST', '/v2/conversations', { kind: 'answered', status: 400, json })
  const { id, outcomes } = await written({}, { createdAt: '1969-05-05T05:05:05.000Z' })
  expect(outcomes[0]).toMatchObject({ result: 'written', losses: ['moment_not_kept'] })
  expect(open.twin.account.conversations.get(id)?.createdAt).not.toContain('1969')
})

test('many organizations need one look at the list', async () => {
  const names = Array.from({ length: 20 }, (_, at) => record({ name: `Firm ${at}` }))
  const outcomes = await open.writer().write('organizations', [...names, record({ name: 'firm 3' })])
  expect(outcomes.map(({ result }) => result)).toEqual([...names.map(() => 'written'), 'matched'])
  expect(open.twin.seen.filter((request) => /^GET \/v2\/organizations(\?|$)/.test(request))).toHaveLength(1)
})

test('a changed conversation moves to another inbox with the fields of that inbox', async () => {
  const { support, sales } = open.twin.staff
  const [single] = support.fields
  const [size] = sales.fields
  const inbox = (value: string) => ({ label: 'Inbox', type: 'option' as const, value })
  const text = { label: 'A', type: 'text' as const, value: 'old' }
  const { id } = await written({}, { customFields: { inbox: inbox(support.name), [String(single?.id)]: text } })
  const small = { label: 'A', type: 'option' as const, value: 'Small' }
  const moved = { inbox: inbox(sales.name), [String(size?.id)]: small }
  const change = record({ subject: 'Broken' }, { destinationId: id, customFields: moved })
  expect(await open.writer().write('tickets', [change])).toMatchObject([{ result: 'written' }])
  expect(open.twin.account.conversations.get(id)).toMatchObject({
    mailboxId: Number(sales.id),
    fields: [{ id: size?.id, value: String(size?.options[1]?.id) }],
  })
})

test('two people of one name and without an address stay two, whichever request failed', async () => {
  const [first, second, third] = [1, 2, 3].map(() => record({ name: 'Nora Same' })) as [Sent, Sent, Sent]
  const idOfFirst = idOf((await open.writer().write('contacts', [first]))[0])
  open.twin.faults.next('POST', '/v2/customers', { kind: 'answered', status: 503 })
  await expect(open.writer().write('contacts', [second])).rejects.toThrow()
  expect(await open.writer().find('contacts', [sought(second)])).toEqual([])
  open.twin.faults.next('POST', '/v2/customers', { kind: 'lost' })
  await expect(open.writer().write('contacts', [third])).rejects.toThrow()
  const [, lost] = open.twin.account.customers.list()
  expect(await open.writer().find('contacts', [sought(third)])).toMatchObject([{ destinationId: lost?.id }])
  expect(await open.writer().find('contacts', [sought(second)])).toEqual([])
  expect(await open.writer().find('contacts', [sought(first)])).toMatchObject([{ destinationId: idOfFirst }])
})

test('a private file that did not arrive is not taken for a public one of the same name and length', async () => {
  const { id } = await written({ description: '<p>Broken</p>', is_private: false })
  const parent = { entity: 'tickets', destinationId: id }
  await open.writer().writeFile('attachments', file(parent, Buffer.from('one')))
  const hidden = file(parent, Buffer.from('two'))
  open.twin.faults.next('POST', `/v2/conversations/${id}/notes`, { kind: 'answered', status: 503 })
  const send = open.writer().writeFile('attachments', { ...hidden, fields: { ...hidden.fields, is_private: true } })
  await expect(send).rejects.toThrow()
  expect(await open.writer().find('attachments', [{ key: hidden.key, destinationId: null, parent }])).toEqual([])
})
