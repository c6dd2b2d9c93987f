import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHelpscoutWriter } from '../../../service/src/connectors/helpdesk/helpscout/writer.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import type { Outbound } from '../../../service/src/outbound/outbound.ts'
import { file, idOf, openTwin, record, to } from './open-helpscout.ts'

// Refusals in the forms that Help Scout documents.

let open: Awaited<ReturnType<typeof openTwin>>
beforeEach(async () => {
  open = await openTwin()
})
afterEach(() => open.close())

const refusal = (status: number, errors: { path: string; message: string }[] = [], headers = {}) => ({
  ...{ kind: 'answered' as const, status, headers },
  json: { logRef: 'x', message: 'Bad request', _embedded: { errors } },
})
const person = (fields: object = {}) => record({ name: 'Nora Nord', emails: ['nora@example.com'], ...fields })
const write = async (entity: string, sent: ReturnType<typeof record>) => (await open.writer().write(entity, [sent]))[0]
const ticketOf = async () => {
  const requester = to('contacts', idOf(await write('contacts', person())))
  return to('tickets', idOf(await write('tickets', record({ subject: 'Broken', requester }))))
}

test.each([400, 409, 412, 415, 422])("%i refuses a record in Help Scout's words", async (status) => {
  const answer = refusal(status, [{ path: 'name', message: 'may not be empty' }])
  open.twin.faults.next('POST', '/v2/organizations', answer)
  const message = 'name: may not be empty'
  expect(await write('organizations', record({ name: 'Acme' }))).toMatchObject({ result: 'refused', message })
  expect(open.sides.size()).toBe(0)
})

/** Some answers of Help Scout to a new thread name no id. */
const withoutIds = (outbound: Outbound): Outbound => ({
  ...outbound,
  async request(address, options) {
    const { headers, ...answer } = await outbound.request(address, options)
    const isOfPart = /\/v2\/conversations\/\d+\//.test(address)
    const { 'resource-id': _id, location: _location, ...others } = headers
    return { ...answer, headers: isOfPart ? others : headers }
  },
})

test('a thread or file whose answer names no id is found in its conversation', async () => {
  const ticket = await ticketOf()
  const account = open.account()
  const writer = openHelpscoutWriter({ ...account, outbound: withoutIds(account.outbound) })
  const said = (body: string, is_public: boolean) => record({ ticket, body, is_public })
  const same = [said('<p>Same</p>', false), said('<p>Same</p>', false), said('<p>Public</p>', true)]
  const ids: string[] = []
  for (const one of same) ids.push(idOf((await writer.write('comments', [one]))[0]))
  expect(new Set(ids).size).toBe(3)
  const hidden = { ...file({ entity: 'tickets', destinationId: ticket.destinationId }, Buffer.from('one')) }
  hidden.fields = { ...hidden.fields, is_private: true }
  const written = idOf(await writer.writeFile('attachments', hidden))
  const [conversation] = open.twin.account.conversations.list()
  const all = conversation?.threads.filter(({ type }) => type !== 'lineitem') ?? []
  const threads = all.map(({ id }) => `${ticket.destinationId}-${id}`)
  expect(threads).toEqual(expect.arrayContaining([...ids, written.replace(/-\d+$/, '')]))
  expect(new Set(threads).size).toBe(threads.length)
  // The ticket has a message and the note with its key besides.
  expect(threads).toHaveLength(6)
})

test('423 means that nothing was done, and is tried again', async () => {
  open.twin.faults.next('POST', '/v2/organizations', refusal(423))
  const [one, other] = await open.writer().write('organizations', [record({ name: 'A' }), record({ name: 'B' })])
  expect(one).toMatchObject({ result: 'failed', isSent: false })
  expect(other).toMatchObject({ result: 'untried' })
})

test('a 429 tells its wait in a header of Help Scout', async () => {
  open.twin.faults.next('GET', '/v2/users', refusal(429, [], { 'x-ratelimit-retry-after': '17' }))
  const error = await open
    .reader()
    .users(null)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RetryableError)
  expect(error).toMatchObject({ retryAfterMs: 17_000 })
})

test('of several addresses, only the refused one is left out', async () => {
  const bad = refusal(400, [{ path: 'emails[1].value', message: 'must be a valid email' }])
  open.twin.faults.next('POST', '/v2/customers', bad)
  const emails = ['nora@example.com', 'not an address', 'nora@other.example']
  expect(await write('contacts', person({ emails }))).toMatchObject({ result: 'written', losses: ['address_refused'] })
  const [nora] = open.twin.account.customers.list()
  expect(nora?.emails.map(({ value }) => value)).toEqual(['nora@example.com', 'nora@other.example'])
})

test('of several phone numbers, only the refused one is left out', async () => {
  const bad = refusal(400, [{ path: 'phones[0].value', message: 'length must be between 1 and 255' }])
  open.twin.faults.next('POST', '/v2/customers', bad)
  const phones = ['+49 30 1', '+49 30 2']
  expect(await write('contacts', person({ phones }))).toMatchObject({ result: 'written', losses: ['phone_refused'] })
  const [nora] = open.twin.account.customers.list()
  expect(nora?.phones.map(({ value }) => value)).toEqual(['+49 30 2'])
})

test('a comment and a file of a conversation that people deleted are told so', async () => {
  const ticket = await ticketOf()
  open.twin.account.conversations.remove(ticket.destinationId)
  const message = 'The record that it belongs to is no longer in Help Scout.'
  const comment = record({ ticket, body: 'Later', is_public: false })
  expect(await write('comments', comment)).toMatchObject({ result: 'refused', code: 'gone', message })
  const sent = await open.writer().writeFile('attachments', file(ticket, Buffer.from('x')))
  expect(sent).toMatchObject({ result: 'refused', code: 'gone', message })
})

test('an undo that Help Scout refuses does not count the comment or the file as deleted', async () => {
  const ticket = await ticketOf()
  const comment = record({ ticket, body: 'Later', is_public: false })
  const upload = file(ticket, Buffer.from('x'))
  const destinationId = idOf(await write('comments', comment))
  const fileId = idOf(await open.writer().writeFile('attachments', upload))
  const path = `/v2/conversations/${ticket.destinationId}`
  const locked = refusal(412, [{ path: 'hidden', message: 'cannot be changed' }])
  open.twin.faults.next('PATCH', `${path}/threads/`, locked)
  const removable = { key: comment.key, destinationId, parent: null, version: null }
  const kept = { result: 'kept', message: 'Help Scout does not delete it: hidden: cannot be changed' }
  expect(await open.writer().remove('comments', [removable])).toMatchObject([kept])
  open.twin.faults.next('DELETE', `${path}/attachments/`, locked)
  const other = { ...removable, key: upload.key, destinationId: fileId }
  expect(await open.writer().remove('attachments', [other])).toMatchObject([kept])
})

test.each([200, 200_000])(
  'a success without Resource-ID after %i bytes is found in the conversation, and creates nothing twice',
  async (bytes) => {
    const ticket = await ticketOf()
    const comment = record({ ticket, body: 'x'.repeat(bytes), is_public: false })
    open.twin.faults.next('POST', `/v2/conversations/${ticket.destinationId}/notes`, { kind: 'spoiled', status: 201 })
    const destinationId = idOf(await write('comments', comment))
    const sought = { key: comment.key, destinationId: null, parent: ticket }
    expect(await open.writer().find('comments', [sought])).toMatchObject([{ destinationId }])
    expect(open.seenAt(`POST /v2/conversations/${ticket.destinationId}/notes`)).toBe(1)
  },
)

test('a person whom the list still shows after their removal is made anew', async () => {
  const first = idOf(await write('contacts', person()))
  open.twin.clock.advance(60_000)
  open.twin.account.customers.remove(first)
  const again = await write('contacts', person())
  expect(again).toMatchObject({ result: 'written' })
  expect(open.twin.account.customers.get(idOf(again))?.emails).toMatchObject([{ value: 'nora@example.com' }])
})
