import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PortalService, startPortalService } from './portal-service.ts'

let webDist: string
let service: PortalService
beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'wherry-web-'))
  await mkdir(join(webDist, 'assets'))
  await writeFile(join(webDist, 'index.html'), '<!doctype html><html lang="en"><title>Import</title>')
  await writeFile(join(webDist, 'home.html'), '<!doctype html><html lang="en"><h1>Opening your import</h1>')
  await writeFile(join(webDist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(webDist, 'assets/index-1a2b.js'), 'console.log("plain")')
  await writeFile(join(webDist, 'assets/index-1a2b.js.br'), 'compressed')
  await writeFile(join(webDist, 'assets/.hidden'), 'hidden')
  service = await startPortalService({ webDist })
})
afterAll(async () => {
  await service.close()
  await rm(webDist, { recursive: true, force: true })
})

const pages = [
  '/imports/imp_1',
  '/imports/imp_1/',
  '/imports/imp_1/token',
  '/imports/imp_1/token/',
  '/imports/%00/..%2f',
]
test.each(pages)('%s is the page, and is not cached', async (path) => {
  const { status, headers, text } = await service.call('GET', path)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(text).toContain('<title>Import</title>')
  expect(headers).toMatchObject({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': expect.stringContaining('geolocation=()'),
    'cache-control': 'no-store',
  })
  expect(headers.etag).toBeUndefined()
})

test('/ has a page for people, in the first supported language of their browser', async () => {
  const languages: [string | undefined, string, string][] = [
    [undefined, 'en', 'Opening your import'],
    ['en-GB,de;q=0.5', 'en', 'Opening your import'],
    ['de-AT,en;q=0.5', 'de', 'Ihr Import wird geöffnet'],
    ['it,fr-CH;q=0.9,de;q=0.8', 'fr', 'Ouverture de votre import'],
    ['es-MX', 'es', 'Abriendo su importación'],
    ['__proto__', 'en', 'Opening your import'],
    ['*', 'en', 'Opening your import'],
  ]
  for (const [accepted, language, words] of languages) {
    const headers = accepted === undefined ? {} : { 'accept-language': accepted }
    const { status, text } = await service.call('GET', '/', { headers })
    expect([status, text]).toEqual([200, `<!doctype html><html lang="${language}"><h1>${words}</h1>`])
  }
})

test('assets are cached permanently, and sent compressed to clients that support it', async () => {
  const plain = await service.call('GET', '/assets/index-1a2b.js')
  expect(plain.text).toBe('console.log("plain")')
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  const compressed = await service.call('GET', '/assets/index-1a2b.js', { headers: { 'accept-encoding': 'br' } })
  expect([compressed.text, compressed.headers['content-encoding']]).toEqual(['compressed', 'br'])
})

test.each(['/favicon.svg', '/favicon.ico'])('%s is the icon of the service', async (path) => {
  const { status, headers, text } = await service.call('GET', path)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    'public, max-age=86400',
  ])
  expect(text).toContain('<svg')
})

test.each([
  '/assets/missing.js',
  '/assets/',
  '/assets/../index.html',
  '/assets/..%2findex.html',
  '/assets/.hidden',
  '/assets/%2e%2e/index.html',
  '/index.html',
  '/imports/imp_1/token/more',
])('%s is not found', async (path) => expect((await service.call('GET', path)).status).toBe(404))
