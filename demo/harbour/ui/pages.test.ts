import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harbour, startHarbour } from '../harbour.ts'
import { showRichText } from './show-rich-text.ts'

let harbour: Harbour

const put = async (entity: string, external_id: string, fields: object) => {
  const response = await fetch(`${harbour.baseUrl}/records/${entity}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ records: [{ external_id, fields, custom_fields: { a: { label: '<i>', value: '<u>' } } }] }),
  })
  const { results } = (await response.json()) as { results: { result: string; url: string }[] }
  expect(results[0]).toMatchObject({ result: 'created' })
  return results[0]?.url ?? ''
}
const page = async (address: string) => {
  const response = await fetch(address)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

beforeAll(async () => {
  harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: 'token' })
})
afterAll(() => harbour.close())

test('a ticket is shown with its thread, and its content cannot run scripts', async () => {
  await put('contacts', 'c/1', { name: '<b>Bobby</b>', emails: ['b@a.example'] })
  const url = await put('tickets', 't/1', {
    subject: '<script>alert(1)</script>',
    description: '<p onclick="x()">Hello <script>alert(2)</script><img src="https://evil.example/x.png"></p>',
    requester: 'c/1',
    assignee: 'u1',
  })
  await put('comments', 'k/1', { ticket: 't/1', author_contact: 'c/1', body: '<p>First answer</p>', is_public: true })
  await put('comments', 'k/2', { ticket: 't/1', author_agent: 'u2', body: '<p>A note</p>', is_public: false })
  const { status, text, headers } = await page(url)
  expect(status).toBe(200)
  expect(text).toContain('&lt;script&gt;alert(1)')
  expect(text).toContain('<p>First answer</p>')
  expect(text).toContain('Private note')
  expect(text).toContain('Tomasz Wierzba')
  expect(text).not.toMatch(/<script|onclick|evil\.example|<b>Bobby|<i>|<u>/)
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('every entity has a list and a page', async () => {
  expect((await page(harbour.url)).text).toContain('<strong>1</strong> Tickets')
  for (const entity of [
    'tickets',
    'contacts',
    'organizations',
    'articles',
    'deals',
    'posts',
    'issues',
    'attachments',
  ]) {
    expect((await page(`${harbour.url}/${entity}`)).status).toBe(200)
  }
  const deal = await put('deals', 'd/1', { name: 'Big', value: { amount: '12.50', currency: 'EUR' } })
  expect((await page(deal)).text).toContain('12.50, EUR')
})

test('a missing page answers 404', async () => {
  for (const path of ['/nowhere', '/tickets/999', '/tickets/x', '/files/1', '/constructor']) {
    expect((await page(`${harbour.url}${path}`)).status).toBe(404)
  }
})

test('a text shows pictures that Harbour stores and loses unsafe links', () => {
  const shown = showRichText(
    '<p><img src="http://h.example/files/7" alt="x"><a href="javascript:a()">b</a></p>',
    'http://h.example',
  )
  expect(shown.text).toBe('<p><img src="/files/7" alt="x" /><a rel="nofollow noopener noreferrer">b</a></p>')
})
