import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { attachmentBody, attachmentHeaders } from './attachment-bytes.ts'
import { DeskError, notFound } from './errors.ts'
import { createRequestLimit } from './limit-requests.ts'
import { parseId, parseListQuery } from './query-parameters.ts'
import { ENTITIES, type Records } from './records.ts'
import { commentSchema, ticketChangeSchema, ticketSchema } from './ticket-schemas.ts'
import type { CommentInput, TicketInput, TicketWriter } from './write-tickets.ts'

export interface ApiOptions {
  apiKey: string
  /** Returns true for a token that a program got by OAuth 2. The API key itself is checked separately. */
  isToken?: (token: string) => Promise<boolean>
  publicUrl: () => string
  requestsPerSecond: number
  records: Records
  writer: TicketWriter
}

type ById = { Params: { id: string } }

/** Every route under /api/v1 checks the key first, then the rate limit, then the path. */
export function addApiRoutes(api: FastifyInstance, options: ApiOptions): void {
  const { records, writer } = options
  const secondsToWait = createRequestLimit(options.requestsPerSecond)

  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { authorization } = request.headers
    const hasKey = isKey(authorization, options.apiKey)
    if (!hasKey && !(await isAllowed(authorization, options.isToken))) {
      reply.header('www-authenticate', 'Bearer realm="Fernhill Desk"')
      throw new DeskError(401, 'unauthorized', 'Send the API key as "Authorization: Bearer <key>".')
    }
    if (!hasKey && request.method !== 'GET') {
      throw new DeskError(403, 'forbidden', 'This program was allowed to read only.')
    }
    const wait = secondsToWait()
    if (wait > 0) {
      reply.header('retry-after', wait)
      throw new DeskError(429, 'rate_limited', `More than ${options.requestsPerSecond} requests in a second.`)
    }
  })
  api.setNotFoundHandler(() => {
    throw notFound()
  })

  api.get('/account', () => ({
    name: 'Fernhill Garden Supplies',
    subdomain: 'fernhill',
    plan: 'Grove',
    url: options.publicUrl(),
    time_zone: 'Europe/London',
    counts: records.counts(),
  }))

  for (const entity of ENTITIES) {
    api.get<{ Querystring: Record<string, unknown> }>(`/${entity}`, ({ query }) =>
      records.list(entity, parseListQuery(query)),
    )
    api.get<ById>(`/${entity}/:id`, ({ params }) => {
      const record = records.one(entity, parseId(params.id, 'This record'))
      if (!record) throw notFound('This record')
      return record
    })
  }

  api.get<ById & { Querystring: Record<string, unknown> }>('/tickets/:id/comments', ({ params, query }) => {
    const id = parseId(params.id, 'This ticket')
    if (!records.row('tickets', id)) throw notFound('This ticket')
    return records.list('comments', parseListQuery(query), id)
  })

  api.get<ById>('/attachments/:id/content', async ({ params }, reply) => {
    const row = records.row('attachments', parseId(params.id, 'This attachment'))
    if (!row) throw notFound('This attachment')
    return reply.headers(attachmentHeaders(row)).send(attachmentBody(row, records.storedBytes(row.id)))
  })

  api.post<{ Body: TicketInput }>('/tickets', { schema: { body: ticketSchema } }, async ({ body }, reply) => {
    reply.code(201)
    return records.one('tickets', writer.createTicket(body))
  })

  api.patch<ById & { Body: TicketInput }>(
    '/tickets/:id',
    { schema: { body: ticketChangeSchema } },
    async ({ params, body }) => {
      const id = parseId(params.id, 'This ticket')
      writer.changeTicket(id, body)
      return records.one('tickets', id)
    },
  )

  api.delete<ById>('/tickets/:id', async ({ params }, reply) => {
    writer.deleteTicket(parseId(params.id, 'This ticket'))
    return reply.code(204).send()
  })

  api.delete<ById>('/comments/:id', async ({ params }, reply) => {
    writer.deleteComment(parseId(params.id, 'This comment'))
    return reply.code(204).send()
  })

  api.post<ById & { Body: CommentInput }>(
    '/tickets/:id/comments',
    { schema: { body: commentSchema } },
    async ({ params, body }, reply) => {
      const commentId = writer.addComment(parseId(params.id, 'This ticket'), body)
      reply.code(201)
      return records.one('comments', commentId)
    },
  )
}

async function isAllowed(authorization: string | undefined, isToken: ApiOptions['isToken']): Promise<boolean> {
  const [, token] = /^Bearer ([\w.~+/-]{1,500}=*)$/i.exec(authorization ?? '') ?? []
  return (token && (await isToken?.(token))) || false
}

function isKey(header: string | undefined, key: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1]
  return given !== undefined && timingSafeEqual(digest(given), digest(key))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
