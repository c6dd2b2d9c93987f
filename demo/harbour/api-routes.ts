import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { describeAccount } from './describe-account.ts'
import type { Carries, EntityRules, Family } from './entities.ts'
import { HarbourError, notFound } from './errors.ts'
import { addFaults, type Faults } from './faults.ts'
import * as schemas from './request-schemas.ts'
import type { FileStore } from './store-files.ts'
import type { Act } from './store-records.ts'
import type { RecordSync, SentDelete, SentRecord } from './sync-records.ts'

export interface ApiOptions extends Faults {
  db: DatabaseSync
  /** Account ids by API token. */
  accounts: ReadonlyMap<string, string>
  accountName: string
  families: readonly Family[]
  entities: Readonly<Record<string, EntityRules>>
  carries: Carries
  maxFileBytes: number
  sync: RecordSync
  files: FileStore
}

type ByEntity = { Params: { entity: string } }

/** The prefix of all routes of the open destination protocol, version 1. */
export const API_PREFIX = '/api/wherry'

export function addApiRoutes(api: FastifyInstance, options: ApiOptions): void {
  const { sync, files } = options
  // Tokens are looked up by digest, so that the response time reveals nothing about them.
  const accounts = new Map([...options.accounts].map(([token, account]) => [digest(token), account]))
  const acts = new WeakMap<FastifyRequest, Act>()
  const actOf = (request: FastifyRequest): Act => {
    const act = acts.get(request)
    if (!act) throw new Error('a request got past the token')
    return act
  }

  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const [, token = ''] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '') ?? []
    const account = accounts.get(digest(token))
    if (account === undefined) {
      reply.header('www-authenticate', 'Bearer realm="Harbour"')
      throw new HarbourError(401, 'unauthorized', 'Send the API token as "Authorization: Bearer <token>".')
    }
    acts.set(request, { account, requestId: request.id })
  })
  addFaults(api, API_PREFIX, options)
  api.setNotFoundHandler(() => {
    throw notFound('This address')
  })

  api.get('/describe', (request) => describeAccount({ ...options, id: actOf(request).account }))

  api.get<{ Querystring: { limit?: string; after?: string } }>(
    '/users',
    { schema: { querystring: schemas.usersQuerySchema } },
    ({ query }) => {
      const limit = Number(query.limit ?? 200)
      const rows = options.db
        .prepare('SELECT * FROM users WHERE position > ? ORDER BY position LIMIT ?')
        .all(Number(query.after ?? 0), limit + 1)
      const page = rows.slice(0, limit)
      return {
        data: page.map(({ id, name, email, active }) => ({ id, name, email, active: active === 1 })),
        next: rows.length > limit ? String(page.at(-1)?.position) : null,
      }
    },
  )

  api.put<ByEntity & { Body: { records: SentRecord[] } }>(
    '/records/:entity',
    { schema: { body: schemas.writeSchema } },
    (request) => ({ results: sync.write(actOf(request), request.params.entity, request.body.records) }),
  )
  api.post<ByEntity & { Body: { external_ids: string[] } }>(
    '/records/:entity/find',
    { schema: { body: schemas.findSchema } },
    (request) => ({ records: sync.find(actOf(request).account, request.params.entity, request.body.external_ids) }),
  )
  api.post<ByEntity & { Body: { records: SentDelete[] } }>(
    '/records/:entity/delete',
    { schema: { body: schemas.deleteSchema } },
    (request) => ({ results: sync.remove(actOf(request), request.params.entity, request.body.records) }),
  )

  // A separate scope, because every body here is a file, even if its type is JSON.
  api.register(async (bytes) => {
    bytes.removeAllContentTypeParsers()
    bytes.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    bytes.put<{ Querystring: schemas.FileQuery }>(
      '/files',
      { schema: { querystring: schemas.fileQuerySchema } },
      (request) => {
        const { query, headers, raw } = request
        const file = {
          externalId: query.external_id,
          revision: query.revision === undefined ? null : Number(query.revision),
          version: query.version ?? null,
          entity: query.entity ?? 'attachments',
          parentEntity: query.parent_entity ?? null,
          parent: query.parent ?? null,
          fileName: query.file_name,
          contentType: headers['content-type'] ?? 'application/octet-stream',
          isInline: query.inline === 'true',
          isPrivate: query.private === 'true',
          uploadedBy: query.uploaded_by ?? null,
          createdAt: query.created_at ?? null,
          updatedAt: query.updated_at ?? query.created_at ?? null,
          length: headers['content-length'] === undefined ? null : Number(headers['content-length']),
        }
        return files.save(actOf(request), file, raw)
      },
    )
  })
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
