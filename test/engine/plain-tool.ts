import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * The fault of one request: before or after the tool has acted. `late`: the tool acts when nobody waits any more.
 * `late_until_resent`: it acts right after the same record was sent again, on a machine of any speed.
 */
export type PlainFault =
  | 'ok'
  | 'drop'
  | 'commit_then_drop'
  | 'commit_then_500'
  | 'late_until_resent'
  | { late: number }
  | { delay: number }
  | { status: number }

export interface PlainThing {
  id: string
  entity: string
  /** Our key. The tool can be searched by it only if it stores markers. */
  key: string
  content: unknown
  createdAt: number
  /** The record that carried this one. A carried record cannot be found by its key, and is removed with its carrier. */
  within?: string
}

/** A record inside another, as it is sent. */
interface PlainPart {
  entity: string
  key: string
  content: { fields: Record<string, unknown> }
  /** Of a file: the upload with its bytes, and the key of the ticket or comment that it belongs to. */
  file?: { token: string; parentKey: string }
}

export interface PlainToolOptions {
  onRequest?: (request: { method: string; url: string; key: string | undefined }) => PlainFault
  /** Time during which a new record cannot be found. */
  settleMs?: number
  /** Selects parts, by their keys, that the tool refuses. */
  refusesPart?: (key: string) => boolean
}

/**
 * A tool without upserts: every POST creates a new record, unless the tool remembers the idempotency key of an earlier
 * POST.
 */
export async function startPlainTool(options: PlainToolOptions = {}) {
  const { onRequest = () => 'ok', settleMs = 0, refusesPart = () => false } = options
  const things = new Map<string, PlainThing>()
  const remembered = new Map<string, string>()
  const sought = new Set<string>()
  const uploads = new Set<string>()
  let lastId = 0
  let lateOnes = 0
  const untilResent = new Map<string, () => void>()
  const app = Fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true })
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => {
    let bytes = 0
    payload.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    payload.on('end', () => done(null, { bytes }))
    payload.on('error', done)
  })

  const create = (entity: string, headers: Record<string, unknown>, body: unknown): string => {
    const idempotency = headers['idempotency-key']
    const known = typeof idempotency === 'string' ? remembered.get(idempotency) : undefined
    if (known !== undefined) return known
    const id = String(++lastId)
    things.set(id, { id, entity, key: String(headers['x-key']), content: body, createdAt: Date.now() })
    if (typeof idempotency === 'string') remembered.set(idempotency, id)
    return id
  }
  const partsOf = (id: string) => [...things.values()].filter(({ within }) => within === id)
  const createInside = (id: string, parts: PlainPart[]) => {
    const ids = new Map<string, string>()
    return parts.map(({ entity, key, content, file }) => {
      if (refusesPart(key)) return { error: 'this part is not taken' }
      if (file && !uploads.delete(file.token)) return { error: 'this upload is used up' }
      const partId = String(++lastId)
      ids.set(key, partId)
      const parent = file ? { parent: ids.get(file.parentKey) ?? id } : { ticket: id }
      const placed = { ...content, fields: { ...content.fields, ...parent } }
      things.set(partId, { id: partId, entity, key, content: placed, createdAt: Date.now(), within: id })
      return { id: partId }
    })
  }
  /** A ticket may come with its comments. The same idempotency key creates none of them again. */
  const createWhole = (entity: string, headers: Record<string, unknown>, body: unknown) => {
    const { parts = [], ...content } = body as { parts?: PlainPart[] }
    const before = things.size
    const id = create(entity, headers, content)
    const isNew = things.size > before
    return { id, parts: isNew ? createInside(id, parts) : partsOf(id).map((part) => ({ id: part.id })) }
  }
  const act = (method: string, entity: string, id: string | null, headers: Record<string, unknown>, body: unknown) => {
    if (method === 'POST') return { status: 201, answer: createWhole(entity, headers, body) }
    const thing = id === null ? undefined : things.get(id)
    if (!thing || thing.entity !== entity) return { status: 404, answer: { error: 'there is no such thing' } }
    if (method === 'PUT') thing.content = body
    if (method === 'DELETE') for (const { id: gone } of [thing, ...partsOf(thing.id)]) things.delete(gone)
    return { status: 200, answer: { id: thing.id, key: thing.key, content: thing.content } }
  }

  type Search = { Params: { entity: string }; Querystring: { marker: string; within?: string } }
  app.get<Search>('/:entity', async ({ params, query }) => {
    if (query.within !== undefined) {
      const isBelow = ({ content }: PlainThing) => {
        const { ticket, parent } = (content as PlainPart['content']).fields
        return (parent ?? ticket) === query.within
      }
      return [...things.values()]
        .filter((thing) => thing.entity === params.entity && thing.within !== undefined && isBelow(thing))
        .map(({ id, key, content }) => ({ id, key, content }))
    }
    const markers = query.marker.split(',')
    for (const marker of markers) sought.add(marker)
    return [...things.values()]
      .filter(({ entity, key, within }) => entity === params.entity && within === undefined && markers.includes(key))
      .filter(({ createdAt }) => Date.now() - createdAt >= settleMs)
      .map(({ id, key, content }) => ({ id, key, content }))
  })
  const handle = async (request: FastifyRequest<{ Params: { entity: string; id?: string } }>, reply: FastifyReply) => {
    const { method, params, headers, body } = request
    const key = headers['x-key']
    const fault = onRequest({ method, url: request.url, key: typeof key === 'string' ? key : undefined })
    const run = () => act(method, params.entity, params.id ?? null, headers, body)
    if (fault === 'drop') return breakOff(request, reply)
    if (fault === 'late_until_resent') {
      untilResent.set(String(key), run)
      return breakOff(request, reply)
    }
    if (typeof fault === 'object' && 'status' in fault) return reply.code(fault.status).send({ error: 'no' })
    if (typeof fault === 'object' && 'delay' in fault) await sleep(fault.delay)
    else if (typeof fault === 'object') {
      lateOnes++
      setTimeout(() => {
        run()
        lateOnes--
      }, fault.late)
      return breakOff(request, reply)
    }
    const { status, answer } = run()
    if (method === 'POST') {
      untilResent.get(String(key))?.()
      untilResent.delete(String(key))
    }
    if (fault === 'commit_then_drop') return breakOff(request, reply)
    if (fault === 'commit_then_500') return reply.code(500).send({ error: 'oh' })
    return reply.code(status).send(answer)
  }
  app.post('/uploads', async (request, reply) => {
    const fault = onRequest({ method: 'POST', url: request.url, key: undefined })
    if (fault !== 'ok') return breakOff(request, reply)
    const token = `upload ${++lastId}`
    uploads.add(token)
    return { token }
  })
  app.post('/:entity', handle as never)
  for (const method of ['GET', 'PUT', 'DELETE']) app.route({ method, url: '/:entity/:id', handler: handle as never })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    things,
    /** Keys that were searched. */
    sought,
    isQuiet: () => lateOnes === 0,
    close: () => app.close(),
  }
}

function breakOff(request: FastifyRequest, reply: FastifyReply) {
  reply.hijack()
  request.raw.socket.destroy()
}

export type PlainTool = Awaited<ReturnType<typeof startPlainTool>>
