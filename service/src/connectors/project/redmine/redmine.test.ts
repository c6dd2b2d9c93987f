import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeReader, readAll } from '../../../../../test/connectors/reader-contract.ts'
import {
  type FakeRedmine,
  sendJson,
  sendStatus,
  sendTruncated,
  startFakeRedmine,
} from '../../../../../test/connectors/redmine/fake.ts'
import { readConfig } from '../../../config.ts'
import { AccountRefusedError, ObstacleError, RetryableError } from '../../../errors.ts'
import type { Family } from '../../../families/index.ts'
import { createOutbound } from '../../../outbound/outbound.ts'
import type { Account, OutgoingRecord } from '../../contract/contract.ts'
import { redmine } from './index.ts'
import { openRedmineReader } from './reader.ts'
import { openRedmineWriter } from './writer.ts'

// Tests against answers of a real Redmine (recordings/) and against faulty answers.

const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
const recorded = await startFakeRedmine()
let fake: FakeRedmine

beforeEach(async () => {
  fake = await startFakeRedmine()
})
afterEach(() => fake[Symbol.asyncDispose]())
afterAll(async () => {
  await recorded[Symbol.asyncDispose]()
  await outbound.close()
})

const accountOf = ({ url }: FakeRedmine): Account => ({
  access: { instanceUrl: `${url}/`, username: null, token: 'key' },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})
const openRecorded = (family: Family) => openRedmineReader(accountOf(recorded), family, 6)

describeReader('Redmine, recorded, as a project tool', async () => ({
  reader: openRecorded('project'),
  family: 'project',
  entities: [
    'projects',
    'memberships',
    'milestones',
    'components',
    'issues',
    'comments',
    'time_entries',
    'wiki_pages',
    'attachments',
  ],
}))

describeReader('Redmine, recorded, as a help desk', async () => ({
  reader: openRecorded('helpdesk'),
  family: 'helpdesk',
  entities: ['groups', 'contacts', 'tickets', 'comments', 'attachments'],
}))

test('the connector sends only requests that were recorded from a real Redmine', () => {
  expect(recorded.unexpected).toEqual([])
})

describe('signing in', () => {
  const check = () => redmine.source?.checkAccount(accountOf(fake))

  test('an administrator is accepted', async () => {
    expect(await check()).toEqual({ name: `Redmine Admin at ${new URL(fake.url).host}`, id: fake.url })
  })

  test.each([
    ['a wrong key', sendStatus(401), 'does not accept this API key'],
    ['a REST API that is switched off', sendStatus(403), 'does not accept this API key'],
    ['no Redmine at all', sendStatus(404), 'There is no Redmine at this address'],
    ['a page of something else', sendStatus(200, {}, '<html>'), 'something else than a Redmine'],
    ['someone who is no administrator', sendJson({ user: { id: 5, login: 'x', admin: false } }), 'no administrator'],
  ])('%s is refused with words', async (_name, answer, words) => {
    fake.on('GET /users/current.json', answer)
    await expect(check()).rejects.toThrow(AccountRefusedError)
    await expect(check()).rejects.toThrow(words)
  })

  test.each([
    ['a redirect', sendStatus(302, { location: 'https://elsewhere.example/' })],
    ['a failure', sendStatus(500)],
  ])('%s is no refusal', async (_name, answer) => {
    fake.on('GET /users/current.json', answer)
    await expect(check()).rejects.toThrow(RetryableError)
  })
})

describe('reading with faults', () => {
  const read = () => openRedmineReader(accountOf(fake), 'project', 6).read('issues', null, {})

  test.each([
    ['401', sendStatus(401), ObstacleError],
    ['403', sendStatus(403), ObstacleError],
    ['404', sendStatus(404), RetryableError],
    ['500', sendStatus(500), RetryableError],
    ['half an answer', sendTruncated, RetryableError],
    ['another shape', sendJson({ issues: 'many' }), RetryableError],
    ['things without ids', sendJson({ issues: [{ subject: 'x' }], total_count: 1 }), RetryableError],
  ])('%s stops the page', async (_name, answer, error) => {
    fake.on('GET /issues.json', answer)
    await expect(read()).rejects.toThrow(error)
  })

  test('after a page of time entries that cannot be read, all other entries are read', async () => {
    const ids = Array.from({ length: 14 }, (_, index) => index * 10 + 1)
    fake.on('GET /time_entries.json', (response) => {
      const query = new URL(String(response.req.url), fake.url).searchParams
      const from = Number(query.get('offset'))
      const page = ids.slice(from, from + Number(query.get('limit')))
      if (page.includes(11)) return sendStatus(500)(response, {} as never)
      const time_entries = page.map((id) => ({ id, hours: 1, project: { id: 1, name: 'A' } }))
      return sendJson({ time_entries, total_count: ids.length })(response, {} as never)
    })
    const reader = openRedmineReader(accountOf(fake), 'project', 6)
    await expect(reader.read('time_entries', null, {})).rejects.toThrow(RetryableError)
    const past = reader.after?.('time_entries', null) ?? null
    const found = await readAll((cursor) => reader.read('time_entries', cursor ?? past, {}))
    expect(found.map(({ sourceId }) => Number(sourceId))).toEqual(ids.slice(6))
  })

  test.each([
    ['issues', null, '7'],
    ['issues', '31', '37'],
    ['comments', '31:4', '37:0'],
    ['attachments', null, 'issues|7'],
    ['attachments', 'wiki|3:Start', null],
    ['projects', '5', '11'],
    ['contacts', '2|12:99', '2|18:-1'],
    ['wiki_pages', '3:Start', null],
  ])('the position after a page of %s at %s is %s', (entity, cursor, after) => {
    const reader = openRedmineReader(accountOf(fake), entity === 'contacts' ? 'helpdesk' : 'project', 6)
    expect(reader.after?.(entity, cursor)).toBe(after)
  })

  test('429 tells when to retry', async () => {
    fake.on('GET /issues.json', sendStatus(429, { 'retry-after': '7' }))
    await expect(read()).rejects.toMatchObject({ name: 'RetryableError', retryAfterMs: 7_000 })
  })

  test('a field of a wrong type is left out alone', async () => {
    const issue = {
      id: 1,
      subject: 'x',
      project: { id: 1, name: 'A' },
      done_ratio: 'half',
      estimated_hours: [],
      journals: [{ id: 2, notes: 5 }],
    }
    fake.on('GET /issues/1.json', sendJson({ issue }))
    fake.on('GET /issues.json', sendJson({ issues: [{ id: 1 }], total_count: 1 }))
    const { items, warnings } = await read()
    expect(items[0]?.fields).toMatchObject({ title: 'x', project: { entity: 'projects', sourceId: '1' } })
    expect(items[0]?.fields).not.toHaveProperty('progress_percent')
    expect(warnings.map(({ code, message }) => [code, message.split('"')[1]])).toEqual([
      ['field_unreadable', 'done_ratio'],
      ['field_unreadable', 'estimated_hours'],
    ])
  })

  test('an issue that was deleted after it was listed is skipped', async () => {
    fake.on('GET /issues.json', sendJson({ issues: [{ id: 1 }, { id: 2 }], total_count: 2 }))
    fake.on('GET /issues/1.json', sendStatus(404))
    const { items } = await read()
    expect(items.map(({ sourceId }) => sourceId)).toEqual(['2'])
  })

  test('notes are read oldest first, whatever order the account has set', async () => {
    const journals = [3, 1, 2].map((id) => ({
      id,
      notes: `n${id}`,
      created_on: '2020-01-01T00:00:00Z',
      private_notes: false,
      details: [],
    }))
    fake.on('GET /issues.json', sendJson({ issues: [{ id: 1 }], total_count: 1 }))
    fake.on('GET /issues/1.json', sendJson({ issue: { id: 1, journals } }))
    const notes = await readAll((cursor) =>
      openRedmineReader(accountOf(fake), 'project', 6).read('comments', cursor, {}),
    )
    expect(notes.map(({ sourceId }) => sourceId)).toEqual(['1-1', '1-2', '1-3'])
    expect(notes.map(({ sourceUrl }) => sourceUrl?.split('#')[1])).toEqual(['note-1', 'note-2', 'note-3'])
  })

  test('files are downloaded from the instance, not from the address in an answer', async () => {
    const file = { id: 9, filename: 'x', content_url: 'http://127.0.0.1:1/steal' }
    fake.on('GET /attachments/download/9', sendStatus(200, {}, 'bytes'))
    const reader = openRedmineReader(accountOf(fake), 'project', 6)
    const { body } = await reader.openFile({ entity: 'attachments', sourceId: String(file.id), fields: {} })
    expect(Buffer.concat(await body.toArray()).toString()).toBe('bytes')
  })
})

describe('writing with faults', () => {
  const record = (rest: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
    key: 'imp_1/issues/1',
    revision: 1,
    destinationId: null,
    fields: { title: 'x', project: { entity: 'projects', key: 'p', destinationId: '1' } },
    customFields: {},
    createdAt: null,
    updatedAt: null,
    createdBy: null,
    ...rest,
  })
  const writer = () => openRedmineWriter(accountOf(fake), 'project')
  const keyFieldId = 1
  const made = {
    issue: {
      id: 77,
      status: { id: 1, name: 'New' },
      custom_fields: [{ id: keyFieldId, name: 'Wherry key', value: 'imp_1/issues/1' }],
    },
  }
  const withoutFilter = {
    id: keyFieldId,
    name: 'Wherry key',
    customized_type: 'issue',
    field_format: 'string',
    is_filter: false,
    trackers: [],
  }

  beforeEach(() => fake.on('POST /issues.json', sendJson(made, 201)))

  test("a refusal carries Redmine's own message", async () => {
    fake.on(
      'POST /issues.json',
      sendJson({ errors: ['Due date must be greater than start date', 'Subject cannot be blank'] }, 422),
    )
    expect(await writer().write('issues', [record()])).toEqual([
      {
        key: 'imp_1/issues/1',
        result: 'refused',
        code: 'invalid',
        message: 'Due date must be greater than start date. Subject cannot be blank',
      },
    ])
  })

  test('a collision of two changes is retried', async () => {
    fake.on('POST /issues.json', sendJson({ errors: [] }, 422))
    await expect(writer().write('issues', [record()])).rejects.toThrow(RetryableError)
  })

  test.each([
    [401, ObstacleError],
    [500, RetryableError],
    [429, RetryableError],
  ])('%i stops the batch', async (status, error) => {
    fake.on('POST /issues.json', sendStatus(status))
    await expect(writer().write('issues', [record()])).rejects.toThrow(error)
  })

  test('an issue without its key is deleted, and the run pauses', async () => {
    fake.on(
      'POST /issues.json',
      sendJson({ issue: { id: 77, tracker: { id: 1, name: 'Bug' }, custom_fields: [] } }, 201),
    )
    fake.on('DELETE /issues/77.json', sendStatus(204))
    await expect(writer().write('issues', [record()])).rejects.toMatchObject({
      code: 'key_field_missing',
      mustAct: 'customer',
    })
    expect(fake.sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /issues.json',
      'DELETE /issues/77.json',
    ])
  })

  test('an issue is deleted if its author may not set all fields and Redmine refuses the rest', async () => {
    const ada = { id: 5, login: 'ada', firstname: 'Ada', lastname: 'L', admin: true }
    fake.on('GET /users.json', (response, sent) => {
      const users = sent.path.includes('status=1') ? [ada] : []
      sendJson({ users, total_count: users.length })(response, sent)
    })
    fake.on('GET /issues/77.json', sendJson(made))
    fake.on('PUT /issues/77.json', sendJson({ errors: ['Due date must be greater than start date'] }, 422))
    fake.on('DELETE /issues/77.json', sendStatus(204))
    for (const id of [1, 5]) fake.on(`DELETE /issues/77/watchers/${id}.json`, sendStatus(204))
    const createdBy = { name: 'Ada', email: null, userId: '5' }
    expect(await writer().write('issues', [record({ createdBy })])).toMatchObject([
      { result: 'refused', code: 'invalid', message: 'Due date must be greater than start date' },
    ])
    expect(fake.sent.map(({ method, path, login }) => `${method} ${path} ${login ?? ''}`)).toEqual(
      expect.arrayContaining(['POST /issues.json ada', 'DELETE /issues/77.json ']),
    )
  })

  test('without a key field that is a filter, `find` throws and does not read every issue', async () => {
    fake.on('GET /custom_fields.json', sendJson({ custom_fields: [withoutFilter] }))
    const sought = [{ key: 'imp_1/issues/1', destinationId: null, parent: null }]
    await expect(writer().find('issues', sought)).rejects.toMatchObject({ code: 'key_field_missing' })
    const checks = (await writer().preflight?.()) ?? []
    expect(checks.map(({ code, isFine, isBlocking }) => [code, isFine, isBlocking])).toEqual([
      ['key_field_issue', false, true],
      ['key_field_time_entry', false, true],
      ['mail_not_silent', false, false],
      ['parents_computed', true, false],
    ])
    expect(checks.every(({ fix }) => (fix ?? '').length > 20)).toBe(true)
  })

  test.each([
    ['no address', [], 'Zoë|Ode'],
    ['one that Redmine calls invalid', ['root@localhost'], 'Zoë Ode|(root@localhost)'],
    ['one that is too long', [`${'x'.repeat(250)}@customer.example`], 'Zoë|Ode'],
  ])(
    'a contact with %s gets an address that reaches nobody, and a lost address is reported',
    async (_kind, emails, name) => {
      const [firstname, lastname] = name.split('|')
      fake.on('GET /users.json', sendJson({ users: [], total_count: 0 }))
      fake.on('POST /users.json', sendJson({ user: { id: 9, login: 'x' } }, 201))
      const contact = { key: 'imp_1/contacts/1', fields: { name: 'Zoë Ode', emails } }
      const [outcome] = await openRedmineWriter(accountOf(fake), 'helpdesk').write('contacts', [record(contact)])
      expect(outcome).toMatchObject({
        result: 'written',
        destinationId: '9',
        ...(emails.length > 0 && { losses: ['address_refused'] }),
      })
      expect(fake.sent.at(-1)?.json).toMatchObject({
        send_information: false,
        user: { mail: expect.stringMatching(/^[0-9a-f]{12}@no-address\.invalid$/), firstname, lastname },
      })
    },
  )

  test('a failed search does not mean "not found"', async () => {
    const sought = [{ key: 'imp_1/issues/1', destinationId: null, parent: null }]
    fake.on('GET /issues.json', sendStatus(502))
    await expect(writer().find('issues', sought)).rejects.toThrow(RetryableError)
  })

  test('only issues with the key are found, even if Redmine ignores the filter', async () => {
    const others = [
      { id: 5, custom_fields: [{ id: keyFieldId, name: 'Wherry key', value: 'imp_2/issues/1' }] },
      { id: 6 },
    ]
    fake.on('GET /issues.json', sendJson({ issues: others, total_count: 2 }))
    expect(await writer().find('issues', [{ key: 'imp_1/issues/1', destinationId: null, parent: null }])).toEqual([])
  })

  test('an archived project is an obstacle and does not count as missing', async () => {
    fake.on('GET /projects/1.json', sendStatus(403))
    const sought = [{ key: 'imp_1/projects/1', destinationId: '1', parent: null }]
    await expect(writer().find('projects', sought)).rejects.toMatchObject({ code: 'project_archived' })
  })

  test("missing values become the instance's defaults, and the outcome reports it", async () => {
    const opened = writer()
    expect((await opened.asStored('issues', record())).fields).toMatchObject({
      tracker: 1,
      status: 1,
      priority: 2,
      project: 1,
      subject: 'x',
    })
    await opened.write('issues', [record()])
    expect(fake.sent[0]?.json).toMatchObject({
      issue: { project_id: 1, tracker_id: 1, priority_id: 2, start_date: '', is_private: false },
    })
  })
})
