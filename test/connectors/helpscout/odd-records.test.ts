import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHelpscout } from '../../../service/src/connectors/helpdesk/helpscout/reader.ts'
import { FileMissingError, RetryableError } from '../../../service/src/errors.ts'
import type { FamilyRecord } from '../../../service/src/families/record.ts'
import { minuteMs } from '../../twins/clock.ts'
import { dot, seedDesk, seedDocs } from '../../twins/helpscout/seed.ts'
import { changeAnswers } from '../change-answers.ts'
import { readAll } from '../reader-contract.ts'
import { file, idOf, openTwin, part, record, to } from './open-helpscout.ts'

// Unusual single records of Help Scout: reading, changing and removing them. Nobody ever gets a mail.

type Opened = Awaited<ReturnType<typeof openTwin>>
let open: Opened
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(async () => {
  expect(open.twin.mails).toEqual([])
  await open.close()
})

const readEvery = (entity: string): Promise<FamilyRecord[]> => {
  const reader = open.reader()
  return readAll((cursor) => reader.read(entity, cursor, {}))
}
const seeded = () => {
  const desk = seedDesk(open.twin.account, open.twin.staff, open.twin.files)
  open.twin.clock.advance(minuteMs)
  return desk
}
const bytesOf = async (one: FamilyRecord) => {
  const { body } = await open.reader().openFile(one)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
const person = async (email = 'nora@example.com') => {
  const [outcome] = await open.writer().write('contacts', [record({ name: 'Nora Nord', emails: [email] })])
  return idOf(outcome)
}
const ticket = async (fields: object = {}, more: object = {}) => {
  const requester = to('contacts', await person())
  const sent = record({ subject: 'Broken', requester, ...fields }, more)
  const outcomes = await open.writer().write('tickets', [sent])
  const [outcome] = outcomes
  return { sent, outcomes, id: idOf(outcome), version: outcome && 'version' in outcome ? outcome.version : null }
}
const conversation = (id: string) => open.twin.account.conversations.get(id)

test('the first message is the description, and no other message is lost: chats are complete, hidden messages and notes are private', async () => {
  const { rich } = seeded()
  const tickets = await readEvery('tickets')
  const comments = (await readEvery('comments')).filter(({ sourceId }) => sourceId.startsWith(`${rich.id}-`))
  const one = tickets.find(({ sourceId }) => sourceId === rich.id)
  expect(one?.fields).toMatchObject({ subject: 'Everything at once 🚀 مرحبا', status: 'pending', is_private: false })
  expect(one?.customFields).toMatchObject({ inbox: { value: 'Support' }, cc: { value: ['boss@acme.example'] } })
  expect(Object.values(one?.customFields ?? {}).map(({ value }) => value)).toEqual(
    expect.arrayContaining(['one line', 'two\nlines', 42, '2024-02-29', 'Grün 🌿']),
  )
  const bodies = comments.map(({ fields }) => (fields.body as { body: string }).body)
  expect(bodies.filter((body) => body.startsWith('We chatted.') || body.startsWith('Beacon:'))).toHaveLength(2)
  expect(Math.min(...bodies.filter((body) => /chatted|Beacon/.test(body)).map(({ length }) => length))).toBeGreaterThan(
    300,
  )
  const isPublic = (text: string) => comments[bodies.findIndex((body) => body.includes(text))]?.fields.is_public
  expect([isPublic('Nobody may see'), isPublic('Hello Véra'), isPublic('hurry')]).toEqual([false, true, false])
  expect(tickets.find(({ fields }) => fields.subject === 'A draft')?.fields.is_private).toBe(true)
})

test('pictures shown in a text are read as files, from the host that stores them', async () => {
  const { rich } = seeded()
  const one = (await readEvery('tickets')).find(({ sourceId }) => sourceId === rich.id)
  const files = await readEvery('attachments')
  const shown = files.find(({ sourceId }) => sourceId.startsWith(`${rich.id}-`) && sourceId.includes('-p'))
  expect(one?.fields.description).toMatchObject({ inlineFiles: [{ attachment: shown?.sourceId }] })
  if (!shown) throw new Error('no picture was read')
  expect((await bytesOf(shown)).equals(dot)).toBe(true)
})

test('a file that Help Scout withholds as dangerous is reported as missing', async () => {
  seeded()
  const bad = (await readEvery('attachments')).find(({ fields }) => fields.file_name === 'virus.com')
  if (!bad) throw new Error('the file was not read')
  await expect(open.reader().openFile(bad)).rejects.toThrow(FileMissingError)
})

test('articles are read with the Docs key, and are public only if that is certain', async () => {
  const { guide, first } = seedDocs(open.twin.docs)
  const articles = await readEvery('articles')
  expect(articles).toHaveLength(63)
  const visible = articles.filter(({ fields }) => fields.visibility === 'public' && fields.status === 'published')
  // One article is also in a private category, one is in a private collection, and one is not published.
  expect(visible).toHaveLength(60)
  expect(articles.find(({ sourceId }) => sourceId === first.id)?.fields).toMatchObject({ labels: ['begin', 'start'] })
  const categories = await readEvery('categories')
  expect(categories.find(({ sourceId }) => sourceId === `c${guide.id}`)?.fields).toMatchObject({ name: 'Guide' })
  expect(categories.filter(({ fields }) => fields.parent_category).length).toBe(2)
  const without = open.reader({ more: {} })
  expect((await without.read('articles', null, {})).items).toEqual([])
  expect(await without.findGone?.('articles', [first.id])).toEqual([])
})

test('files go into their thread byte for byte, and the size limit is declared beforehand', async () => {
  const { id, outcomes } = await ticket({}, { parts: [part({ body: 'With a file' })] })
  const writer = open.writer()
  const { maxFileBytes } = await writer.describe()
  expect(maxFileBytes).toBe(7_400_000)
  const bytes = Buffer.from(Array.from({ length: 100_001 }, (_, at) => at % 251))
  const parent = to('comments', idOf(outcomes[1]))
  const [, threadId = ''] = parent.destinationId.split('-')
  const stored = await writer.writeFile('attachments', file(parent, bytes, 'Größe „L“.bin'))
  const [kept] = open.twin.account.attachments.list()
  expect(kept?.bytes.equals(bytes)).toBe(true)
  expect(idOf(stored)).toBe(`${id}-${threadId}-${kept?.id}`)
  const posts = open.seenAt('POST')
  const large = await writer.writeFile('attachments', file(parent, Buffer.alloc(7_400_001)))
  expect(large).toMatchObject({ result: 'refused', code: 'too_large' })
  expect(open.seenAt('POST')).toBe(posts)
})

test('a private file of a public thread goes into a note, and is found again after a lost answer', async () => {
  const { id } = await ticket()
  const parent = to('tickets', id)
  const secret = { ...file(parent, Buffer.from('secret')), key: 'f' }
  secret.fields = { ...secret.fields, is_private: true }
  open.twin.faults.next('POST', `/v2/conversations/${id}/notes`, { kind: 'lost' })
  await expect(open.writer().writeFile('attachments', secret)).rejects.toThrow(RetryableError)
  const holder = conversation(id)?.threads.find(({ attachments }) => attachments.length > 0)
  expect(holder?.type).toBe('note')
  const found = await open.writer().find('attachments', [{ key: 'f', destinationId: null, parent }])
  expect(found).toMatchObject([{ key: 'f', destinationId: `${id}-${holder?.id}-${holder?.attachments[0]}` }])
})

test('an author or an assignee whom Help Scout does not know is left out alone', async () => {
  const author = { name: 'Gone Agent', email: 'gone@example.com', userId: null }
  const parts = [part({ body: '<p>Bye</p>', is_public: true }, { createdBy: author })]
  const { id, outcomes } = await ticket({ assignee: '999' }, { parts })
  expect(outcomes[0]).toMatchObject({ result: 'written', losses: ['assignee_refused'] })
  expect(conversation(id)?.threads[2]?.body).toContain('Gone Agent')
  const unknown = [part({ body: '<p>Bye</p>', is_public: false, author_agent: '999' })]
  const requester = to('contacts', await person('other@example.com'))
  const told = await open.writer().write('tickets', [record({ subject: 'Two', requester }, { parts: unknown })])
  expect(told).toMatchObject([{ result: 'written' }, { result: 'written', losses: ['author_not_kept'] }])
  expect(told[0]).not.toHaveProperty('losses')
})

test('a ticket without a customer is refused and does not affect others, and one with a blank subject arrives', async () => {
  const requester = to('contacts', await person())
  const sent = [record({ subject: 'One', requester }), record({ subject: 'Two' }), record({ subject: ' ', requester })]
  const outcomes = await open.writer().write('tickets', [...sent, record({ subject: 'Four', requester })])
  expect(outcomes.map(({ result }) => result)).toEqual(['written', 'refused', 'written', 'written'])
})

test('a change sends only the differences, and never notifies an assignee', async () => {
  const { anna, sales } = open.twin.staff
  const { id, sent } = await ticket({ tags: ['one'], description: '<p>Before</p>' })
  const before = open.twin.seen.length
  const same = { ...sent, destinationId: id }
  await open.writer().write('tickets', [same])
  expect(open.twin.seen.slice(before).filter((request) => request.startsWith('PATCH'))).toEqual([])
  const inbox = { inbox: { label: 'Inbox', type: 'option' as const, value: sales.name } }
  const fields = { ...sent.fields, subject: 'After', status: 'closed', description: '<p>After</p>', assignee: anna.id }
  const [outcome] = await open.writer().write('tickets', [{ ...same, fields, customFields: inbox }])
  expect(outcome).toMatchObject({ result: 'written', losses: ['assignee_refused'] })
  expect(conversation(id)).toMatchObject({
    subject: 'After',
    status: 'closed',
    assigneeId: null,
    mailboxId: Number(sales.id),
  })
  expect(conversation(id)?.threads[0]?.body).toBe('<p>After</p>')
})

test('an undo deletes a conversation with its threads, and keeps a conversation that people answered', async () => {
  const { id, sent, version } = await ticket()
  const other = await open.writer().write('tickets', [record({ ...sent.fields, subject: 'Mine' })])
  const otherId = idOf(other[0])
  const talk = conversation(otherId)
  const first = talk?.threads[0]
  if (!talk || !first) throw new Error('nothing was written')
  const answered = { ...first, id: 1, body: 'By hand', source: { type: 'web', via: 'user' as const } }
  open.twin.account.conversations.change(otherId, { threads: [...talk.threads, answered] })
  const versions = [version, other[0] && 'version' in other[0] ? other[0].version : null]
  const removed = await open.writer().remove(
    'tickets',
    [id, otherId].map((destinationId, at) => ({
      ...{ key: `k${at}`, destinationId, parent: null, version: versions[at] ?? null },
    })),
  )
  expect(removed.map(({ result }) => result)).toEqual(['removed', 'kept'])
  expect(open.twin.account.conversations.list().map((one) => one.id)).toEqual([otherId])
})

test('a single comment cannot be deleted: it is hidden, and the outcome says so', async () => {
  const { id, outcomes } = await ticket({}, { parts: [part({ body: 'Twice' })] })
  const destinationId = idOf(outcomes[1])
  const removable = { key: 'c', destinationId, parent: to('tickets', id), version: null }
  const [removed] = await open.writer().remove('comments', [removable])
  expect(removed).toEqual({
    key: 'c',
    result: 'kept',
    message: 'Help Scout deletes no single comment. It is hidden now.',
  })
  expect(conversation(id)?.threads[2]?.state).toBe('hidden')
})

test('a customer is never deleted along with conversations', async () => {
  const requester = await person()
  const writer = open.writer()
  const [outcome] = await writer.write('tickets', [record({ subject: 'Theirs', requester: to('contacts', requester) })])
  const remove = () => writer.remove('contacts', [{ key: 'p', destinationId: requester, parent: null, version: null }])
  expect(await remove()).toMatchObject([{ result: 'kept' }])
  expect(open.twin.account.conversations.size()).toBe(1)
  await writer.remove('tickets', [{ key: 't', destinationId: idOf(outcome), parent: null, version: null }])
  expect(await remove()).toMatchObject([{ result: 'removed' }])
})

test('a domain of another organization is left out, and the loss is reported', async () => {
  const writer = open.writer()
  await writer.write('organizations', [record({ name: 'One', domains: ['same.example'] })])
  const [outcome] = await writer.write('organizations', [record({ name: 'Other', domains: ['same.example'] })])
  expect(outcome).toMatchObject({ result: 'written', losses: ['domain_refused'] })
})

test('a list with more pages continues, although it has no link to the next page', async () => {
  seeded()
  const all = (await readEvery('contacts')).map(({ sourceId }) => sourceId)
  const outbound = changeAnswers(open.account().outbound, '/v2/customers', (json) => {
    delete json._links
  })
  const reader = openHelpscout({ ...open.account(), outbound })
  const read = await readAll((cursor) => reader.read('contacts', cursor, {}))
  expect(read.map(({ sourceId }) => sourceId)).toEqual(all)
  expect(open.seenAt('GET /v2/customers')).toBeGreaterThan(2)
})

test('a page that lost its records does not count as an empty list', async () => {
  seeded()
  const outbound = changeAnswers(open.account().outbound, '/v2/customers', (json) => {
    delete json._embedded
  })
  const reader = openHelpscout({ ...open.account(), outbound })
  await expect(readAll((cursor) => reader.read('contacts', cursor, {}))).rejects.toThrow('unknown shape')
})
