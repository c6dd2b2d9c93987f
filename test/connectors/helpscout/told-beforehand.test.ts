import { afterEach, beforeEach, expect, test } from 'vitest'
import { helpscout } from '../../../service/src/connectors/helpdesk/helpscout/index.ts'
import { ObstacleError } from '../../../service/src/errors.ts'
import { minuteMs } from '../../twins/clock.ts'
import { newestFirst } from '../../twins/helpscout/present-conversation.ts'
import { seedDesk, seedDocs } from '../../twins/helpscout/seed.ts'
import { readAll } from '../reader-contract.ts'
import { idOf, openTwin, record } from './open-helpscout.ts'

// Parts of Help Scout that no run copies, or that Help Scout withholds: each is told, and the rest is copied.

type Opened = Awaited<ReturnType<typeof openTwin>>
let open: Opened
beforeEach(async () => {
  open = await openTwin({ searchLagMs: 0 })
})
afterEach(() => open.close())

const seeded = () => {
  const desk = seedDesk(open.twin.account, open.twin.staff, open.twin.files)
  open.twin.clock.advance(minuteMs)
  return desk
}
const forbid = (isMeant: (path: string) => boolean) =>
  open.twin.faults.when(({ url }) => (isMeant(url.pathname) ? { kind: 'answered', status: 403 } : null))
const warningsOf = async (entity: string) => {
  const reader = open.reader()
  const pages = [await reader.read(entity, null, {})]
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(await reader.read(entity, next, {}))
  }
  return pages.flatMap(({ warnings }) => warnings)
}

test('a conversation whose threads Help Scout withholds arrives with the threads of the list, and the others are told', async () => {
  const { long } = seeded()
  const all = (await readAll((cursor) => open.reader().read('tickets', cursor, {}))).length
  forbid((path) => path.startsWith(`/v2/conversations/${long.id}`))
  const tickets = await readAll((cursor) => open.reader().read('tickets', cursor, {}))
  expect(tickets).toHaveLength(all)
  const own = (await readAll((cursor) => open.reader().read('comments', cursor, {}))).filter(({ sourceId }) =>
    sourceId.startsWith(`${long.id}-`),
  )
  const threads = newestFirst(open.twin.account.conversations.get(long.id)?.threads ?? [])
  const messagesIn = (some: typeof threads) => some.filter(({ type }) => type !== 'lineitem').length
  const shown = messagesIn(threads.slice(0, 25))
  expect(own).toHaveLength(shown - 1)
  expect(await warningsOf('tickets')).toContainEqual(
    expect.objectContaining({ sourceId: long.id, code: 'truncated_by_source', count: messagesIn(threads) - shown }),
  )
  // A sample and a retry ask for single conversations.
  const other = tickets.find(({ sourceId }) => sourceId !== long.id)?.sourceId ?? ''
  const some = await open.reader().readSome?.('tickets', { ids: [long.id, other] }, null)
  expect(some?.items.map(({ sourceId }) => sourceId)).toEqual([other])
  expect(await open.reader().findGone?.('tickets', [long.id])).toEqual([])
})

test('an account that Help Scout locks out altogether pauses the run', async () => {
  const { long } = seeded()
  const reader = open.reader()
  await reader.read('groups', null, {})
  forbid((path) => path.startsWith(`/v2/conversations/${long.id}`) || path === '/v2/users/me')
  await expect(readAll((cursor) => reader.read('tickets', cursor, {}))).rejects.toThrow(ObstacleError)
  await expect(reader.readSome?.('tickets', { ids: [long.id] }, null)).rejects.toThrow(ObstacleError)
})

test('spam is counted and not copied, and a conversation that becomes spam counts as gone', async () => {
  const { long } = seeded()
  const spam = open.twin.account.conversations.list(({ status }) => status === 'spam').map(({ id }) => id)
  const reader = open.reader()
  expect(await reader.countSkipped?.()).toEqual({ spam_tickets: spam.length })
  const tickets = await readAll((cursor) => reader.read('tickets', cursor, {}))
  expect(spam).toHaveLength(1)
  expect(tickets.filter(({ fields }) => fields.status === 'spam')).toEqual([])
  expect(await reader.count('tickets')).toEqual({ tickets: tickets.length })
  open.twin.account.conversations.change(long.id, { status: 'spam' })
  expect(await reader.findIds?.('tickets', [long.id])).toEqual([])
  expect(await reader.findGone?.('tickets', [long.id])).toEqual([long.id])
  expect(helpscout.source?.skips).toEqual(['history_entries', 'spam_tickets'])
})

test('the addresses of CC and BCC of every thread are read, and BCC is a field that not everyone may see', async () => {
  const { rich } = seeded()
  const ticket = (await readAll((cursor) => open.reader().read('tickets', cursor, {}))).find(
    ({ sourceId }) => sourceId === rich.id,
  )
  expect(ticket?.customFields).toMatchObject({
    cc: { value: ['boss@acme.example'] },
    bcc: { value: ['archive@example.test'], isRestricted: true },
  })
  expect(await open.reader().customFields('tickets')).toContainEqual(
    expect.objectContaining({ key: 'bcc', isRestricted: true }),
  )
})

test('entries of the history are counted with the first reading of their conversations', async () => {
  const { rich } = seeded()
  const items = open.twin.account.conversations
    .list(({ status }) => status !== 'spam')
    .flatMap(({ threads }) => threads.filter(({ type }) => type === 'lineitem'))
  const reader = open.reader()
  let counted = 0
  for (let next: string | null | undefined; next !== null; ) {
    const page = await reader.read('tickets', next ?? null, {})
    counted += page.skipped?.history_entries ?? 0
    next = page.next
  }
  expect(items.length).toBeGreaterThan(0)
  expect(counted).toBe(items.length)
  const some = await reader.readSome?.('tickets', { ids: [rich.id] }, null)
  expect(some?.items).toHaveLength(1)
})

test('a draft over a published article is told with the article, and is never overwritten', async () => {
  const { first } = seedDocs(open.twin.docs)
  expect((await warningsOf('articles')).filter(({ code }) => code === 'draft_left_out')).toEqual([
    expect.objectContaining({ entity: 'articles', sourceId: first.id }),
  ])
  const sent = record({ title: 'Ours', body: '<p>One</p>', status: 'published', visibility: 'public' })
  const [made] = await open.writer().write('articles', [sent])
  const id = idOf(made)
  open.twin.docs.articles.change(id, { draft: '<p>Mine soon</p>' })
  const change = { ...sent, destinationId: id, fields: { ...sent.fields, body: '<p>Two</p>' } }
  expect(await open.writer().write('articles', [change])).toMatchObject([{ result: 'refused', code: 'has_draft' }])
  expect(open.twin.docs.articles.get(id)).toMatchObject({ text: '<p>One</p>', draft: '<p>Mine soon</p>' })
})

test('an organization that Help Scout withholds arrives without its properties, and that is told', async () => {
  seeded()
  const { organizations, organizationProperties } = open.twin.account
  organizationProperties.put({ id: 'tier', slug: 'tier', name: 'Tier', type: 'text', options: [] })
  const [first] = organizations.list()
  const all = (await readAll((cursor) => open.reader().read('organizations', cursor, {}))).length
  forbid((path) => path === `/v2/organizations/${first?.id}`)
  expect(await readAll((cursor) => open.reader().read('organizations', cursor, {}))).toHaveLength(all)
  expect(await warningsOf('organizations')).toMatchObject([
    { sourceId: String(first?.id), code: 'truncated_by_source', count: 1 },
  ])
  forbid((path) => path === '/v2/users/me')
  await expect(readAll((cursor) => open.reader().read('organizations', cursor, {}))).rejects.toThrow(ObstacleError)
})
