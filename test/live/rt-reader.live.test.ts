import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openReader } from '../../service/src/connectors/helpdesk/rt/reader.ts'
import type { FamilyRecord, RecordRef } from '../../service/src/families/record.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { describeReader, readAll } from '../connectors/reader-contract.ts'
import { inDatabase, readPlaces } from './place.ts'
import { accountOf, live, whySkipped } from './rt-account.ts'
import { charsets, namedFiles } from './rt-mails.ts'

// Real tools are slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

const open = (pageSize = 15) => openReader(accountOf(outbound, 'source'), pageSize)
const entities = ['groups', 'organizations', 'contacts', 'tickets', 'comments', 'attachments']
const readEntity = (entity: string) => readAll((cursor) => open(50).read(entity, cursor, {}))
const find = async (entity: string, field: string, value: unknown): Promise<FamilyRecord> => {
  const found = (await readEntity(entity)).find(({ fields }) => fields[field] === value)
  if (!found) throw new Error(`no ${entity} with ${field} ${value}`)
  return found
}

describe.skipIf(!live)(`a real Request Tracker as a source${live ? '' : ` (${whySkipped})`}`, () => {
  describeReader('Request Tracker', async () => ({
    reader: open(),
    family: 'helpdesk',
    entities,
    missing: { groups: '99999999', tickets: '99999999', comments: '99999999', attachments: '99999999-1' },
    inDoubt: ['comments', 'attachments'],
  }))

  test('a ticket keeps everything that people see', async () => {
    const ticket = await find('tickets', 'subject', 'Mails with parts')
    expect(ticket).toMatchObject({
      createdAt: '2019-03-04T05:06:07.000Z',
      sourceUrl: expect.stringMatching(/\/Ticket\/Display\.html\?id=\d+$/),
      fields: {
        number: ticket.sourceId,
        description: { format: 'plain', body: expect.stringContaining('with <b>no</b> HTML & an emoji 🚀') },
        status: 'open',
        priority: 'normal',
        due_at: '2024-05-01T10:00:00.000Z',
        time_spent_s: 900,
        followers: [{ userId: expect.stringMatching(/^\d+$/) }],
      },
      customFields: {
        priority_number: { type: 'integer', value: 72 },
        time_estimated_s: { value: 5400 },
        Severity: { type: 'option', value: 'High', options: ['Low', 'Medium', 'High'] },
        Components: { many: true, value: ['API', 'データ'] },
        'Customer number': { value: "O'Neil & <Söhne>" },
        'Reported on': { type: 'date', value: '2024-02-29' },
        'Promised at': { type: 'datetime', value: '2024-05-01T12:30:00.000Z' },
      },
    })
    // Priya and Omar are requesters; Zofia is in copy.
    expect(ticket.fields.collaborators).toHaveLength(2)
    expect(Object.keys(ticket.customFields ?? {})).not.toContain('Scan')
  })

  test('mails in old encodings are read as their writers saw them', async () => {
    const tickets = await readEntity('tickets')
    for (const { charset, type: format, read } of charsets) {
      const ticket = tickets.find(({ fields }) => fields.subject === read.subject)
      expect(ticket?.fields.description, charset).toEqual({ format, body: read.body })
    }
    const { sourceId, fields } = await find('tickets', 'subject', 'names of files')
    expect(fields.description).toEqual({ format: 'html', body: '<p>Siehe <b>Anhang</b>: 5 €</p>' })
    const files = (await readEntity('attachments')).filter(
      ({ fields: { parent } }) =>
        (parent as RecordRef).entity === 'tickets' && (parent as RecordRef).sourceId === sourceId,
    )
    expect(files.map(({ fields: { file_name } }) => file_name)).toEqual(namedFiles.map(({ read }) => read))
    for (const [index, file] of files.entries()) {
      const { body } = await open().openFile(file)
      expect(Buffer.concat(await body.toArray()), namedFiles[index]?.read).toEqual(namedFiles[index]?.bytes)
    }
  })

  test('an unset time, and a time before 1970, is empty', async () => {
    const [ticket] = (await readEntity('tickets')).filter(
      ({ fields }) => fields.solved_at === '2020-01-02T03:04:05.000Z',
    )
    expect(ticket?.createdAt).toBeUndefined()
    expect(ticket?.fields).toMatchObject({ status: 'solved' })
    expect(ticket?.fields.due_at).toBeUndefined()
  })

  test('links keep their kind, a broken link is dropped, and a file in a custom field is reported', async () => {
    const { items, warnings } = await open(50).read('tickets', null, {})
    const parent = items.find(({ fields }) => fields.subject === 'Mails with parts')
    const child = items.find(({ fields }) => fields.parent_ticket)
    const rejected = items.find(({ fields }) => fields.status === 'rejected')
    expect(child?.fields).toMatchObject({
      status: 'on_hold',
      parent_ticket: { entity: 'tickets', sourceId: parent?.sourceId },
      depends_on: [{ entity: 'tickets' }],
      linked_tickets: [{ entity: 'tickets', sourceId: rejected?.sourceId }],
    })
    expect(child?.customFields?.links?.value).toEqual(['https://example.com/a?b=1'])
    expect(rejected?.fields.linked_tickets).toEqual([])
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'field_unreadable', sourceId: parent?.sourceId }))
  })

  test('messages of a merged ticket belong to the other ticket, and messages of a deleted ticket are left out', async () => {
    const ticket = await find('tickets', 'subject', 'Mails with parts')
    const comments = await readEntity('comments')
    const bodies = (some: FamilyRecord[]) =>
      some.map(({ fields }) => (fields.body as { body: string } | undefined)?.body)
    const thread = comments.filter(({ fields }) => (fields.ticket as RecordRef).sourceId === ticket.sourceId)
    expect(bodies(thread)).toEqual(expect.arrayContaining(['An answer.', 'What was merged', 'Said before the merge']))
    expect(bodies(comments)).not.toContain('x')
  })

  test('of several alternatives the richer one is read, with its picture, and files keep their original bytes', async () => {
    const rich = (await readEntity('comments')).find(({ fields }) =>
      String((fields.body as { body: string } | undefined)?.body).includes('Rich, <b>'),
    )
    expect(rich?.fields).toMatchObject({
      is_public: true,
      author_contact: { entity: 'contacts' },
      body: {
        format: 'html',
        inlineFiles: [{ url: 'cid:picture.1@mail', attachment: expect.stringMatching(/^\d+-\d+$/) }],
      },
    })
    const files = await readEntity('attachments')
    const old = files.find(({ fields }) => fields.file_name === 'alt.txt')
    expect(old?.fields.size).toBeUndefined()
    if (!old) throw new Error('no file')
    expect(await bytesOf(old)).toEqual(Buffer.from('gr\xfc\xdfe\r\n', 'latin1'))
    const csv = files.find(({ fields }) => fields.file_name === '日本.csv')
    expect(csv?.fields).toMatchObject({ is_private: true, parent: { entity: 'comments' } })
    const dump = files.find(({ fields }) => fields.file_name === 'dump.bin')
    expect(dump?.fields).toMatchObject({ is_private: false, parent: { entity: 'tickets' }, size: 4 })
    if (dump)
      expect(
        createHash('sha256')
          .update(await bytesOf(dump))
          .digest('hex'),
      ).toBe(
        createHash('sha256')
          .update(Buffer.from([0, 255, 13, 10]))
          .digest('hex'),
      )
  })

  test('agents who left are still users, and disabled customers are suspended', async () => {
    const users = await readAll((cursor) => open().users(cursor))
    expect(users).toContainEqual(expect.objectContaining({ email: 'gone@agents.example', isActive: false }))
    expect(users).toContainEqual(expect.objectContaining({ name: 'Jürgen Müller', isActive: true }))
    expect(users.map(({ name }) => name)).not.toContain('Nobody in particular')
  })

  test('organizations are the distinct names on users, with their own case', async () => {
    const words = (await readEntity('organizations')).map(({ fields }) => fields.name)
    expect(words.sort()).toEqual(['Müller GmbH', 'müller gmbh'])
  })

  test('deleted tickets, reminders, changes and users of the system are skipped and counted', async () => {
    const counted = await open().countSkipped?.()
    const place = readPlaces().rt?.source
    // Tests of deletions may have run before.
    const deleted = await (place
      ? inDatabase(place, (ask) => ask("select id from tickets where status = 'deleted' and type = 'ticket'"))
      : [{ id: 1 }])
    expect(counted).toMatchObject({
      deleted_tickets: deleted.length,
      system_users: 2,
      approvals: 0,
      reminders: 0,
      articles: 0,
      assets: 0,
    })
    expect(counted?.history_entries).toBeGreaterThan(10)
  })

  test('single records equal those of a full read, by id and by parent', async () => {
    const all = new Map<string, FamilyRecord[]>()
    for (const entity of entities) all.set(entity, await readEntity(entity))
    const reader = open()
    for (const entity of entities) {
      const records = all.get(entity) ?? []
      const some = records.filter((_, index) => index % 2 === 0)
      const ids = [...some.map(({ sourceId }) => sourceId), '999999', 'nonsense']
      const read = await readAll(
        async (cursor) => (await reader.readSome?.(entity, { ids }, cursor)) ?? { items: [], next: null },
      )
      expect(new Set(read.map(({ sourceId }) => sourceId)), entity).toEqual(
        new Set(some.map(({ sourceId }) => sourceId)),
      )
      for (const record of read) expect(records, entity).toContainEqual(record)
    }
    const tickets = (all.get('tickets') ?? []).map(({ sourceId }) => ({ entity: 'tickets', sourceId }))
    const comments = (all.get('comments') ?? []).map(({ sourceId }) => ({ entity: 'comments', sourceId }))
    const children = (entity: string, parents: RecordRef[]) =>
      readAll(async (cursor) => (await reader.readSome?.(entity, { parents }, cursor)) ?? { items: [], next: null })
    const byId = (a: FamilyRecord, b: FamilyRecord) => a.sourceId.localeCompare(b.sourceId)
    expect((await children('comments', tickets)).sort(byId)).toEqual([...(all.get('comments') ?? [])].sort(byId))
    expect((await children('attachments', [...tickets, ...comments])).sort(byId)).toEqual(
      [...(all.get('attachments') ?? [])].sort(byId),
    )
  })
})

async function bytesOf(record: FamilyRecord): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of (await open().openFile(record)).body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
