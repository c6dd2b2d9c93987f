import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFernhill } from './fernhill.ts'

const KEY = 'test-key'
const ENTITIES = [
  'organizations',
  'contacts',
  'agents',
  'groups',
  'tickets',
  'comments',
  'attachments',
  'categories',
  'articles',
  'ticket_fields',
]

interface Item {
  id: number
  updated_at: string
  [field: string]: unknown
}
interface Page {
  data: Item[]
  next: string | null
  total: number
}

let desk: Awaited<ReturnType<typeof startFernhill>>

beforeAll(async () => {
  desk = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: KEY, requestsPerSecond: 0 })
})
afterAll(() => desk.close())

const call = (path: string) => fetch(`${desk.url}/api/v1${path}`, { headers: { authorization: `Bearer ${KEY}` } })

async function get<T = Item>(path: string): Promise<T> {
  const response = await call(path)
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}

async function readAll(path: string, limit: number): Promise<{ items: Item[]; total: number }> {
  const items: Item[] = []
  let page = await get<Page>(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}`)
  const { total } = page
  items.push(...page.data)
  while (page.next !== null) {
    page = await get<Page>(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}&after=${page.next}`)
    items.push(...page.data)
  }
  return { items, total }
}

const findTicket = async (number: number) => {
  const { items } = await readAll('/tickets', 100)
  const ticket = items.find((item) => item.number === number)
  if (!ticket) throw new Error(`No ticket ${number}`)
  return ticket
}

describe('reading', () => {
  test.each(ENTITIES)('paging through %s gives every record once, in order of ids', async (entity) => {
    const { counts } = await get<{ counts: Record<string, number> }>('/account')
    const { items, total } = await readAll(`/${entity}`, 7)
    const ids = items.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    expect(ids).toHaveLength(total)
    expect(counts[entity]).toBe(total)
    expect(await get(`/${entity}/${ids.at(-1)}`)).toEqual(items.at(-1))
  })

  test('threads are paged per ticket, and one has 60 comments', async () => {
    const ticket = await findTicket(1058)
    const { items } = await readAll(`/tickets/${ticket.id}/comments`, 25)
    expect(items).toHaveLength(60)
    expect(items.every((item) => item.ticket_id === ticket.id)).toBe(true)
    const stamps = items.map((item) => item.created_at)
    expect(stamps).toEqual([...stamps].sort())
  })

  test('updated_since includes records of exactly that time and no older ones', async () => {
    const { items } = await readAll('/tickets', 100)
    const since = items.map((item) => item.updated_at).sort()[100] ?? ''
    const expected = items.filter((item) => item.updated_at >= since).map(({ id }) => id)
    const { items: recent, total } = await readAll(`/tickets?updated_since=${encodeURIComponent(since)}`, 6)
    expect(recent.map(({ id }) => id)).toEqual(expected)
    expect(total).toBe(20)
    const shifted = new Date(Date.parse(since) + 7_200_000).toISOString().replace('Z', '+02:00')
    expect((await get<Page>(`/tickets?updated_since=${encodeURIComponent(shifted)}`)).total).toBe(20)
  })

  test('a deleted agent is missing from the list and found by id', async () => {
    const { items } = await readAll('/agents', 100)
    expect(items.map(({ id }) => id)).not.toContain(5)
    expect(await get('/agents/5')).toMatchObject({ deleted: true, email: null, name: 'Gwen Pargeter' })
    const { items: comments } = await readAll('/comments', 100)
    expect(comments.some((item) => item.author_type === 'agent' && item.author_id === 5)).toBe(true)
    expect(items.some((agent) => agent.email === null)).toBe(true)
  })

  test('the seed contains the unusual records', async () => {
    const { items: tickets } = await readAll('/tickets', 100)
    const subjects = tickets.map((item) => String(item.subject))
    expect(subjects.filter((subject) => subject === '')).toHaveLength(1)
    expect(subjects.filter((subject) => subject === 'Order not arrived')).toHaveLength(3)
    expect(Math.max(...subjects.map((subject) => subject.length))).toBe(300)
    expect(tickets.some((item) => String(item.created_at) < '2000')).toBe(true)
    expect(tickets.some((item) => item.assignee_id === 5)).toBe(true)
    const { items: contacts } = await readAll('/contacts', 100)
    expect(contacts.filter((item) => item.name === 'John Smith')).toHaveLength(3)
    expect(contacts.some((item) => Array.isArray(item.emails) && item.emails.length === 2)).toBe(true)
    const { items: comments } = await readAll('/comments', 100)
    expect(comments.some((item) => String(item.body).includes(`href="${desk.url}/tickets/1`))).toBe(true)
  })

  test('the same time always gives the same seed', async () => {
    const other = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: KEY, publicUrl: desk.url })
    try {
      const headers = { authorization: `Bearer ${KEY}` }
      const theirs = await fetch(`${other.url}/api/v1/comments?limit=100`, { headers })
      expect(await theirs.json()).toEqual(await get('/comments?limit=100'))
    } finally {
      await other.close()
    }
  })
})

describe('attachments', () => {
  const download = async (path: string) => {
    const response = await call(path)
    expect(response.status).toBe(200)
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of response.body ?? []) {
      hash.update(chunk)
      size += chunk.length
    }
    return { size, sha256: hash.digest('hex'), headers: response.headers }
  }

  test('every file has its listed size, type and checksum', async () => {
    const { items } = await readAll('/attachments', 100)
    for (const { id, size, sha256, content_type: type } of items) {
      const file = await download(`/attachments/${id}/content`)
      expect({ size: file.size, sha256: file.sha256 }).toEqual({ size, sha256 })
      expect(file.headers.get('content-length')).toBe(String(size))
      expect(file.headers.get('content-type')).toBe(type)
    }
    expect(items.map(({ size }) => size)).toEqual(expect.arrayContaining([0, 30 * 1024 * 1024]))
  })

  test('a hostile file name is sent percent-encoded', async () => {
    const { items } = await readAll('/attachments', 100)
    const nasty = items.find((item) => item.file_name === '../../etc/passwd – “Ünïcödé”.txt')
    const { headers } = await download(`/attachments/${nasty?.id}/content`)
    expect(headers.get('content-disposition')).toContain("filename*=UTF-8''..%2F..%2Fetc%2Fpasswd%20%E2%80%93")
  })

  test('comments refer to inline pictures by the address of this desk, and the pictures are PNGs', async () => {
    const { items } = await readAll('/comments', 100)
    const files = items.flatMap(({ body, attachments }) =>
      (attachments as Item[])
        .filter((file) => file.inline)
        .map((file) => ({ body: String(body), url: String(file.url) })),
    )
    expect(files.length).toBeGreaterThan(5)
    for (const { body, url } of files) {
      expect(body).toContain(`<img src="${url}"`)
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    }
  })

  test('a client that disconnects in the middle of the large file does no harm', async () => {
    const { items } = await readAll('/attachments', 100)
    const large = items.find(({ size }) => size === 30 * 1024 * 1024)
    const response = await call(`/attachments/${large?.id}/content`)
    await response.body?.cancel()
    expect((await call('/account')).status).toBe(200)
  })
})

describe('starting', () => {
  test('a data file is seeded once and keeps later changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fernhill-'))
    const options = { port: 0, dataFile: join(folder, 'desk.db'), apiKey: KEY, tickets: 500, requestsPerSecond: 0 }
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    try {
      const first = await startFernhill(options)
      const body = JSON.stringify({ subject: 'Kept', description: '', requester_id: 1 })
      const created = await fetch(`${first.url}/api/v1/tickets`, { method: 'POST', body, headers })
      await first.close()
      const second = await startFernhill(options)
      const page = await fetch(`${second.url}/api/v1/tickets/501`, { headers })
      expect(created.status).toBe(201)
      expect(await page.json()).toMatchObject({ subject: 'Kept', number: 1501 })
      await second.close()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
