import type { FastifyInstance } from 'fastify'
import { connectAccount } from '../authorizations/connect-account.ts'
import type { RunOptions } from '../db/schema.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { startOver } from '../imports/start-over.ts'
import { pauseRun, resumeRun, startRun } from '../imports/start-run.ts'
import { admit } from './admit-by-cookie.ts'
import type { PortalParts } from './portal.ts'
import { readFlag, readObject, readTexts } from './read-body.ts'

const kinds = ['plan', 'sample', 'full', 'delta', 'retry', 'preview', 'undo'] as const
/** Records that a customer can ask to see in a sample. */
const mostNamed = 50
const maxBytes = 16 * 1024

type WithId = { Params: { id: string } }

/** What the customer can do with an import. The server decides; the screen shows what it said. */
export function registerActionRoutes(app: FastifyInstance, parts: PortalParts): void {
  const options = { schema: { hide: true }, bodyLimit: maxBytes }

  app.put<WithId & { Params: { role: string } }>('/portal/imports/:id/accounts/:role', options, async (request) => {
    const importId = await admit(parts, request)
    const { role } = request.params
    if (role !== 'source' && role !== 'destination') throw new RequestError('not_found', 'There is no such account.')
    const body = readTexts(request.body, ['instance_url', 'username', 'token', 'upload'])
    const access = {
      instanceUrl: body.instance_url,
      username: body.username,
      token: body.token,
      uploadId: body.upload,
    }
    return { account: await connectAccount(parts, { importId, role, access }) }
  })

  app.post<WithId>('/portal/imports/:id/runs', options, async (request, reply) => {
    const importId = await admit(parts, request)
    const { kind } = readTexts(request.body, ['kind'])
    const known = kinds.find((candidate) => candidate === kind)
    if (!known) throw new ValidationError({ kind: [`must be one of ${kinds.join(', ')}`] })
    const { status } = await startRun(parts.db, parts.starter, importId, known, readOptions(known, request.body))
    return reply.code(201).send({ status_code: status })
  })

  app.post<WithId>('/portal/imports/:id/pause', options, async (request, reply) => {
    const importId = await admit(parts, request)
    if (!(await pauseRun(parts.db, importId))) {
      throw new ValidationError({ status: ['does not allow this now: nothing is under way'] })
    }
    return reply.code(204).send()
  })

  app.post<WithId>('/portal/imports/:id/start-over', options, async (request) => {
    const importId = await admit(parts, request)
    return { status_code: await startOver(parts.db, importId) }
  })

  app.post<WithId>('/portal/imports/:id/resume', options, async (request, reply) => {
    const importId = await admit(parts, request)
    if (!(await resumeRun(parts.db, parts.starter, importId))) {
      throw new ValidationError({ status: ['does not allow this now: nothing is paused'] })
    }
    return reply.code(204).send()
  })
}

/** What the customer asks of this run, beyond its kind. */
function readOptions(kind: (typeof kinds)[number], body: unknown): RunOptions {
  if (kind === 'undo') return readFlag(body, 'remove_edited') ? { remove_edited: true } : {}
  if (kind === 'retry') return readFlag(body, 'send_unknown') ? { send_unknown: true } : {}
  const { records } = readObject(body)
  if (kind !== 'sample' || records === undefined || records === null) return {}
  if (!Array.isArray(records) || records.length > mostNamed) {
    throw new ValidationError({ records: [`must be a list of at most ${mostNamed} records`] })
  }
  return {
    records: records.map((record, index) => {
      const { entity, source_id } = readTexts(record, ['entity', 'source_id'])
      if (!entity || !source_id) {
        throw new ValidationError({ [`records.${index}`]: ['must have an entity and a source_id'] })
      }
      return { entity, source_id }
    }),
  }
}
