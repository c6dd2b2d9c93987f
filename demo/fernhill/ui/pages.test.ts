import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFernhill } from '../fernhill.ts'
import { renderBody } from './render-body.ts'
import { renderMarkdown } from './render-markdown.ts'

let desk: Awaited<ReturnType<typeof startFernhill>>

beforeAll(async () => {
  desk = await startFernhill({ port: 0, dataFile: ':memory:', apiKey: 'test-key' })
})
afterAll(() => desk.close())

const page = async (path: string) => {
  const response = await fetch(`${desk.url}${path}`)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

test.each(['/', '/?status=open', '/?q=%25', '/?before=1050', '/contacts', '/contacts/4', '/organizations'])(
  '%s is a page that loads nothing from other sites',
  async (path) => {
    const { status, text, headers } = await page(path)
    expect(status).toBe(200)
    expect(text).toContain('Fernhill Desk</title>')
    expect(text).not.toMatch(/(?:src|href)="https?:/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  },
)

test('every ticket, article and organization has a page', async () => {
  for (let number = 1001; number <= 1120; number += 1) expect((await page(`/tickets/${number}`)).status).toBe(200)
  for (let id = 1; id <= 10; id += 1) expect((await page(`/articles/${id}`)).status).toBe(200)
  for (let id = 1; id <= 12; id += 1) expect((await page(`/organizations/${id}`)).status).toBe(200)
})

test('hostile content is shown as text', async () => {
  const { text } = await page('/tickets/1042')
  expect(text).toContain('&lt;script&gt;alert(&quot;subject&quot;)&lt;/script&gt;')
  expect(text).toContain('Robert &lt;b&gt;Bobby&lt;/b&gt;')
  expect(text).not.toMatch(/<(?:script|iframe|style|svg onload)|<[^>]*\son\w+=|href="javascript/i)
  expect((await page('/?q=%22%3E%3Cscript%3E')).text).not.toContain('<script')
})

test('an attachment that is a web page is downloaded, not shown', async () => {
  const { text } = await page('/tickets/1053')
  const path = /href="(\/attachments\/\d+)"><bdi>invoice\.html/.exec(text)?.[1]
  const { headers } = await page(path ?? '')
  expect(headers.get('content-disposition')).toMatch(/^attachment;/)
  expect(headers.get('content-security-policy')).toContain('sandbox')
})

test("a missing page answers 404 and keeps the desk's menu", async () => {
  for (const path of ['/tickets/1', '/nowhere', '/contacts/x']) {
    const { status, text } = await page(path)
    expect(status).toBe(404)
    expect(text).toContain('All tickets')
  }
})

const body = (text: string) => renderBody(text, 'http://desk.example').markup

test.each([
  ['<p>a &amp; b</p>', '<p dir="auto">a &amp; b</p>'],
  ['<a href="http://x.example/?a=1">x</a>', '<a href="http://x.example/?a=1" rel="nofollow noopener noreferrer">x</a>'],
  ['&lt;script&gt;', '&lt;script&gt;'],
  ['<img src="http://desk.example/attachments/3" alt="a">', '<img src="/attachments/3" alt="a" loading="lazy">'],
  ['<br/>', '<br>'],
])('%s is shown with its markup', (given, shown) => {
  expect(body(given)).toBe(shown)
})

test.each([
  '<a href="javascript:alert(1)">x</a>',
  '<a href="http://x" onclick="alert(1)">x</a>',
  '<img src="http://desk.example/attachments/3" alt="" onerror="alert(1)">',
  '<img src="http://elsewhere.example/attachments/3" alt="a">',
  '<p onclick="alert(1)">x</p>',
  '<table><tr><td>unclosed',
  '</table></div>',
  '<b><i></b></i>',
])('%s cannot act or break the page', (given) => {
  const tags = [...body(given).matchAll(/<[^>]*>/g)].map(([tag]) => tag)
  expect(tags.filter((tag) => !/^<\/?pre(?: class="raw")?>$/.test(tag))).toEqual([])
})

test('Markdown is escaped before it is rendered', () => {
  const { markup } = renderMarkdown('## <b>x</b>\n\n- **a**\n- [b](javascript:alert)\n\n```\n<i>\n\n</i>\n```')
  expect(markup).toContain('<h3>&lt;b&gt;x&lt;/b&gt;</h3>')
  expect(markup).toContain('<li><strong>a</strong></li><li>[b](javascript:alert)</li>')
  expect(markup).toContain('<pre><code>&lt;i&gt;\n\n&lt;/i&gt;</code></pre>')
})
