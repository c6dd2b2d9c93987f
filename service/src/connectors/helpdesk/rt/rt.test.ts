import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeRt, readRecordings, type SeenRequest, startFakeRt } from '../../../../../test/connectors/rt/fake.ts'
import {
  readScenario,
  scenarioKey,
  writeScenario,
  writeTicketsScenario,
} from '../../../../../test/connectors/rt/scenarios.ts'
import { readConfig } from '../../../config.ts'
import { AccountRefusedError, ObstacleError, RetryableError } from '../../../errors.ts'
import { createOutbound } from '../../../outbound/outbound.ts'
import { rt } from './index.ts'
import { openReader } from './reader.ts'
import { openWriter } from './writer.ts'

const outbound = createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)
let fake: FakeRt

afterAll(() => outbound.close())

const account = (token = 'token') => ({
  access: { instanceUrl: `${fake.url}/`, username: null, token },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})

describe('as a source', () => {
  beforeEach(async () => {
    fake = await startFakeRt(await readRecordings('reading'))
    return () => fake[Symbol.asyncDispose]()
  })
  const read = () => readScenario(openReader(account()), '1')

  test('a ticket is read with its text, people, fields and links', async () => {
    const { ticket, warnings, users } = await read()
    expect(fake.unexpected).toEqual([])
    const amelia = users.find(({ name }) => name === 'Amelia Stone')
    expect(ticket).toMatchObject({
      entity: 'tickets',
      sourceId: '1',
      sourceUrl: `${fake.url}/Ticket/Display.html?id=1`,
      createdAt: '2019-03-04T05:06:07.000Z',
      fields: {
        number: '1',
        subject: 'Mails with parts',
        description: {
          format: 'plain',
          body: expect.stringMatching(/^Plain text,\nwith <b>no<\/b> HTML & an emoji 🚀/),
        },
        status: 'open',
        priority: 'normal',
        assignee: { userId: amelia?.id },
        due_at: '2024-05-01T10:00:00.000Z',
        time_spent_s: 900,
      },
    })
    expect(ticket?.fields.solved_at).toBeUndefined()
    expect(ticket?.createdBy).toBeUndefined()
    expect(ticket?.customFields?.['Promised at']).toEqual({
      label: 'Promised at',
      type: 'datetime',
      value: '2024-05-01T12:30:00.000Z',
    })
    expect(warnings).toEqual([expect.objectContaining({ code: 'field_unreadable', sourceId: '1' })])
  })

  test('messages, files and people are read from the history and the users', async () => {
    const { comments, attachments, users, contacts, organizations, groups, counts } = await read()
    const bodies = comments.map(({ fields }) => (fields.body as { body: string }).body)
    expect(bodies[0]).toBe('An answer.')
    expect(bodies).toContain('What was merged')
    expect(comments.filter(({ fields }) => fields.is_public === false)).toHaveLength(1)
    expect(attachments.map(({ fields }) => fields.file_name)).toEqual(['dump.bin'])
    expect(users.map(({ email, isActive }) => [email, isActive])).toContainEqual(['gone@agents.example', false])
    expect(contacts.map(({ fields }) => fields.name)).not.toContain('The RT System itself')
    expect(contacts.find(({ fields }) => fields.name === 'Walk In')?.customFields?.login?.value).toBe('walk-in')
    expect(organizations.map(({ sourceId }) => sourceId)).toEqual(['Müller GmbH', 'müller gmbh'])
    expect(groups.map(({ fields }) => fields.name)).toEqual(['General', 'Support', 'Altes'])
    expect(counts).toMatchObject({ groups: 3, contacts: contacts.length, comments: null })
  })

  test.each<[string, (request: SeenRequest) => boolean, (answer: string) => string, RegExp]>([
    ['a list of another shape', isPath('/tickets'), () => '{"items":"many"}', /unknown shape/],
    ['something that is no JSON', isPath('/transactions'), () => '<html>', /no JSON/],
    ['a total without items', isPath('/tickets'), () => '{"items":[],"total":3}', /does not list them/],
  ])('%s is retried', async (_name, isIt, change, message) => {
    fake.fault = (request) => (isIt(request) ? { change } : 'ok')
    const failed = read()
    await expect(failed).rejects.toThrow(RetryableError)
    await expect(failed).rejects.toThrow(message)
  })

  test('a field of the wrong type is left out and reported, and the other fields stay', async () => {
    fake.fault = ({ path }) =>
      path.startsWith('/REST/2.0/tickets')
        ? { change: (answer) => answer.replace('"Status":"open"', '"Status":{}') }
        : 'ok'
    const { ticket, warnings } = await read()
    expect(ticket?.fields).toMatchObject({ subject: 'Mails with parts' })
    expect(ticket?.fields.status).toBeUndefined()
    expect(warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining('"Status"'))
  })

  test('429, server errors and broken answers are retryable; 401 and 403 are lost access', async () => {
    fake.fault = () => ({ status: 429, headers: { 'retry-after': '7' } })
    await expect(read()).rejects.toMatchObject({ name: 'RetryableError', retryAfterMs: 7000 })
    for (const fault of [{ status: 500 }, { status: 302, headers: { location: '/' } }, 'drop', 'truncate'] as const) {
      fake.fault = () => fault
      await expect(read(), String(fault)).rejects.toThrow(RetryableError)
    }
    for (const status of [401, 403]) {
      fake.fault = () => ({ status })
      await expect(read()).rejects.toMatchObject({ code: 'authorization_lost', mustAct: 'customer' })
    }
  })

  test('a redirect to the sign-in page is an obstacle, not a file', async () => {
    const { attachments } = await read()
    const [file] = attachments
    if (!file) throw new Error('no file')
    fake.fault = () => ({ status: 302, headers: { location: `${fake.url}/NoAuth/Login.html?next=x` } })
    await expect(openReader(account()).openFile(file)).rejects.toMatchObject({ code: 'web_pages_closed' })
    fake.fault = () => ({ status: 404 })
    await expect(openReader(account()).openFile(file)).rejects.toThrow(RetryableError)
  })
})

describe('as a destination', () => {
  beforeEach(async () => {
    fake = await startFakeRt(await readRecordings('writing'))
    return () => fake[Symbol.asyncDispose]()
  })
  const isForm = ({ method, path }: SeenRequest) => method === 'POST' && path === '/Ticket/Update.html'

  test('records are written with our key and without mails, and read back as sent', async () => {
    const { queue, contact, ticket, refused, comment, file, found, expected, description } = await writeScenario(
      openWriter(account()),
    )
    expect(fake.unexpected).toEqual([])
    for (const outcome of [queue, contact, ticket, comment, file]) expect(outcome).toMatchObject({ result: 'written' })
    expect(refused).toMatchObject({
      result: 'refused',
      message: 'Tickets of this queue cannot have the status "no such".',
    })
    expect(found[0]).toMatchObject({ ...expected, key: scenarioKey('tickets', 't') })
    expect(description.capabilities).toMatchObject({ deliveryClass: 'C', silentCreate: true, backdate: true })
    const created = fake.seen.filter(({ method, path }) => method === 'POST' && path === '/REST/2.0/ticket')
    expect(JSON.parse(created[0]?.body ?? '')).toMatchObject({
      _RecordTransaction: 0,
      Created: '2018-05-06 07:08:09',
      Resolved: '2018-06-01 00:00:00',
      CustomFields: { 'Wherry key': 'imp_recorded/tickets/t' },
    })
    const forms = fake.seen.filter(isForm)
    expect(forms).toHaveLength(4)
    for (const { body } of forms) {
      for (const role of ['Requestor', 'Cc', 'AdminCc'])
        expect(body).toContain(`name="SkipNotification"\r\n\r\n${role}\r\n`)
    }
  })

  test('a ticket whose first message is not recorded is refused and deleted', async () => {
    fake.fault = (request) => {
      if (isForm(request)) return { status: 200, answer: 'an error page' }
      if (request.method === 'DELETE') return { status: 204 }
      // The search for recorded messages finds none.
      if (request.path.startsWith('/REST/2.0/transactions')) return { change: () => '{"items":[],"total":0}' }
      return 'ok'
    }
    const { ticket } = await writeTicketsScenario(openWriter(account()))
    expect(ticket).toMatchObject({
      result: 'refused',
      code: 'not_recorded',
      message: expect.stringContaining('did not record'),
    })
    const removed = fake.seen.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
    expect(removed).toEqual([expect.stringMatching(/^\/REST\/2\.0\/ticket\/\d+$/), expect.any(String)])
  })

  test('a ticket whose text request is lost is in doubt, and the other ticket is written', async () => {
    const list = (...items: object[]) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      answer: JSON.stringify({ items, total: items.length }),
    })
    const marker = { id: '9', name: 'Wherry key', values: ['imp_recorded/tickets/t#text'] }
    fake.fault = (request) => {
      if (isForm(request) && request.body.includes('name="id"\r\n\r\n2\r\n')) return 'drop'
      if (request.path.startsWith('/REST/2.0/transactions')) {
        return list({ id: '44', Type: 'Correspond', ObjectId: '1', CustomFields: [marker] })
      }
      return request.path.includes('FinalPriority') ? list({ id: '1', Requestor: [], Cc: [], AdminCc: [] }) : 'ok'
    }
    const { ticket, refused } = await writeTicketsScenario(openWriter(account()))
    expect(ticket).toMatchObject({ result: 'written', destinationId: '1' })
    expect(refused).toMatchObject({ result: 'failed', isSent: true, error: { name: 'RetryableError' } })
  })

  test('a new ticket without our key is deleted, and the customer must add the missing field', async () => {
    fake.fault = ({ method, path }) => {
      if (method === 'DELETE') return { status: 204 }
      return path.startsWith('/REST/2.0/tickets')
        ? { change: (answer) => answer.replaceAll('imp_recorded/tickets/t', '') }
        : 'ok'
    }
    const failed = writeScenario(openWriter(account()))
    await expect(failed).rejects.toThrow(ObstacleError)
    await expect(failed).rejects.toMatchObject({ code: 'marker_missing', mustAct: 'customer' })
    expect(fake.seen.some(({ method }) => method === 'DELETE')).toBe(true)
  })

  test('a failed search throws, and never reports a record as missing', async () => {
    const writer = openWriter(account())
    await writer.describe()
    for (const fault of [{ status: 500 }, { status: 400 }, { status: 404 }, 'drop', 'truncate'] as const) {
      fake.fault = () => fault
      for (const entity of ['tickets', 'comments', 'attachments', 'contacts', 'groups']) {
        const sought = [{ key: scenarioKey(entity, 'x'), destinationId: null, parent: null }]
        await expect(writer.find(entity, sought), `${entity} ${JSON.stringify(fault)}`).rejects.toThrow(RetryableError)
      }
    }
  })
})

describe('the account', () => {
  beforeEach(async () => {
    fake = await startFakeRt({ tool: '', recordedOn: '', recordings: [] })
    return () => fake[Symbol.asyncDispose]()
  })
  const check = async () => rt.source?.checkAccount(account())
  const answer = (json: object | string) => () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    answer: typeof json === 'string' ? json : JSON.stringify(json),
  })

  test('is named by its address', async () => {
    fake.fault = answer({ Version: '5.0.3', Plugins: [] })
    expect(await check()).toEqual({ name: new URL(fake.url).host, id: fake.url })
    expect(fake.seen[0]?.path).toBe('/REST/2.0/rt')
  })

  test.each([
    ['a wrong token', () => ({ status: 401, answer: 'Authorization required' }), 'does not accept this token'],
    ['a redirect to a page', () => ({ status: 302, headers: { location: '/' } }), 'no Request Tracker 5'],
    ['a page', answer('<html>'), 'no Request Tracker 5'],
    ['another program', answer({ version: 1 }), 'no Request Tracker 5'],
    ['an old version', answer({ Version: '4.4.7', Plugins: [] }), 'version 5 is needed'],
    ['someone who does not see everything', answer({ Version: '5.0.3' }), 'SuperUser'],
  ])('%s is refused, in words for people', async (_name, fault, message) => {
    fake.fault = fault
    const refused = check()
    await expect(refused).rejects.toThrow(AccountRefusedError)
    await expect(refused).rejects.toThrow(message)
  })

  test('a server error is retryable, and does not refuse the account', async () => {
    fake.fault = () => ({ status: 503 })
    await expect(check()).rejects.toThrow(RetryableError)
  })
})

function isPath(path: string) {
  return (request: SeenRequest) => request.path.startsWith(`/REST/2.0${path}?`)
}
