import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFernhill } from './fernhill.ts'

const KEY = 'test-key'

let desk: Awaited<ReturnType<typeof startFernhill>>

beforeAll(async () => {
  desk = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: KEY, requestsPerSecond: 0 })
})
afterAll(() => desk.close())

test.each([{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${KEY}` }, { authorization: 'Bearer' }])(
  'without the right key every path answers 401: %o',
  async (headers) => {
    for (const path of ['/account', '/tickets/1', '/nowhere', '/attachments/1/content']) {
      const response = await fetch(`${desk.url}/api/v1${path}`, { headers: headers as Record<string, string> })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } })
    }
  },
)

const rawStatus = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(desk.url)
    const headers = { authorization: `Bearer ${KEY}` }
    request({ hostname, port, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })

const ODD_IDS = [
  '0',
  '-1',
  '1.5',
  '1e0',
  '0x1',
  '%201',
  'abc',
  '%00',
  '%27%20OR%201=1',
  '999999999999999999999',
  '..%2f..%2fetc%2fpasswd',
]
test.each([
  ...ODD_IDS.flatMap((id) => [`/api/v1/tickets/${id}`, `/api/v1/attachments/${id}/content`, `/tickets/${id}`]),
  ...ODD_IDS.map((id) => `/attachments/${id}`),
  '/api/v1/../../etc/passwd',
  '/api/v1/tickets/%zz',
  '/%zz',
  '/style.css/../../main.ts',
  '/api/v1/sqlite_master',
  '/api/v1/__proto__',
  `/api/v1/tickets/${'9'.repeat(3000)}`,
  '/api/v1/tickets?limit=0',
  '/api/v1/tickets?limit=101',
  '/api/v1/tickets?limit=1&limit=2',
  '/api/v1/tickets?after=%00',
  '/api/v1/tickets?after=bm9wZQ',
  '/api/v1/tickets?updated_since=yesterday',
  '/api/v1/tickets?updated_since=2025-02-31',
  '/api/v1/tickets/999999/comments',
])('%s is answered with a 4xx', async (path) => {
  const status = await rawStatus(path)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
})

test('a request above the rate limit gets a 429 with the time to wait', async () => {
  const slow = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: KEY, requestsPerSecond: 5 })
  try {
    const ask = () => fetch(`${slow.url}/api/v1/groups`, { headers: { authorization: `Bearer ${KEY}` } })
    const start = performance.now()
    const answers = await Promise.all(Array.from({ length: 100 }, ask))
    const seconds = (performance.now() - start) / 1_000
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(Math.max(1, 100 - 5 * (Math.ceil(seconds) + 1)))
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    await expect.poll(async () => (await ask()).status, { timeout: 300_000, interval: 300 }).toBe(200)
  } finally {
    await slow.close()
  }
})
