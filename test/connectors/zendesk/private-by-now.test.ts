import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { commentsOf } from '../../twins/zendesk/comments.ts'
import { seedGuide } from '../../twins/zendesk/seed.ts'
import { saveUser } from '../../twins/zendesk/users.ts'
import { readAll } from '../reader-contract.ts'
import { outgoing, startBoth } from './start-both.ts'

// Records that customers could read when they were copied, and that are for agents alone by now.

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

const relation = (entity: string, id: string) => ({ entity, key: `seed/${id}`, destinationId: id })
const idIn = (outcome: WriteOutcome | undefined): string => {
  if (!outcome || !('destinationId' in outcome)) throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}

test('a message that is private by now becomes private in Zendesk; in a closed ticket that is refused', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const requester = relation('contacts', saveUser(twin.account, { name: 'Rita', email: 'rita@example.test' }).id)
  const comment = outgoing({
    ticket: relation('tickets', ''),
    author_contact: requester,
    body: 'Said',
    is_public: true,
  })
  const part = { ...comment, entity: 'comments' as const }
  const ticket = outgoing({ subject: 'One', description: 'First', requester })
  const [made, said] = (await writer.write('tickets', [{ ...ticket, parts: [part] }])).map(idIn)
  if (made === undefined || said === undefined) throw new Error('not written')
  const changed = (one: OutgoingRecord, destinationId: string, fields: object) => ({
    ...one,
    destinationId,
    fields: { ...one.fields, ...fields },
  })
  const shown = () => commentsOf(twin.account, Number(made)).map((one) => one.public)
  const inner = changed(comment, said, { ticket: relation('tickets', made), is_public: false })
  twin.account.tickets.change(made, { status: 'closed' })
  expect(await writer.write('comments', [inner])).toMatchObject([{ result: 'refused', code: 'not_protected' }])
  expect(shown()).toEqual([true, true])
  twin.account.tickets.change(made, { status: 'open' })
  for (let turn = 0; turn < 2; turn += 1)
    expect(await writer.write('comments', [inner])).toMatchObject([{ result: 'written' }])
  expect(shown()).toEqual([true, false])
  const [whole] = await writer.write('tickets', [changed(ticket, made, { is_private: true })])
  expect(whole).toMatchObject({ result: 'written' })
  expect(shown()).toEqual([false, false])
  twin.expectNoViolations()
})

test('a private file never goes to an article that everyone can read', async () => {
  const { twin, writer } = await startBoth(cleanup)
  const send = async (visibility: string) => {
    const words = { title: visibility, body: 'So', status: 'published', visibility }
    const parent = relation('articles', idIn((await writer.write('articles', [outgoing(words)]))[0]))
    const body = Readable.from([Buffer.from('x')], { objectMode: false })
    const record = outgoing({ parent, file_name: 'x.txt', is_private: true })
    return writer.writeFile('attachments', { ...record, size: 1, contentType: null, body })
  }
  expect(await send('public')).toMatchObject({ result: 'refused', code: 'not_protected' })
  expect(await send('internal')).toMatchObject({ result: 'written' })
  twin.expectNoViolations()
})

test('files of an article for several groups of readers are private', async () => {
  const { twin, reader } = await startBoth(cleanup)
  const { account, guide } = twin
  seedGuide(account, guide, twin.staff)
  const files = async () => {
    const all = await readAll((cursor) => reader.read('attachments', cursor, {}))
    return all.filter(({ sourceId }) => sourceId.startsWith('a')).map(({ fields }) => fields.is_private)
  }
  expect(await files()).toContain(false)
  for (const { id, more } of guide.list('articles'))
    guide.pieces.change(id, { more: { ...more, user_segment_ids: [360_100_000_001, 360_100_000_003] } })
  expect(await files()).not.toContain(false)
})
