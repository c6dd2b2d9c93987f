import { afterAll, afterEach, expect, test } from 'vitest'
import { createLoopbackOutbound } from '../desk-account.ts'
import { fileOf, idOf, lossesOf, partsOf, record, related, startAccount, writeTicket } from './open-twin.ts'

// Private tickets, such as conversations that begin with a note, become tickets of the back office.

const outbound = createLoopbackOutbound()
let closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.map((close) => close()))
  closing = []
})
afterAll(() => outbound.close())

async function start() {
  const started = await startAccount(outbound)
  closing.push(() => started.twin.close())
  return started
}

test('a private ticket is one of the back office, which customers do not see, and is found again', async () => {
  const { twin, writer } = await start()
  const { entities } = await writer.describe()
  expect(entities.tickets?.fields.is_private).toBeDefined()
  const { sent, outcome, ticketId } = await writeTicket(writer, { is_private: true, status: 'solved', tags: ['a'] })
  const { ticketId: open } = await writeTicket(writer, { is_private: false })
  expect(lossesOf(outcome)).toEqual([])
  expect(ticketId).toMatch(/^b\d+$/)
  expect(open).toMatch(/^\d+$/)
  const shared = twin.account.tickets.list().map(({ id, isShared }) => [id, isShared])
  expect(shared).toEqual([
    [ticketId.slice(1), false],
    [open, true],
  ])
  twin.clock.advance(600_000)
  const stored = await writer.asStored('tickets', sent)
  for (const destinationId of [ticketId, null]) {
    const found = await writer.find('tickets', [{ key: sent.key, destinationId, parent: null }])
    expect(found).toMatchObject([{ key: sent.key, destinationId: ticketId }])
    expect(found[0]?.fields).toEqual(stored.fields)
    expect(outcome).toMatchObject({ version: found[0]?.version })
  }
  // A change stays in the back office.
  const changed = { ...sent, destinationId: ticketId, fields: { ...sent.fields, subject: 'Renamed' } }
  expect(await writer.write('tickets', [changed])).toMatchObject([{ result: 'written', destinationId: ticketId }])
  const [now] = await writer.find('tickets', [{ key: sent.key, destinationId: ticketId, parent: null }])
  expect(now?.fields).toMatchObject({ subject: 'Renamed', is_private: true })
  const removable = { key: sent.key, destinationId: ticketId, parent: null, version: now?.version ?? null }
  expect(await writer.remove('tickets', [removable])).toEqual([{ key: sent.key, result: 'removed' }])
  expect(twin.account.tickets.list().map(({ id }) => id)).toEqual([open])
  expect(twin.notifications).toEqual([])
  twin.expectNoViolations()
})

test('messages of a private ticket become notes that name their authors, and the report says so', async () => {
  const { twin, writer } = await start()
  const { ticketId, contactId } = await writeTicket(writer, { is_private: true })
  const ticket = related('tickets', ticketId)
  const author_contact = related('contacts', contactId)
  const records = [
    record({ ticket, body: '<p>Hidden <b>words</b></p>', is_public: false }),
    record({ ticket, body: '<p>Thank you</p>', is_public: true, author_contact }),
    record({ ticket, body: '<p>Welcome</p>', is_public: true, author_agent: twin.account.admins.list()[0]?.id ?? '' }),
  ]
  const outcomes = await writer.write('comments', records)
  expect(outcomes.map(lossesOf)).toEqual([
    ['author_replaced'],
    ['kept_for_agents', 'author_not_kept'],
    ['kept_for_agents'],
  ])
  const file = fileOf({ parent: related('comments', idOf(outcomes[1])), file_name: 'a.txt' }, Buffer.from('a'))
  expect(await writer.writeFile('attachments', file)).toMatchObject({ result: 'written' })
  const parts = partsOf(twin, ticketId.slice(1))
  expect(parts.map(({ partType }) => partType)).toEqual(['note', 'note', 'note', 'note'])
  expect(parts[1]?.body).toContain('— Nora, nora@example.com')
  expect(parts[1]?.body).toContain('Thank you')
  for (const [index, outcome] of outcomes.entries()) {
    const one = records[index] as (typeof records)[number]
    const [found] = await writer.find('comments', [{ key: one.key, destinationId: idOf(outcome), parent: null }])
    expect(found?.fields).toEqual((await writer.asStored('comments', one)).fields)
  }
  twin.expectNoViolations()
})

test('a message that customers read does not count as private once it is private in the source', async () => {
  const { twin, writer } = await start()
  const { ticketId } = await writeTicket(writer)
  const author_agent = twin.account.admins.list()[0]?.id ?? ''
  const fields = { ticket: related('tickets', ticketId), author_agent, body: '<p>Words</p>' }
  const sent = record({ ...fields, is_public: true })
  const inner = record({ ...fields, is_public: false })
  const [said, note] = await writer.write('comments', [sent, inner])
  const again = (one: typeof sent, id: string) => ({
    ...one,
    destinationId: id,
    fields: { ...fields, is_public: false },
  })
  const outcomes = await writer.write('comments', [again(sent, idOf(said)), again(inner, idOf(note))])
  expect(outcomes).toMatchObject([{ result: 'refused', code: 'not_protected' }, { result: 'written' }])
  twin.expectNoViolations()
})

test('a ticket that customers see is not changed once it is private in the source', async () => {
  const { twin, writer } = await start()
  const { sent, ticketId } = await writeTicket(writer)
  const changed = { ...sent, destinationId: ticketId, fields: { ...sent.fields, subject: 'Secret', is_private: true } }
  expect(await writer.write('tickets', [changed])).toMatchObject([{ result: 'refused', code: 'not_protected' }])
  expect(JSON.stringify(twin.account.tickets.list())).not.toContain('Secret')
})
