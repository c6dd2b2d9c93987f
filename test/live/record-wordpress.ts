import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Recording, readRequest } from '../../service/src/connectors/wordpress/fake.ts'
import { playRecorded } from '../../service/src/connectors/wordpress/play-recorded.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { startWordpress } from './wordpress.ts'
import { callAs, png } from './wordpress-seed.ts'

// node test/live/record-wordpress.ts: plays what the tests play against a new site, and keeps its answers as recordings.

const folder = join(import.meta.dirname, '../../service/src/connectors/wordpress/recordings')
const site = await startWordpress('recorded')
const call = callAs(site.access)
await seed()

const recordings: Recording[] = []
const version = `WordPress ${(/version = '([\d.]+)'/.exec(await readVersion()) ?? [])[1] ?? 'unknown'}`
const server = createServer(async (incoming, response) => {
  const { raw, ...request } = await readRequest(incoming)
  const headers = {
    authorization: String(incoming.headers.authorization),
    'content-type': String(incoming.headers['content-type']),
  }
  const answer = await fetch(`${site.url}${incoming.url}`, {
    method: request.method,
    headers: raw.length > 0 ? headers : { authorization: headers.authorization },
    ...(raw.length > 0 ? { body: new Uint8Array(raw) } : {}),
  })
  const text = await answer.text()
  const contentType = String(answer.headers.get('content-type'))
  const body = JSON.parse(
    text.replaceAll(site.url.replaceAll('/', '\\/'), '{{site}}').replaceAll(site.url, '{{site}}'),
  ) as unknown
  const recordedOn = new Date().toISOString().slice(0, 10)
  recordings.push({ tool: version, recordedOn, request, response: { status: answer.status, contentType, body } })
  response.writeHead(answer.status, { 'content-type': contentType }).end(text)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const outbound = createLoopbackOutbound()
try {
  const instanceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = { access: { ...site.access, instanceUrl }, outbound, signal: AbortSignal.timeout(120_000) }
  console.log(JSON.stringify(await playRecorded(account), null, 2))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const [index, recording] of recordings.entries()) {
    const route = (recording.request.query.rest_route ?? '').replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'site'
    const name = `${String(index + 1).padStart(2, '0')}-${recording.request.method.toLowerCase()}-${route}.json`
    await writeFile(join(folder, name), `${JSON.stringify(recording, null, 2)}\n`)
  }
} finally {
  server.closeAllConnections()
  server.close()
  await outbound.close()
  await site.stop()
}

/** A few records: what a fresh site has, and one of each kind. */
async function seed(): Promise<void> {
  const ada = await call('POST', '/users', {
    username: 'ada',
    name: 'Ada L',
    email: 'ada@customer.example',
    password: 'not used anywhere',
    roles: ['author'],
  })
  const top = await call('POST', '/categories', { name: 'Küche & Bad' })
  const below = await call('POST', '/categories', { name: 'Fliesen', parent: top.id })
  const tag = await call('POST', '/tags', { name: 'R&D' })
  const form = new FormData()
  form.set('alt_text', 'A view')
  form.set('file', new Blob([new Uint8Array(png(400, 300))]), 'view.png')
  const image = await call('POST', '/media', form)
  const { id: post } = await call('POST', '/posts', {
    title: 'Tiles &amp; more',
    slug: 'tiles',
    status: 'publish',
    date_gmt: '2015-05-05T05:05:05Z',
    author: ada.id,
    content: `Hello\n\n<img src="${image.source_url}" />`,
    featured_media: image.id,
    tags: [tag.id],
    categories: [below.id],
  })
  const guest = {
    author_name: 'Guest',
    author_email: 'guest@mail.example',
    status: 'approved',
    date_gmt: '2015-06-01T00:00:00Z',
  }
  const { id: parent } = await call('POST', '/comments', { post, content: 'Nice', ...guest })
  await call('POST', '/comments', { post, content: 'Thanks', author: ada.id, parent, date_gmt: '2015-06-02T00:00:00Z' })
}

async function readVersion(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile('/tmp/wherry-live/wordpress/code/wp-includes/version.php', 'utf8')
}
