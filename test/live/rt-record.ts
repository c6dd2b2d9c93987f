import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openReader } from '../../service/src/connectors/helpdesk/rt/reader.ts'
import { openWriter } from '../../service/src/connectors/helpdesk/rt/writer.ts'
import type { Outbound, OutboundRequest } from '../../service/src/outbound/outbound.ts'
import { createLoopbackOutbound } from '../connectors/desk-account.ts'
import { type Recording, withoutBoundary } from '../connectors/rt/fake.ts'
import { readScenario, writeScenario } from '../connectors/rt/scenarios.ts'
import { accountOf, type LiveAccounts, live } from './rt-account.ts'

// Renews service/src/connectors/helpdesk/rt/recordings from the two instances that `node test/live/rt.ts` has just
// started.

const kept = ['content-type', 'location', 'set-cookie']

async function record(role: keyof LiveAccounts, act: (outbound: Outbound) => Promise<unknown>): Promise<Recording[]> {
  const recordings: Recording[] = []
  const real = createLoopbackOutbound()
  const origin = String(live?.[role].access.instanceUrl)
  const plain = (text: string) => text.replaceAll(origin, '{origin}').replace(/(RT_SID[^=]*=)[0-9a-f]+/g, '$1session')
  const stream: Outbound['stream'] = async (url, options: OutboundRequest) => {
    const body = await textOf(options.body)
    const answer = await real.stream(url, { ...options, ...(body === null ? {} : { body }) })
    const text = (await textOf(answer.body)) ?? ''
    const headers = Object.fromEntries(
      kept.flatMap((name) => (answer.headers[name] === undefined ? [] : [[name, plain(String(answer.headers[name]))]])),
    )
    const isPage = headers['content-type']?.startsWith('text/html') ?? false
    recordings.push({
      method: options.method ?? 'GET',
      path: url.slice(origin.length),
      body: plain(withoutBoundary(body ?? '', options.headers?.['content-type'])),
      status: answer.status,
      headers,
      // Pages are not recorded, and extra spaces in data are removed.
      answer: isPage
        ? ''
        : plain(text.startsWith('{') || text.startsWith('[') ? JSON.stringify(JSON.parse(text)) : text),
    })
    return { ...answer, body: Readable.from([Buffer.from(text)], { objectMode: false }) }
  }
  const outbound: Outbound = {
    ...real,
    stream,
    async request(url, options) {
      const { body, ...head } = await stream(url, options)
      const text = (await textOf(body)) ?? ''
      const pieces = text === '' ? [] : [new Uint8Array(Buffer.from(text))]
      return { ...head, body: text, pieces, isCut: false }
    },
  }
  await act(outbound)
  await real.close()
  return recordings
}

async function textOf(body: OutboundRequest['body']): Promise<string | null> {
  if (body === undefined || typeof body === 'string') return body ?? null
  if (body instanceof Uint8Array) return Buffer.from(body).toString('utf8')
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function save(name: string, recordings: Recording[]): Promise<void> {
  const file = join(import.meta.dirname, '../../service/src/connectors/helpdesk/rt/recordings', `${name}.json`)
  const head = { tool: 'Request Tracker 5.0.3 (Debian 12)', recordedOn: new Date().toISOString().slice(0, 10) }
  await writeFile(file, `${JSON.stringify({ ...head, recordings }, null, 2)}\n`)
}

const reading = await record('source', (outbound) => readScenario(openReader(accountOf(outbound, 'source')), '1'))
await save('reading', reading)
const writing = await record('destination', (outbound) => writeScenario(openWriter(accountOf(outbound, 'destination'))))
await save('writing', writing)
console.log(`${reading.length} and ${writing.length} answers recorded`)
