import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OutgoingFile, Reader } from '../../service/src/connectors/contract/contract.ts'
import { openReader } from '../../service/src/connectors/helpdesk/rt/reader.ts'
import type { FamilyRecord, RecordRef } from '../../service/src/families/record.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { countMails } from './rt.ts'
import { live, whySkipped } from './rt-account.ts'
import { hostile, idOf, long, startWriting, type Writing } from './rt-writing.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

const mails = () => countMails(live?.destination.folder ?? '')
const childrenOf = (reader: Reader, entity: string, parent: RecordRef): Promise<FamilyRecord[]> =>
  readAll(
    async (cursor) => (await reader.readSome?.(entity, { parents: [parent] }, cursor)) ?? { items: [], next: null },
  )

describe.skipIf(!live)(`messages in a real Request Tracker${live ? '' : ` (${whySkipped})`}`, () => {
  let on: Writing
  let mailsBefore = 0
  beforeAll(async () => {
    mailsBefore = await mails()
    on = startWriting(outbound)
    await on.prepare()
  })

  test('messages keep their order, visibility, author and time, and a closed ticket stays closed', async () => {
    const sent = on.ticket('thread', { status: 'solved', solved_at: '2018-06-01T00:00:00.000Z' })
    const ticketId = await on.write('tickets', sent)
    const about = {
      ticket: on.to('tickets', 'thread', ticketId),
      author_contact: on.to('contacts', 'base', on.contactId),
    }
    const notOurs = '<div class="wherry-origin">mine</div>\n<p>five</p>'
    const comments = [hostile, '', long, '<p>four</p>', notOurs].map((body, index) =>
      on.outgoing(
        'comments',
        `m${index}`,
        { ...about, body, is_public: index % 2 === 0 },
        { createdAt: `2018-05-0${index + 1}T01:02:03.456Z` },
      ),
    )
    const ids = (await on.writer.write('comments', comments)).map(idOf)
    expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(ids)
    for (const record of comments) await on.expectStored('comments', record)
    await on.expectStored('tickets', sent)
    const again = comments.map((record, index) => ({ ...record, destinationId: ids[index] ?? null }))
    expect((await on.writer.write('comments', again)).map(idOf)).toEqual(ids)
    const thread = await childrenOf(openReader(on.account()), 'comments', { entity: 'tickets', sourceId: ticketId })
    expect(thread.map(({ sourceId }) => sourceId).slice(1)).toEqual(ids)
    expect(JSON.stringify(thread[1]?.fields.body)).toContain('عمر O')
  })

  test('a message for a deleted ticket is refused', async () => {
    const fields = { ticket: on.to('tickets', 'none', '999999'), body: '<p>x</p>', is_public: true }
    const [outcome] = await on.writer.write('comments', [on.outgoing('comments', 'lost', fields)])
    expect(outcome).toMatchObject({ result: 'refused' })
    expect(await on.writer.find('comments', [on.sought('comments', 'lost')])).toEqual([])
  })

  test('files of any name, type and size arrive byte for byte', async () => {
    const ticketId = await on.write('tickets', on.ticket('files'))
    const ticket = on.to('tickets', 'files', ticketId)
    const comment = on.outgoing('comments', 'fc', { ticket, body: '<p>see</p>', is_public: false })
    const commentId = await on.write('comments', comment)
    const cases: [id: string, name: string, type: string | null, bytes: Buffer, isSized: boolean][] = [
      ['empty', 'leer.txt', 'text/plain', Buffer.alloc(0), true],
      ['latin', 'alt ü"q/..\\x.txt', 'text/plain', Buffer.from('gr\xfc\xdfe\r\n', 'latin1'), true],
      ['utf8', '日本 🚀.csv', 'text/csv; charset=utf-8', Buffer.from('id;n\r\n1;ü\r\n'), false],
      ['html', 'page.html', 'text/html', Buffer.from('<p>ü</p>\r\n'), true],
      ['binary', `${'n'.repeat(300)}.bin`, null, randomBytes(300_000), true],
      ['unsized', 'a b.bin', 'application/pdf', randomBytes(5000), false],
    ]
    const reader = openReader(on.account())
    for (const [id, name, contentType, bytes, isSized] of cases) {
      const parent = id === 'html' ? on.to('comments', 'fc', commentId) : ticket
      const file: OutgoingFile = {
        ...on.outgoing('attachments', id, { parent, file_name: name, ...(id === 'html' && { is_private: true }) }),
        size: isSized ? bytes.length : null,
        contentType,
        body: Readable.from([bytes], { objectMode: false }),
      }
      const destinationId = idOf(await on.writer.writeFile('attachments', file))
      await on.expectStored('attachments', file)
      const [stored] = await childrenOf(reader, 'attachments', { entity: 'comments', sourceId: destinationId })
      if (!stored) throw new Error(`no file ${id}`)
      const chunks: Buffer[] = []
      for await (const chunk of (await reader.openFile(stored)).body) chunks.push(chunk as Buffer)
      expect(digest(Buffer.concat(chunks)), id).toBe(digest(bytes))
      expect(stored.fields.is_private, id).toBe(id === 'html')
      const again = { ...file, destinationId, body: Readable.from([bytes], { objectMode: false }) }
      expect(idOf(await on.writer.writeFile('attachments', again)), id).toBe(destinationId)
      await on.expectStored('attachments', again)
    }
  })

  test('only our records are removed; records that people worked on are kept', async () => {
    const ids = new Map<string, string>()
    for (const id of ['mine', 'answered', 'another']) ids.set(id, await on.write('tickets', on.ticket(id)))
    expect(await mails(), 'nobody got a mail of ours').toBe(mailsBefore)
    // A reply by hand does mail the customer, which shows that our mail check works.
    const answer = { Content: 'by people', ContentType: 'text/plain' }
    await on.rest('POST', `/ticket/${ids.get('answered')}/correspond`, answer)
    expect(await mails()).toBeGreaterThan(mailsBefore)
    mailsBefore = await mails()

    const removable = [...ids, ['never', '999999'] as const].map(([id, destinationId]) => {
      return { ...on.sought('tickets', id), destinationId, version: null }
    })
    const outcomes = await on.writer.remove('tickets', removable)
    expect(outcomes.map(({ result }) => result)).toEqual(['removed', 'kept', 'removed', 'missing'])
    expect(await on.writer.find('tickets', [on.sought('tickets', 'mine', ids.get('mine') ?? null)])).toEqual([])
    expect((await on.writer.remove('tickets', removable.slice(0, 1)))[0]).toMatchObject({ result: 'missing' })
  })

  test('queues and users that tickets need are kept; others are disabled, and enabled again when needed', async () => {
    const remove = async (entity: string, id: string, destinationId: string) =>
      (await on.writer.remove(entity, [{ ...on.sought(entity, id), destinationId, version: null }]))[0]
    expect(await remove('groups', 'base', on.queueId)).toMatchObject({ result: 'kept' })
    expect(await remove('contacts', 'base', on.contactId)).toMatchObject({ result: 'kept' })
    const emails = `s-${on.run}@customer.example`
    const cases = [
      ['groups', { name: `Lonely ${on.run}` }],
      ['contacts', { name: 'S', emails }],
    ] as const
    for (const [entity, fields] of cases) {
      const id = await on.write(entity, on.outgoing(entity, 'lonely', fields))
      expect(await remove(entity, 'lonely', id)).toMatchObject({ result: 'removed' })
      expect(await on.writer.find(entity, [on.sought(entity, 'lonely', id)])).toEqual([])
      expect(await remove(entity, 'lonely', id)).toMatchObject({ result: 'missing' })
      const again = on.outgoing(entity, 'again', fields)
      expect(await on.write(entity, again)).toBe(id)
      await on.expectStored(entity, again)
    }
    const [general] = await on.writer.write('groups', [on.outgoing('groups', 'general', { name: 'General' })])
    expect(await remove('groups', 'general', idOf(general))).toMatchObject({ result: 'missing' })
  })

  test('nobody got a mail', async () => {
    expect(await mails()).toBe(mailsBefore)
  })
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
