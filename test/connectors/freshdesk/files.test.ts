import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { OutgoingFile, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openFreshdeskWriter } from '../../../service/src/connectors/helpdesk/freshdesk/writer.ts'
import { addConversation } from '../../twins/freshdesk/conversations.ts'
import { filesOf } from '../../twins/freshdesk/files.ts'
import { keepSides } from '../keep-sides.ts'
import { outgoing, related, soughtOf, start } from './start.ts'

// Freshdesk as a destination: files of tickets and messages.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

async function open(options = {}) {
  const { twin, account, make } = await start(cleanup, options)
  const sides = keepSides()
  const openWriter = () => openFreshdeskWriter({ ...account, sides })
  const ticket = make('One')
  const noteOf = (isPrivate: boolean) =>
    addConversation(twin.account, ticket, {
      user_id: Number(twin.staff.anna.id),
      body: '<p>So</p>',
      private: isPrivate,
    })
  const namesIn = ({ attachments }: { attachments: string[] } | undefined = { attachments: [] }) =>
    filesOf(twin.account, attachments).map(({ name }) => name)
  const { tickets, conversations } = twin.account
  return {
    ...{ twin, openWriter, writer: openWriter(), ticket, conversations },
    openNote: noteOf(false),
    closedNote: noteOf(true),
    inTicket: () => namesIn(tickets.get(ticket.id)),
    inNote: ({ id }: { id: string }) => namesIn(conversations.get(id)),
  }
}

const fileOf = (entity: string, id: string, name: string, more: object = {}): OutgoingFile => ({
  ...outgoing({ parent: related(entity, id), file_name: name, ...more }),
  ...{ size: 12, contentType: 'text/plain' },
  body: Readable.from([Buffer.from('twelve bytes')], { objectMode: false }),
})
const again = (file: OutgoingFile): OutgoingFile => ({
  ...file,
  body: Readable.from([Buffer.from('twelve bytes')], { objectMode: false }),
})
const placeOf = ({ fields }: OutgoingFile) => fields.parent as { entity: string; destinationId: string }
const idIn = (outcome: WriteOutcome) => ('destinationId' in outcome ? outcome.destinationId : null)

test('a file arrives in the ticket or the note that it belongs to, and is found there', async () => {
  const { twin, writer, ticket, openNote, closedNote, inTicket, inNote, conversations } = await open()
  const files = [
    fileOf('tickets', ticket.id, 'a "b".txt'),
    fileOf('comments', `${ticket.id}-${openNote.id}`, 'c.txt'),
    fileOf('comments', `${ticket.id}-${closedNote.id}`, 'd.txt', { is_private: true }),
  ]
  for (const file of files) {
    const outcome = await writer.writeFile('attachments', file)
    expect(outcome).toMatchObject({ result: 'written' })
    const found = await writer.find('attachments', [{ ...soughtOf(file, placeOf(file)), destinationId: idIn(outcome) }])
    expect(found).toMatchObject([{ destinationId: idIn(outcome), fileSize: 12 }])
    expect(found[0]?.fields).toEqual((await writer.asStored('attachments', file)).fields)
    // Sent again with its id, it stays one file.
    expect(await writer.writeFile('attachments', { ...again(file), destinationId: idIn(outcome) })).toMatchObject({
      destinationId: idIn(outcome),
    })
  }
  expect([inTicket(), inNote(openNote), inNote(closedNote)]).toEqual([['a -b-.txt'], ['c.txt'], ['d.txt']])
  expect(conversations.size()).toBe(2)
  twin.expectNoViolations()
})

test('a private file of a public text becomes a private note', async () => {
  const { twin, writer, ticket, openNote, inTicket, inNote, conversations } = await open({ hasNotifications: true })
  const mails = [...twin.account.mails]
  const parents = [['tickets', ticket.id] as const, ['comments', `${ticket.id}-${openNote.id}`] as const]
  for (const [entity, id] of parents) {
    const file = fileOf(entity, id, 'secret.txt', { is_private: true })
    const outcome = await writer.writeFile('attachments', file)
    expect(await writer.find('attachments', [soughtOf(file, placeOf(file))])).toMatchObject([
      { destinationId: idIn(outcome), fileSize: 12 },
    ])
  }
  expect([inTicket(), inNote(openNote)]).toEqual([[], []])
  const added = conversations.list().slice(2)
  expect(added.map((note) => [note.private, inNote(note)])).toEqual([
    [true, ['secret.txt']],
    [true, ['secret.txt']],
  ])
  expect(twin.account.mails).toEqual(mails)
})

test('of two files of one name the second is found after a lost answer, and neither arrives twice', async () => {
  const { twin, writer, ticket, closedNote, inTicket, inNote } = await open()
  const places = [
    ['tickets', ticket.id, `/api/v2/tickets/${ticket.id}`],
    ['comments', `${ticket.id}-${closedNote.id}`, `/api/v2/conversations/${closedNote.id}`],
  ] as const
  for (const [entity, id, path] of places) {
    const [first, second] = [fileOf(entity, id, 'same.txt'), fileOf(entity, id, 'same.txt')]
    const outcome = await writer.writeFile('attachments', first)
    // Before it is sent, the file is not found, although one of its name is there.
    expect(await writer.find('attachments', [soughtOf(second, placeOf(second))])).toEqual([])
    twin.faults.next('PUT', path, { kind: 'lost' })
    await expect(writer.writeFile('attachments', second)).rejects.toThrow()
    const sought = [first, second].map((file) => soughtOf(file, placeOf(file)))
    const found = await writer.find('attachments', sought)
    expect(found.map(({ key }) => key)).toEqual([first.key, second.key])
    expect(found[0]?.destinationId).toBe(idIn(outcome))
    expect(found[1]?.destinationId).not.toBe(idIn(outcome))
  }
  expect([inTicket(), inNote(closedNote)]).toEqual([
    ['same.txt', 'same.txt'],
    ['same.txt', 'same.txt'],
  ])
})

test("a file beyond a ticket's size limit is refused in Freshdesk's words", async () => {
  const { writer, ticket, closedNote, inTicket, inNote } = await open({ mostBytes: 20 })
  expect(await writer.writeFile('attachments', fileOf('tickets', ticket.id, 'a.txt'))).toMatchObject({
    result: 'written',
  })
  const beyond = fileOf('comments', `${ticket.id}-${closedNote.id}`, 'b.txt')
  expect(await writer.writeFile('attachments', beyond)).toMatchObject({
    ...{ result: 'refused', message: expect.stringContaining('20 MB') },
  })
  expect([inTicket(), inNote(closedNote)]).toEqual([['a.txt'], []])
})

test('if Freshdesk changes no note by a file alone, the files become private notes, in later workers too', async () => {
  const { twin, openWriter, ticket, closedNote, inNote, conversations } = await open()
  const json = { description: 'Validation failed', errors: [{ field: 'body', code: 'missing_field', message: 'x' }] }
  let refusals = 0
  twin.faults.when(({ method, url }) => {
    if (method !== 'PUT' || !url.pathname.includes('/conversations/')) return null
    refusals += 1
    return { kind: 'answered', status: 400, json }
  })
  const file = fileOf('comments', `${ticket.id}-${closedNote.id}`, 'a.txt')
  await expect(openWriter().writeFile('attachments', file)).rejects.toThrow('We send it as a note')
  expect(await openWriter().find('attachments', [soughtOf(file, placeOf(file))])).toEqual([])
  const outcome = await openWriter().writeFile('attachments', again(file))
  expect(await openWriter().find('attachments', [soughtOf(file, placeOf(file))])).toMatchObject([
    { destinationId: idIn(outcome) },
  ])
  expect(inNote(closedNote)).toEqual([])
  const added = conversations.list().slice(2)
  expect(added.map((note) => [note.private, inNote(note)])).toEqual([[true, ['a.txt']]])
  expect(refusals).toBe(1)
})

test('a file of a note that people deleted is refused, and other files go their usual way', async () => {
  const { writer, ticket, closedNote, inNote } = await open()
  const gone = fileOf('comments', `${ticket.id}-999`, 'a.txt')
  expect(await writer.writeFile('attachments', gone)).toMatchObject({ result: 'refused' })
  await writer.writeFile('attachments', fileOf('comments', `${ticket.id}-${closedNote.id}`, 'b.txt'))
  expect(inNote(closedNote)).toEqual(['b.txt'])
})

test('of two files of one name, both lost, each is found once while the other is in doubt and afterwards', async () => {
  const { twin, openWriter, ticket, inTicket } = await open()
  const files = [fileOf('tickets', ticket.id, 'same.txt'), fileOf('tickets', ticket.id, 'same.txt')]
  const sought = files.map((file) => soughtOf(file, placeOf(file)))
  for (const [at, file] of files.entries()) {
    twin.faults.next('PUT', '/api/v2/tickets/', { kind: 'lost' })
    await expect(openWriter().writeFile('attachments', file)).rejects.toThrow()
    expect(await openWriter().find('attachments', sought.slice(at, at + 1))).toHaveLength(1)
  }
  const found = await openWriter().find('attachments', sought)
  expect(found.map(({ key }) => key)).toEqual(files.map(({ key }) => key))
  expect(new Set(found.map(({ destinationId }) => destinationId)).size).toBe(2)
  expect(inTicket()).toHaveLength(2)
})

test('a note that arrived twice is removed once, and a file that people may have added stays', async () => {
  const { writer, ticket, conversations, inTicket } = await open()
  const record = outgoing({ ticket: related('tickets', ticket.id), body: '<p>Twice</p>' })
  const secret = fileOf('tickets', ticket.id, 'secret.txt', { is_private: true })
  const plain = fileOf('tickets', ticket.id, 'plain.txt')
  const [note] = await writer.write('comments', [record])
  const outcomes = [note, await writer.writeFile('attachments', secret), await writer.writeFile('attachments', plain)]
  const removable = (of: { key: string }, at: number) => ({
    ...{ key: of.key, parent: { entity: 'tickets', destinationId: ticket.id }, version: null },
    destinationId: String(idIn(outcomes[at] as WriteOutcome)),
  })
  expect(await writer.remove('comments', [removable(record, 0)])).toMatchObject([{ result: 'removed' }])
  expect(await writer.remove('attachments', [removable(secret, 1)])).toMatchObject([{ result: 'removed' }])
  expect(await writer.remove('attachments', [removable(plain, 2)])).toMatchObject([{ result: 'kept' }])
  expect(conversations.size()).toBe(2)
  expect(inTicket()).toEqual(['plain.txt'])
})
