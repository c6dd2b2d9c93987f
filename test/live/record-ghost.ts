import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { type Recording, readRequest } from '../connectors/ghost/fake.ts'
import { playRecorded } from '../connectors/ghost/play-recorded.ts'
import { startGhost } from './ghost.ts'
import { callGhost, upload } from './ghost-seed.ts'
import { png } from './wordpress-seed.ts'

// node test/live/record-ghost.ts makes the requests of the tests against a new site, and stores its answers as
// recordings.

const folder = join(import.meta.dirname, '../../service/src/connectors/blog/ghost/recordings')
const site = await startGhost('recorded')
const call = callGhost(site.access)
await seed()

const { site: about } = (await (await fetch(`${site.url}/ghost/api/admin/site/`)).json()) as {
  site: { version: string }
}
const recordings: Recording[] = []
const server = createServer(async (incoming, response) => {
  const { raw, ...request } = await readRequest(incoming, proxyUrl())
  const headers: Record<string, string> = { authorization: String(incoming.headers.authorization) }
  if (raw.length > 0) headers['content-type'] = String(incoming.headers['content-type'])
  const answer = await fetch(`${site.url}${incoming.url}`, {
    method: request.method,
    headers,
    ...(raw.length > 0 ? { body: new Uint8Array(raw) } : {}),
  })
  const text = await answer.text()
  const contentType = String(answer.headers.get('content-type'))
  const recordedOn = new Date().toISOString().slice(0, 10)
  const body = text === '' ? null : scrub(JSON.parse(text.replaceAll(site.url, '{{site}}')))
  recordings.push({
    tool: `Ghost ${about.version}`,
    recordedOn,
    request,
    response: { status: answer.status, contentType, body },
  })
  response.writeHead(answer.status, { 'content-type': contentType }).end(text)
})
const proxyUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const outbound = createLoopbackOutbound()
try {
  const account = {
    access: { ...site.access, instanceUrl: proxyUrl() },
    outbound,
    signal: AbortSignal.timeout(120_000),
  }
  console.log(JSON.stringify(await playRecorded(account), null, 2))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const [index, recording] of recordings.entries()) {
    const route = recording.request.path.replace('/ghost/api/admin', '').replace(/\W+/g, '-').replace(/^-|-$/g, '')
    const name = `${String(index + 1).padStart(2, '0')}-${recording.request.method.toLowerCase()}-${route}.json`
    await writeFile(join(folder, name), `${JSON.stringify(recording, null, 2)}\n`)
  }
} finally {
  server.closeAllConnections()
  server.close()
  await outbound.close()
  await site.stop()
}

/** Removes the unsubscribe keys of members, and settings that no request needs. */
function scrub(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scrub)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, entry]) => {
    if (name === 'unsubscribe_url') return [name, '{{site}}/unsubscribe/']
    if (name === 'settings' && Array.isArray(entry)) {
      return [name, entry.filter(({ key }: { key: string }) => key === 'comments_enabled')]
    }
    return [name, scrub(entry)]
  })
  return Object.fromEntries(entries)
}

/** Creates one record of each kind. */
async function seed(): Promise<void> {
  const { tags } = await call('POST', '/tags/', { tags: [{ name: 'R&D', description: 'Of all kinds' }] })
  const { images } = await upload(call, '/images/upload/', 'view.png', png(40, 30), 'image/png')
  const url = images[0].url
  const { posts } = await call('POST', '/posts/?source=html', {
    posts: [
      {
        title: 'Tiles & more',
        slug: 'tiles',
        status: 'published',
        published_at: '2015-05-05T05:05:05.000Z',
        html: `<p>Hello</p><figure><img src="${url}" alt="A view"></figure>`,
        feature_image: url,
        tags: [{ id: tags[0].id }],
      },
    ],
  })
  await call('POST', '/posts/?source=html', {
    posts: [{ title: 'For members', slug: 'members', status: 'published', visibility: 'members', html: '<p>x</p>' }],
  })
  const { members } = await call('POST', '/members/', { members: [{ email: 'ada@customer.example', name: 'Ada L' }] })
  const comment = { post_id: posts[0].id, member_id: members[0].id }
  const first = await call('POST', '/comments/', {
    comments: [{ ...comment, html: '<p>Nice</p>', created_at: '2015-06-01T00:00:00.000Z' }],
  })
  await call('POST', '/comments/', {
    comments: [{ ...comment, html: '<p>Thanks</p>', parent_id: first.comments[0].id }],
  })
}
