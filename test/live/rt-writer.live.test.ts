import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  FoundRecord,
  OutgoingFile,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract.ts'
import { rt } from '../../service/src/connectors/rt/index.ts'
import { openReader } from '../../service/src/connectors/rt/reader.ts'
import { openWriter } from '../../service/src/connectors/rt/writer.ts'
import { hashRecord } from '../../service/src/engine/hash-record.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { readAll } from '../connectors/reader-contract.ts'
import { countMails } from './rt.ts'
import { accountOf, live, whySkipped } from './rt-account.ts'

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())

/** A new one in every run, so that a run does not meet what the one before it left. */
const run = `imp_${randomBytes(6).toString('hex')}`
const hostile =
  '<p>ab 𝒳 👩‍🔧 e\u0301 שלום &amp; &lt;b&gt; "q" \'s\' \\ 100% h1. *x* _y_ </div> `z`</p>\n<pre>a\n  b</pre>'
const long = `<p>${'Wörter und 漢字 '.repeat(20_000)}</p>`

let writer: Writer
let agentId = ''
const account = () => accountOf(outbound, 'destination')
const mails = () => countMails(live?.destination.folder ?? '')

const key = (entity: string, id: string) => `${run}/${entity}/${id}`
const outgoing = (entity: string, id: string, fields: object, more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  key: key(entity, id),
  destinationId: null,
  fields: fields as Record<string, unknown>,
  customFields: {},
  createdAt: null,
  updatedAt: null,
  createdBy: null,
  ...more,
})
const sought = (entity: string, id: string, destinationId: string | null = null): SoughtRecord => ({
  key: key(entity, id),
  destinationId,
  parent: null,
})
const idOf = (outcome: WriteOutcome | undefined): string => {
  if (!outcome || outcome.result === 'refused') throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}
const to = (entity: string, id: string, destinationId: string): SentRelation => ({
  entity,
  key: key(entity, id),
  destinationId,
})
const write = async (entity: string, record: OutgoingRecord) => idOf((await writer.write(entity, [record]))[0])
const findOne = async (entity: string, id: string): Promise<FoundRecord> => {
  const [found, ...more] = await writer.find(entity, [sought(entity, id)])
  if (!found || more.length > 0) throw new Error(`${entity} ${id} is there ${found ? 'twice' : 'not at all'}`)
  return found
}
/** What was read back is what was to be expected, field by field and by hash. */
const expectStored = (entity: string, sent: OutgoingRecord, found: FoundRecord) => {
  const expected = writer.asStored(entity, sent)
  expect(found.fields).toMatchObject(withoutEmpty(expected.fields))
  expect(
    hashRecord(found).equals(hashRecord(expected)),
    JSON.stringify({ found, expected }, null, 1).slice(0, 3000),
  ).toBe(true)
}
const withoutEmpty = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

describe.skipIf(!live)(`a real Request Tracker as a destination${live ? '' : ` (${whySkipped})`}`, () => {
  let queueId = ''
  let contactId = ''
  let mailsBefore = 0

  beforeAll(async () => {
    mailsBefore = await mails()
    writer = openWriter(account())
    await writer.describe()
    const agent = `agent-${run}@agents.example`
    await rest('POST', '/user', { Name: agent, EmailAddress: agent, RealName: 'Agent Änne', Privileged: 1 })
    agentId = String(((await rest('GET', `/user/${encodeURIComponent(agent)}`)) as { id: number }).id)
  })

  test('the account is what it says, and a wrong token is refused', async () => {
    await expect(rt.destination?.checkAccount(account())).resolves.toMatchObject({
      name: expect.stringContaining('127.0.0.1'),
    })
    const wrong = { ...account(), access: { ...account().access, token: '1-14-00000000000000000000000000000000' } }
    await expect(rt.destination?.checkAccount(wrong)).rejects.toThrow('does not accept this token')
    const checks = (await writer.preflight?.()) ?? []
    expect(checks.filter(({ isBlocking, isFine }) => isBlocking && !isFine)).toEqual([])
    expect(checks.map(({ code }) => code)).toContain('quiet_messages')
    const users = await readAll((cursor) => writer.users(cursor))
    expect(users).toContainEqual({
      id: agentId,
      name: 'Agent Änne',
      email: `agent-${run}@agents.example`,
      isActive: true,
    })
  })

  test('a group becomes a queue; a queue of the name is used as it is', async () => {
    const sent = outgoing('groups', 'q', {
      name: `Störungen ${run} 🚨`,
      description: "Ausfälle & 'mehr'",
      agents: [agentId],
    })
    queueId = await write('groups', sent)
    expectStored('groups', sent, await findOne('groups', 'q'))
    expect(await write('groups', sent)).toBe(queueId)
    const [matched] = await writer.write('groups', [outgoing('groups', 'general', { name: 'general' })])
    expect(matched).toMatchObject({ result: 'matched' })
    const [blank] = await writer.write('groups', [outgoing('groups', 'blank', { name: '' })])
    expect(blank).toMatchObject({ result: 'refused', message: expect.any(String) })
  })

  test('a contact becomes a user; whoever has the address is that contact', async () => {
    const organization = to(
      'organizations',
      'o',
      idOf((await writer.write('organizations', [outgoing('organizations', 'o', { name: 'Müller & Söhne' })]))[0]),
    )
    const sent = outgoing(
      'contacts',
      'c',
      {
        name: "عمر O'Brien 👩‍🔧",
        emails: `omar-${run}@customer.example`,
        phones: [{ number: '+49 1', type: 'mobile' }, { number: '030 2' }],
        organization,
        language: 'ar',
        timezone: 'Africa/Cairo',
        notes: 'VIP\r\nzwei Zeilen <b>',
      },
      {
        customFields: {
          Contract: { label: 'Contract', type: 'text', value: 'K-1' },
          address: { label: 'Address', type: 'address', value: { city: 'Kairo' } },
        },
      },
    )
    contactId = await write('contacts', sent)
    expectStored('contacts', sent, await findOne('contacts', 'c'))
    expect(await write('contacts', sent)).toBe(contactId)
    const same = outgoing('contacts', 'c2', { name: 'Someone else', emails: `OMAR-${run}@customer.example` })
    expect((await writer.write('contacts', [same]))[0]).toMatchObject({ result: 'matched', destinationId: contactId })
    const nameless = outgoing('contacts', 'c3', { name: 'No address', is_suspended: true })
    await write('contacts', nameless)
    expectStored('contacts', nameless, await findOne('contacts', 'c3'))
  })

  const ticketOf = (id: string, fields: object = {}, more: Partial<OutgoingRecord> = {}) =>
    outgoing(
      'tickets',
      id,
      {
        subject: 'Rake arrived bent',
        description: '<p>See photo</p>',
        status: 'open',
        requester: to('contacts', 'c', contactId),
        group: to('groups', 'q', queueId),
        ...fields,
      },
      { createdAt: '2018-05-06T07:08:09.123Z', ...more },
    )

  test('tickets are read back as they were sent, whatever is in them', async () => {
    const custom = {
      Severity: { label: 'Severity', type: 'option' as const, value: 'High' },
      Components: { label: 'Components', type: 'option' as const, value: ['データ', 'API', 'not offered'] },
      Aliases: { label: 'Aliases', type: 'text' as const, value: ['b', 'a', 'b'] },
      'Reported on': { label: 'Reported on', type: 'date' as const, value: '2024-02-29' },
      'Promised at': { label: 'Promised at', type: 'datetime' as const, value: '2024-05-01T12:30:00.000Z' },
      'Notes for QA': { label: 'Notes for QA', type: 'long_text' as const, value: 'eins\r\nzwei <b>&' },
      'Customer number': { label: 'Customer number', type: 'integer' as const, value: 42 },
      links: { label: 'Links', type: 'url' as const, value: ['https://example.com/a?b=1'] },
      priority_number: { label: 'Priority (number)', type: 'integer' as const, value: 73 },
    }
    const sent = [
      ticketOf(
        'full',
        {
          number: 'A-1042',
          subject: 'Ünïcode 🚀 שלום <b>"x"</b>',
          description: hostile,
          status: 'solved',
          assignee: agentId,
          followers: [agentId],
          collaborators: [to('contacts', 'c', contactId)],
          due_at: '2019-01-01T10:00:00.500Z',
          solved_at: '2018-06-01T00:00:00.000Z',
          time_spent_s: 5400,
        },
        { customFields: custom, createdBy: { name: 'Agent Änne', email: null, userId: agentId } },
      ),
      ticketOf(
        'bare',
        { subject: '', description: '', group: undefined, requester: undefined, status: undefined },
        { createdAt: null },
      ),
      ticketOf('long', { subject: 'x'.repeat(300), description: long, status: 'pending', priority: 'urgent' }),
      ticketOf('rejected', { status: 'rejected', solved_at: '2018-06-01T00:00:00.000Z' }),
      ticketOf('old', { status: 'new' }, { createdAt: '1955-01-01T00:00:00.000Z' }),
    ]
    const outcomes = await writer.write('tickets', sent)
    expect(outcomes.map(({ result }) => result)).toEqual(sent.map(() => 'written'))
    for (const record of sent)
      expectStored('tickets', record, await findOne('tickets', String(record.key.split('/')[2])))
    const full = (await rest('GET', `/ticket/${idOf(outcomes[0])}`)) as { Created: string; Creator: { id: string } }
    expect(full).toMatchObject({ Created: '2018-05-06T07:08:09Z', Creator: { id: `agent-${run}@agents.example` } })
  })

  test('a ticket that is refused says why, and leaves nothing behind', async () => {
    const [outcome] = await writer.write('tickets', [ticketOf('refused', { status: 'no such status' })])
    expect(outcome).toMatchObject({ result: 'refused', message: expect.stringContaining('status') })
    const [queue] = await writer.write('tickets', [ticketOf('queueless', { group: to('groups', 'x', '999999') })])
    expect(queue).toMatchObject({ result: 'refused' })
    expect(await writer.find('tickets', [sought('tickets', 'refused'), sought('tickets', 'queueless')])).toEqual([])
  })

  test('links and changes arrive with a second write, and nothing is doubled', async () => {
    const [parent, child] = [ticketOf('parent'), ticketOf('child', { status: 'new' })]
    const parentId = await write('tickets', parent)
    const childId = await write('tickets', child)
    const changed = ticketOf(
      'child',
      {
        subject: 'Now bent twice',
        status: 'solved',
        solved_at: '2018-07-01T00:00:00.000Z',
        assignee: agentId,
        parent_ticket: to('tickets', 'parent', parentId),
        depends_on: [to('tickets', 'parent', parentId)],
        linked_tickets: [to('tickets', 'parent', parentId)],
      },
      { destinationId: childId, customFields: { Severity: { label: 'Severity', type: 'option', value: 'Low' } } },
    )
    expect(await write('tickets', changed)).toBe(childId)
    expectStored('tickets', changed, await findOne('tickets', 'child'))
    expect(await write('tickets', changed)).toBe(childId)
    expectStored('tickets', changed, await findOne('tickets', 'child'))
  })

  test('messages come in their order, public or not, with who wrote them and when, and a closed ticket stays closed', async () => {
    const sent = ticketOf('thread', { status: 'solved', solved_at: '2018-06-01T00:00:00.000Z' })
    const ticketId = await write('tickets', sent)
    const ticket = to('tickets', 'thread', ticketId)
    const comments = [hostile, '', long, '<p>four</p>', '<div class="wherry-origin">mine</div>\n<p>five</p>'].map(
      (body, index) =>
        outgoing(
          'comments',
          `m${index}`,
          { ticket, body, is_public: index % 2 === 0, author_contact: to('contacts', 'c', contactId) },
          { createdAt: `2018-05-0${index + 1}T01:02:03.456Z` },
        ),
    )
    const outcomes = await writer.write('comments', comments)
    const ids = outcomes.map(idOf).map(Number)
    expect([...ids].sort((a, b) => a - b)).toEqual(ids)
    for (const record of comments)
      expectStored('comments', record, await findOne('comments', String(record.key.split('/')[2])))
    expectStored('tickets', sent, await findOne('tickets', 'thread'))
    const again = comments.map((record, index) => ({ ...record, destinationId: String(ids[index]) }))
    expect((await writer.write('comments', again)).map(idOf).map(Number)).toEqual(ids)
    const reader = openReader(account())
    const thread = await readAll(
      async (cursor) =>
        (await reader.readSome?.('comments', { parents: [{ entity: 'tickets', sourceId: ticketId }] }, cursor)) ?? {
          items: [],
          next: null,
        },
    )
    expect(thread).toHaveLength(comments.length + 1)
    expect(JSON.stringify(thread[1]?.fields.body)).toContain('عمر O')
  })

  test('a message for a ticket that is gone is refused', async () => {
    const ticket = to('tickets', 'none', '999999')
    const [outcome] = await writer.write('comments', [
      outgoing('comments', 'lost', { ticket, body: '<p>x</p>', is_public: true }),
    ])
    expect(outcome).toMatchObject({ result: 'refused' })
    expect(await writer.find('comments', [sought('comments', 'lost')])).toEqual([])
  })

  test('files arrive byte by byte, whatever their name, type and size', async () => {
    const ticketId = await write('tickets', ticketOf('files'))
    const comment = outgoing('comments', 'fc', {
      ticket: to('tickets', 'files', ticketId),
      body: '<p>see</p>',
      is_public: false,
    })
    const commentId = await write('comments', comment)
    const cases: [string, string, string | null, Buffer, boolean][] = [
      ['empty', 'leer.txt', 'text/plain', Buffer.alloc(0), true],
      ['latin', 'alt ü"q/..\\x.txt', 'text/plain', Buffer.from('gr\xfc\xdfe\r\n', 'latin1'), true],
      ['utf8', '日本 🚀.csv', 'text/csv; charset=utf-8', Buffer.from('id;n\r\n1;ü\r\n'), false],
      ['html', 'page.html', 'text/html', Buffer.from('<p>ü</p>\r\n'), true],
      ['binary', `${'n'.repeat(300)}.bin`, null, randomBytes(300_000), true],
      ['unsized', 'a b.bin', 'application/pdf', randomBytes(5000), false],
    ]
    const reader = openReader(account())
    for (const [id, name, contentType, bytes, isSized] of cases) {
      const parent = id === 'html' ? to('comments', 'fc', commentId) : to('tickets', 'files', ticketId)
      const file: OutgoingFile = {
        ...outgoing('attachments', id, { parent, file_name: name }),
        size: isSized ? bytes.length : null,
        contentType,
        body: Readable.from([bytes], { objectMode: false }),
      }
      const destinationId = idOf(await writer.writeFile('attachments', file))
      expectStored('attachments', file, await findOne('attachments', id))
      const [stored] =
        (await reader.readSome?.('attachments', { parents: [{ entity: 'comments', sourceId: destinationId }] }, null))
          ?.items ?? []
      if (!stored) throw new Error(`no file ${id}`)
      const chunks: Buffer[] = []
      for await (const chunk of (await reader.openFile(stored)).body) chunks.push(chunk as Buffer)
      expect(digest(Buffer.concat(chunks)), id).toBe(digest(bytes))
      expect(stored.fields.is_private, id).toBe(id === 'html')
    }
  })

  test('what was written is removed, and only that; what people worked on is kept', async () => {
    const ids = new Map<string, string>()
    for (const id of ['mine', 'answered', 'changed']) ids.set(id, await write('tickets', ticketOf(id)))
    expect(await mails(), 'nobody got a mail of ours').toBe(mailsBefore)
    // An answer by hand does mail the customer, which shows that the trap works.
    await rest('POST', `/ticket/${ids.get('answered')}/correspond`, { Content: 'by people', ContentType: 'text/plain' })
    mailsBefore = await mails()
    expect(mailsBefore).toBeGreaterThan(0)
    const removable = [...ids].map(([id, destinationId]) => ({
      ...sought('tickets', id),
      destinationId,
      version: null,
    }))
    const outcomes = await writer.remove('tickets', [
      ...removable,
      { ...sought('tickets', 'never'), destinationId: '999999', version: null },
    ])
    expect(outcomes.map(({ result }) => result)).toEqual(['removed', 'kept', 'removed', 'missing'])
    expect(await writer.find('tickets', [sought('tickets', 'mine', ids.get('mine') ?? null)])).toEqual([])
    expect((await writer.remove('tickets', removable.slice(0, 1)))[0]).toMatchObject({ result: 'missing' })
    const queue = { ...sought('groups', 'q'), destinationId: queueId, version: null }
    expect((await writer.remove('groups', [queue]))[0]).toMatchObject({ result: 'kept' })
    const lonely = outgoing('groups', 'lonely', { name: `Lonely ${run}` })
    const lonelyId = await write('groups', lonely)
    const again = { ...sought('groups', 'lonely'), destinationId: lonelyId, version: null }
    expect((await writer.remove('groups', [again]))[0]).toMatchObject({ result: 'removed' })
    expect(await writer.find('groups', [sought('groups', 'lonely', lonelyId)])).toEqual([])
    expect(await write('groups', outgoing('groups', 'other import', { name: `Lonely ${run}` }))).toBe(lonelyId)
    const contact = { ...sought('contacts', 'c'), destinationId: contactId, version: null }
    expect((await writer.remove('contacts', [contact]))[0]).toMatchObject({ result: 'kept' })
    const stranger = outgoing('contacts', 's', { name: 'S', emails: `s-${run}@customer.example` })
    const strangerId = await write('contacts', stranger)
    expect(
      (await writer.remove('contacts', [{ ...sought('contacts', 's'), destinationId: strangerId, version: null }]))[0],
    ).toMatchObject({ result: 'removed' })
    expect(await writer.find('contacts', [sought('contacts', 's', strangerId)])).toEqual([])
    expect(
      await write('contacts', outgoing('contacts', 's again', { name: 'S', emails: `s-${run}@customer.example` })),
    ).toBe(strangerId)
  })

  test('two tickets with one key are both found', async () => {
    await write('tickets', ticketOf('double'))
    await write('tickets', ticketOf('double'))
    expect(await writer.find('tickets', [sought('tickets', 'double')])).toHaveLength(2)
  })

  test('nobody got a mail', async () => {
    expect(await mails()).toBe(mailsBefore)
  })
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function rest(method: string, path: string, body?: object): Promise<unknown> {
  const { instanceUrl, token } = account().access
  const answer = await fetch(`${instanceUrl}/REST/2.0${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}`)
  return answer.json()
}
