import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyDefinitions } from '../src/families/index.ts'
import { answerParent } from './run-child.ts'

/** A destination of the open protocol that keeps everything in memory and answers at once, or after a while. */
export interface ServeSink {
  latencyMs: number
  concurrency: number
  batch: number
}

interface Kept {
  external_id: string
  fields: unknown
  custom_fields: unknown
  created_at: unknown
  updated_at: unknown
}

answerParent(async ({ latencyMs, concurrency, batch }: ServeSink, cleanup) => {
  const kept = new Map<string, Kept>()
  const entities = Object.fromEntries(
    familyDefinitions.helpdesk.entities.map(({ name, fields }) => [
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
    families: ['helpdesk'],
    text_format: 'html',
    limits: { batch, concurrency },
    capabilities: { silent: true, backdate: true },
    entities,
  }
  const answer = (path: string, body: { records?: Kept[]; external_ids?: string[] } | null) => {
    if (path === '/describe') return description
    if (path.startsWith('/users')) return { data: [], next: null }
    if (path.endsWith('/find')) {
      const found = (body?.external_ids ?? []).flatMap((id) => kept.get(id) ?? [])
      return { records: found.map((record) => ({ ...record, id: record.external_id, version: '1' })) }
    }
    if (path.endsWith('/delete')) {
      return { results: (body?.records ?? []).map(({ external_id }) => ({ external_id, result: 'deleted' })) }
    }
    return {
      results: (body?.records ?? []).map((record) => {
        kept.set(record.external_id, record)
        const { external_id } = record
        return { external_id, result: 'created', id: external_id, version: '1' }
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
