import { afterAll, afterEach, expect, test } from 'vitest'
import type { Reader } from '../../../service/src/connectors/contract/contract.ts'
import { limits, placesOf } from '../../../service/src/connectors/helpdesk/intercom/api.ts'
import { RetryableError } from '../../../service/src/errors.ts'
import { hourMs } from '../../twins/clock.ts'
import { seedDesk } from '../../twins/intercom/seed.ts'
import type { IntercomTwin } from '../../twins/intercom/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'
import { partsOf, record, related, startAccount, writeTicket } from './open-twin.ts'

// Peculiarities of Intercom, each tested against its twin.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let open: IntercomTwin[] = []
afterEach(async () => {
  for (const twin of open) {
    twin.expectNoViolations()
    await twin.close()
  }
  open = []
})
async function start(settings: Parameters<typeof startAccount>[1] = {}, startsAt?: string) {
  const account = await startAccount(outbound, settings, startsAt)
  open.push(account.twin)
  return account
}
async function startDesk(settings: Parameters<typeof startAccount>[1] = {}) {
  const account = await start(settings)
  return { ...account, ...seedDesk(account.twin.account, account.twin.staff) }
}
const someComments = async (reader: Reader, sourceId: string, cursor: string | null) => {
  const page = await reader.readSome?.('comments', { parents: [{ entity: 'tickets', sourceId }] }, cursor)
  if (!page) throw new Error('single records cannot be read')
  return page
}

test('windows of ten seconds are learned from the answers, and a 429 counts as not sent', async () => {
  const window = limits.find(({ name }) => name === 'window')
  const reset = Math.ceil(Date.now() / 1000) + 8
  const headers = { 'x-ratelimit-limit': '1666', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }
  const request = { method: 'GET', url: new URL('https://api.intercom.io/contacts') }
  const told = window?.learn?.({ status: 429, headers }, request)
  expect(told).toMatchObject({ limit: 1666, remaining: 0 })
  expect(told?.resetMs).toBeGreaterThan(0)
  expect(window?.perMs).toBe(10_000)
  const { twin, writer } = await start()
  const people = [record({ name: 'One' }), record({ name: 'Two' })]
  twin.faults.next('POST', '/contacts', {
    kind: 'answered',
    status: 429,
    json: {},
    headers: { 'x-ratelimit-remaining': '0' },
  })
  const outcomes = await writer.write('contacts', people)
  expect(outcomes).toMatchObject([{ result: 'failed', isSent: false }, { result: 'untried' }])
})

test('a region is found by the address that people see, or by the sign-in', () => {
  const at = (instanceUrl: string | null, region?: string) =>
    placesOf({
      ...{ instanceUrl, username: null, token: 't' },
      ...(region && { oauth: { grantId: 'g', instance: '', region, refreshToken: null, renewAt: null } }),
    }).api
  expect(at('https://app.intercom.com/a/inbox/ab12cd34')).toBe('https://api.intercom.io')
  expect(at('app.eu.intercom.com')).toBe('https://api.eu.intercom.io')
  expect(at('https://app.au.intercom.com/')).toBe('https://api.au.intercom.io')
  expect(at(null, 'EU')).toBe('https://api.eu.intercom.io')
  expect(at(null, 'US')).toBe('https://api.intercom.io')
  expect(at('http://127.0.0.1:99/')).toBe('http://127.0.0.1:99')
})

test('a workspace without tickets is reported beforehand, and reads as an empty list', async () => {
  const { writer, reader } = await startDesk({ hasTickets: false })
  expect(Object.keys((await writer.describe()).entities)).not.toContain('tickets')
  expect(await writer.preflight?.()).toContainEqual(expect.objectContaining({ code: 'tickets_in_plan', isFine: false }))
  const tickets = await readAll((cursor) => reader.read('tickets', cursor, {}))
  expect(tickets.length).toBeGreaterThan(0)
  expect(tickets.every(({ sourceId }) => sourceId.startsWith('c'))).toBe(true)
})

test('notes stay visible only to teammates, and so does every part that is not certainly public', async () => {
  const { reader, twin } = await startDesk()
  const [first] = twin.account.conversations.list()
  const parts = twin.account.partsOf(String(first?.id))
  const said = parts.find(({ partType, author }) => partType === 'comment' && author.type === 'admin')
  if (said) parts.push({ ...said, id: twin.account.nextId(), fileIds: [], partType: 'close', body: '<p>Bye</p>' })
  const { items, warnings } = await someComments(reader, `c${first?.id}`, null)
  const bye = items.find(({ fields }) => (fields.body as { body: string }).body === '<p>Bye</p>')
  expect(bye?.fields.is_public).toBe(false)
  expect(warnings).toContainEqual(expect.objectContaining({ sourceId: bye?.sourceId, code: 'audience_narrowed' }))
  const open = items.filter(({ fields }) => fields.is_public)
  expect(open.length).toBeGreaterThan(0)
  expect(open.length).toBeLessThan(items.length - 1)
})

test.each([true, false])(
  'an undo removes our tickets and keeps tickets that people answered, whether parts name their app: %s',
  async (tellsApp) => {
    const { twin, writer } = await start({ tellsApp }, new Date().toISOString())
    const said = (ticketId: string, is_public: boolean) =>
      record({ ticket: related('tickets', ticketId), body: '<p>Old</p>', is_public })
    const [ours, theirs] = [await writeTicket(writer), await writeTicket(writer)]
    await writer.write('comments', [said(ours.ticketId, true), said(ours.ticketId, false), said(theirs.ticketId, true)])
    twin.clock.advance(hourMs)
    const [part] = partsOf(twin, theirs.ticketId)
    if (!part) throw new Error('nothing was said')
    const answer = {
      ...part,
      id: twin.account.nextId(),
      createdAt: twin.account.now(),
      body: '<p>New</p>',
      isByApi: false,
    }
    twin.account.partsOf(theirs.ticketId).push(answer)
    const removable = [ours, theirs].map(({ sent, outcome, ticketId }) => ({
      ...{ key: sent.key, destinationId: ticketId, parent: null },
      version: outcome?.result === 'written' ? outcome.version : null,
    }))
    const outcomes = await writer.remove('tickets', removable)
    expect(outcomes.map(({ result }) => result)).toEqual(['removed', 'kept'])
  },
)

test('an article and a collection whose answers are lost are found in their lists', async () => {
  const { twin, writer } = await start()
  const article = () => record({ title: 'How to', body: '<p>Read this</p>', status: 'draft' })
  const [first, second, shelf] = [article(), article(), record({ name: 'Shelf' })]
  await writer.write('articles', [first])
  twin.faults.next('POST', '/articles', { kind: 'lost' })
  await expect(writer.write('articles', [second])).rejects.toThrow(RetryableError)
  twin.faults.next('POST', '/help_center/collections', { kind: 'lost' })
  await expect(writer.write('categories', [shelf])).rejects.toThrow(RetryableError)
  const [, lost] = twin.account.articles.list()
  const [collection] = twin.account.collections.list()
  const sought = ({ key }: { key: string }) => ({ key, destinationId: null, parent: null })
  expect(await writer.find('articles', [sought(second)])).toMatchObject([{ destinationId: `a${lost?.id}` }])
  expect(await writer.find('categories', [sought(shelf)])).toMatchObject([{ destinationId: collection?.id }])
  expect(await writer.find('articles', [sought(record({}))])).toEqual([])
})
