// The recorded tools with texts of 10 MB. They run in their own process, so that their work is not measured.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callAs } from '../live/wordpress-seed.ts'
import { seedRecorded } from '../twins/wordpress/recordings.ts'
import { startWordpressTwin } from '../twins/wordpress/twin.ts'
import { startFakeGhost } from './ghost/fake.ts'
import { longHtml, longTextile } from './long-bodies.ts'
import { startFakeRedmine } from './redmine/fake.ts'
import { readRecordings, startFakeRt } from './rt/fake.ts'
import { startFakeTryton } from './tryton/fake.ts'

interface Swelling {
  /** True if this path in an answer is the text of a record. */
  isText(path: readonly string[]): boolean
  text: string
}

const named =
  (...names: string[]) =>
  (path: readonly string[]) =>
    names.includes(path.at(-1) ?? '')
const tryton = await startFakeTryton()
const wordpress = await startWordpressTwin()
await seedRecorded(callAs(wordpress.access))
const tools: Record<string, { url: string; swelling: Swelling }> = {
  redmine: {
    url: (await startFakeRedmine()).url,
    swelling: { isText: named('description', 'notes', 'text'), text: longTextile },
  },
  rt: {
    url: (await startFakeRt(await readRecordings('reading'))).url,
    swelling: { isText: named('Content'), text: longHtml },
  },
  'rt-writing': {
    url: (await startFakeRt(await readRecordings('writing'))).url,
    swelling: { isText: named('Content'), text: longHtml },
  },
  tryton: { url: new URL(tryton.url).origin, swelling: { isText: named('message', 'comment'), text: longHtml } },
  ghost: { url: (await startFakeGhost()).url, swelling: { isText: named('html'), text: longHtml } },
  wordpress: {
    url: wordpress.url,
    swelling: { isText: (path) => path.at(-2) === 'content', text: longHtml },
  },
}

/** Puts the long text once into each answer, and in its other form too where the tool sends both. */
function swell(json: unknown, { isText, text }: Swelling): unknown {
  let holder: object | null = null
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, entry]) => {
      const here = [...path, name]
      if (typeof entry !== 'string' || entry === '' || !isText(here)) return [name, walk(entry, here)]
      holder ??= value
      return [name, holder === value ? text : entry]
    })
    return Array.isArray(value) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries)
  }
  return walk(json, [])
}

async function pass(request: IncomingMessage, response: ServerResponse, tool: string, own: string): Promise<void> {
  const { url, swelling } = tools[tool] as (typeof tools)[string]
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString().replaceAll(own, url)
  const headers = Object.entries(request.headers).filter(
    ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
  )
  const method = request.method ?? 'GET'
  const answer = await fetch(`${url}${request.url}`, {
    method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(chunks.length > 0 ? { body } : {}),
  })
  const text = (await answer.text()).replaceAll(url, own)
  const type = answer.headers.get('content-type') ?? 'text/plain'
  if (answer.status === 501)
    process.stderr.write(`${tool}: unexpected ${method} ${request.url}\n${body.slice(0, 500)}\n`)
  response.writeHead(answer.status, { 'content-type': type })
  response.end(type.includes('json') && text !== '' ? JSON.stringify(swell(JSON.parse(text), swelling)) : text)
}

const urls: Record<string, string> = {}
for (const tool of Object.keys(tools)) {
  const server = createServer((request, response) => {
    pass(request, response, tool, urls[tool] ?? '').catch((error: unknown) => {
      process.stderr.write(`${tool}: ${String(error)}\n`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  urls[tool] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
process.stdout.write(
  `ready ${JSON.stringify({ urls, trytonPassword: tryton.password, wordpressPassword: wordpress.access.token })}\n`,
)
