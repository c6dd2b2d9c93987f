import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { RequestError, ValidationError } from '../errors.ts'
import type { Idempotency } from '../imports/create-import.ts'
import type { ImportDetail } from '../imports/import-rows.ts'
import type { NewImportInput } from '../imports/new-import.ts'
import type { PartnerApiBackend } from './backend.ts'
import { callerOf, requireScope } from './caller.ts'
import { canonicalJson } from './canonical-json.ts'
import { fieldMessages } from './field-messages.ts'
import { presentCreated, presentDetail, presentEntry, presentLinked } from './presenters.ts'
import { type ImportRequestParts, requestImport } from './request-import.ts'
import * as schemas from './schemas.ts'

export interface ImportRoutesParts extends ImportRequestParts {
  /** Public address of the service; certain only once it listens. */
  origin: () => string
}

type WithId = { Params: Static<typeof schemas.ImportParams> }

export function registerImportRoutes(app: FastifyInstance, parts: ImportRoutesParts): void {
  const { backend, origin } = parts

  app.post<{ Body: Record<string, unknown> | undefined }>(
    '/imports',
    {
      schema: schemas.createImportDocs,
      config: { scope: 'imports:write' },
      attachValidation: true,
      preValidation: dropNulls,
    },
    async (request, reply) => {
      // The partner sponsors such an import, so the token needs the scope of `payment/accept`, too.
      if (request.body?.start_full === true) requireScope(callerOf(request), 'sponsorship:write', backend.isSandbox)
      const malformed = fieldMessages(request.validationError?.validation ?? [])
      const created = await requestImport(parts, callerOf(request), {
        input: (request.body ?? {}) as NewImportInput,
        malformed,
        idempotency: readIdempotency(backend, request),
      })
      const address = `${origin()}${app.prefix}/imports/${created.id}`
      return reply
        .code(201)
        .header('Location', address)
        .send(presentCreated(created, backend.links, origin()))
    },
  )

  app.get<{ Querystring: Static<typeof schemas.ListQuery> }>(
    '/imports',
    {
      schema: schemas.listImportsDocs,
      config: { scope: 'imports:read', listsRows: backend.hasRows },
      preValidation: requirePlainLimit,
    },
    async (request, reply) => {
      const { destination_username: destinationUsername, limit = null, after = null } = request.query
      const query = { destinationUsername, limit, after }
      const page = await backend.listImports(callerOf(request), query, request.foundList)
      if (page.next !== null) {
        const next = new URLSearchParams({
          destination_username: destinationUsername,
          limit: String(limit),
          after: page.next,
        })
        reply.header('Link', `<${origin()}${app.prefix}/imports?${next}>; rel="next"`)
      }
      return page.entries.map((imp) => presentEntry(imp, backend.links))
    },
  )

  // Runs before the query and body are checked: a missing import outranks a malformed request.
  const requireImport = async (request: FastifyRequest<WithId>) => {
    request.foundImport = backend.findImport(request.params.id, request.foundImport)
    if (!request.foundImport) throw new RequestError('not_found', 'There is no such import.')
  }

  app.get<WithId>(
    '/imports/:id',
    { schema: schemas.findImportDocs, config: { scope: 'imports:read' }, onRequest: requireImport },
    async (request) => presentDetail(request.foundImport as ImportDetail, backend.links),
  )

  app.post<WithId>(
    '/imports/:id/link',
    { schema: schemas.issueLinkDocs, config: { scope: 'imports:write' }, onRequest: requireImport },
    async (request) => {
      const imp = request.foundImport as ImportDetail
      const issued = await backend.issueLink(callerOf(request), imp)
      // It was ended since it was found.
      if (!issued) throw new RequestError('not_found', 'There is no such import.')
      return presentLinked({ ...imp, link_version: issued.link_version }, backend.links, origin())
    },
  )

  for (const [word, decision] of [
    ['accept', 'accepted'],
    ['reject', 'rejected'],
  ] as const) {
    app.post<WithId>(
      `/imports/:id/payment/${word}`,
      { schema: schemas.decideSponsorshipDocs(word), config: { scope: 'sponsorship:write' }, onRequest: requireImport },
      async (request, reply) => {
        await backend.decideSponsorship(callerOf(request), request.params.id, decision)
        return reply.code(200).send()
      },
    )
  }
}

/** `null`, and a blank text for an optional property, mean "not given". Only own properties count, so `__proto__` is one more unknown name. */
async function dropNulls(request: FastifyRequest<{ Body: Record<string, unknown> | undefined }>): Promise<void> {
  if (request.body === undefined) throw new RequestError('bad_request', 'The body must be a JSON object.')
  const known = Object.keys(schemas.NewImportBody.properties)
  request.body = Object.fromEntries(
    Object.entries(request.body).filter(
      ([name, value]) => known.includes(name) && value !== null && (name === 'source_tool' || !isBlank(value)),
    ),
  )
}

/** Spaces only: a text of control characters is wrong, not blank. */
const isBlank = (value: unknown) => typeof value === 'string' && /^ *$/.test(value)

/** Ajv would read "1e2" and "0x10" as numbers too. */
async function requirePlainLimit(request: FastifyRequest<{ Querystring: { limit?: unknown } }>): Promise<void> {
  const { limit } = request.query
  if (typeof limit === 'string' && !/^\d+$/.test(limit)) request.query.limit = 'no whole number'
}

function readIdempotency(backend: PartnerApiBackend, request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    throw new ValidationError({ idempotency_key: ['must have 1 to 255 visible ASCII characters'] })
  }
  return { key, bodyHash: backend.fingerprint(canonicalJson(request.bodyObject)) }
}
