import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyDefinitions } from '../src/families/index.ts'
import { answerParent } from './run-child.ts'

/**
 * Serves a destination with two interfaces: a plain API that creates records at every request, like most tools, and the
 * open protocol. Both take batches of the same size, and every answer takes the same time.
 */
export type ServePlain =
  | { start: { latencyMs: number; concurrency: number; batch: number } }
  | { tell: true }
  | { empty: true }

export interface PlainTold {
  /** The number of all copies, and the number of different source records among them. */
  created: number
  distinct: number
  isDone: boolean
  /** The number of source records with more than one copy. */
  doubled: number
}

interface Kept {
  external_id: string
  [field: string]: unknown
}

/** The number of copies of each source record, by kind and number. */
const counts = new Map<string, number>()
const kept = new Map<string, Kept>()
const counted = ['tickets', 'comments', 'attachments']
let lastId = 0
let isDone = false

const create = (source: string) => {
  counts.set(source, (counts.get(source) ?? 0) + 1)
  return ++lastId
}

/** Stores a record of the open protocol. The same external id again updates the same record. */
function keep(record: Kept) {
  const { external_id } = record
  const before = kept.get(external_id)
  const source = external_id.split('/').slice(-2).join('/')
  const id = before?.id ?? String(lastId + 1)
  if (!before && counted.includes(source.split('/')[0] ?? '')) create(source)
  kept.set(external_id, { ...record, id, version: '1' })
  return { external_id, result: before ? 'updated' : 'created', id, version: '1' }
}

const describe = (limits: { concurrency: number; batch: number }) => ({
  protocol: 1,
  account: { name: 'Plain' },
  families: ['helpdesk'],
  text_format: 'html',
  limits,
  capabilities: { silent: true, backdate: true },
  entities: Object.fromEntries(
    familyDefinitions.helpdesk.entities.map(({ name, fields }) => [
      name,
      {
        custom_fields: 'any',
        fields: Object.fromEntries(Object.entries(fields).map(([field, { type, many }]) => [field, { type, many }])),
      },
    ]),
  ),
})

function answer(url: URL, body: Buffer, limits: { concurrency: number; batch: number }): object {
  const { pathname: path, searchParams: query } = url
  if (path === '/plain/done') {
    isDone = true
    return {}
  }
  if (path.startsWith('/plain') && path.endsWith('/files')) return { id: create(String(query.get('source'))) }
  if (path.startsWith('/plain')) {
    const { records } = JSON.parse(String(body)) as { records: { source: string }[] }
    return { ids: records.map(({ source }) => create(source)) }
  }
  if (path === '/describe') return describe(limits)
  if (path === '/users') return { data: [], next: null }
  if (path === '/files') return keepFile(query, body)
  const json = JSON.parse(String(body)) as { records?: Kept[]; external_ids?: string[] }
  if (path.endsWith('/find')) return { records: (json.external_ids ?? []).flatMap((id) => kept.get(id) ?? []) }
  return { results: (json.records ?? []).map(keep) }
}

function keepFile(query: URLSearchParams, body: Buffer) {
  const stored = { size: body.length, sha256: createHash('sha256').update(body).digest('hex') }
  const parent = { entity: query.get('parent_entity'), external_id: query.get('parent') }
  const fields = { parent, file_name: query.get('file_name'), is_inline: query.get('inline') === 'true', ...stored }
  const { external_id: _, ...result } = keep({ external_id: String(query.get('external_id')), fields })
  return { ...result, ...stored }
}

answerParent(async (question: ServePlain, cleanup) => {
  if ('empty' in question) {
    counts.clear()
    kept.clear()
    isDone = false
    return null
  }
  if ('tell' in question) {
    const created = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const doubled = [...counts.values()].filter((count) => count > 1).length
    return { created, distinct: counts.size, isDone, doubled } satisfies PlainTold
  }
  const { latencyMs, concurrency, batch } = question.start
  const server = createServer(async (request, response) => {
    const body = await readBody(request).catch(() => null)
    if (body === null) return
    const found = answer(new URL(request.url ?? '/', 'http://plain'), body, { concurrency, batch })
    await sleep(latencyMs)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(found))
  })
  cleanup.defer(async () => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
