import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { playRecorded } from '../connectors/wordpress/play-recorded.ts'
import { recordingsFolder as folder, type Recording, readRequest, seedRecorded } from '../twins/wordpress/recordings.ts'
import { startWordpress } from './wordpress.ts'
import { callAs } from './wordpress-seed.ts'

// node test/live/record-wordpress.ts makes the requests of the tests against a new site, and stores its answers as
// recordings.

const site = await startWordpress('recorded')
const call = callAs(site.access)
await seedRecorded(call)

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

async function readVersion(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile('/tmp/wherry-live/wordpress/code/wp-includes/version.php', 'utf8')
}
