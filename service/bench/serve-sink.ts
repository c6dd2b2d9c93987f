import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Family, familyDefinitions } from '../src/families/index.ts'
import { answerParent } from './run-child.ts'

/** Serves a destination of the open protocol that keeps records in memory. It answers at once, or after `latencyMs`. */
export interface ServeSink {
  latencyMs: number
  concurrency: number
  batch: number
  family?: Family
  /**
   * Stores records as packed bytes, so that a million fit into memory. Gives them numeric ids like a tool, and forgets
   * deleted ones.
   */
  isLarge?: boolean
}

/** `count` asks for the current number of records. */
export type SinkQuestion = ServeSink | { count: true }

interface Kept {
  id?: string
  external_id: string
  fields: unknown
  custom_fields: unknown
  created_at: unknown
  updated_at: unknown
}

const kept = new Map<string, Kept | Buffer>()
let lastId = 100_000
const unpack = (record: Kept | Buffer): Kept => (Buffer.isBuffer(record) ? JSON.parse(record.toString()) : record)

answerParent(async (question: SinkQuestion, cleanup) => {
  if ('count' in question) return kept.size
  const { latencyMs, concurrency, batch, family = 'helpdesk', isLarge = false } = question
  const entities = Object.fromEntries(
    familyDefinitions[family].entities.map(({ name, fields }) => [
      name,
      {
        custom_fields: 'any',
        fields: Object.fromEntries(Object.entries(fields).map(([field, { type, many }]) => [field, { type, many }])),
      },
    ]),
  )
  const description = {
    protocol: 1,
    account: { name: 'Sink' },
    families: [family],
    text_format: 'html',
    limits: { batch, concurrency },
    capabilities: { silent: true, backdate: true },
    entities,
  }
  const answer = (path: string, body: { records?: Kept[]; external_ids?: string[] } | null) => {
    if (path === '/describe') return description
    if (path.startsWith('/users')) return { data: [], next: null }
    if (path.endsWith('/find')) {
      const found = (body?.external_ids ?? []).flatMap((id) => kept.get(id) ?? []).map(unpack)
      return { records: found.map((record) => ({ id: record.external_id, ...record, version: '1' })) }
    }
    if (path.endsWith('/delete')) {
      if (isLarge) for (const { external_id } of body?.records ?? []) kept.delete(external_id)
      return { results: (body?.records ?? []).map(({ external_id }) => ({ external_id, result: 'deleted' })) }
    }
    return {
      results: (body?.records ?? []).map((record) => {
        const { external_id } = record
        const id = isLarge ? String(++lastId) : external_id
        kept.set(external_id, isLarge ? Buffer.from(JSON.stringify({ ...record, id })) : record)
        return { external_id, result: 'created', id, version: '1' }
      }),
    }
  }
  const server = createServer(async (request, response) => {
    const body = request.method === 'GET' ? null : JSON.parse(await readBody(request))
    if (latencyMs > 0) await sleep(latencyMs)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer(request.url ?? '', body)))
  })
  cleanup.defer(async () => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
