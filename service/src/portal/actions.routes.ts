import type { FastifyInstance } from 'fastify'
import type { RunOptions } from '../db/schema.ts'
import { OperatorError, RequestError, ValidationError } from '../errors.ts'
import { endImport } from '../imports/end-import.ts'
import { keepGone } from '../imports/gone-records.ts'
import { judgeRecords } from '../imports/judge-records.ts'
import { pauseRun } from '../imports/pause-run.ts'
import { resumeRun } from '../imports/resume-run.ts'
import { skipStuck } from '../imports/skip-stuck.ts'
import { startOver } from '../imports/start-over.ts'
import { startRun } from '../imports/start-run.ts'
import { admitAction } from './admit-by-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { readFlag, readObject, readTexts } from './read-body.ts'

const kinds = ['plan', 'sample', 'full', 'delta', 'retry', 'preview', 'check', 'removal', 'undo'] as const
/** Records that a customer can ask to see in a sample. */
const mostNamed = 50
/** Records that a customer can tick at once. */
const mostJudged = 200
const maxBytes = 64 * 1024

type WithId = { Params: { id: string } }

/** The customer's actions on an import. The server decides which are allowed; the screen shows its decision. */
export function registerActionRoutes(app: FastifyInstance, parts: PortalParts): void {
  const options = { schema: { hide: true }, bodyLimit: maxBytes }

  app.post<WithId>('/portal/imports/:id/runs', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { kind } = readTexts(request.body, ['kind'])
    const known = kinds.find((candidate) => candidate === kind)
    if (!known) throw new ValidationError({ kind: [`must be one of ${kinds.join(', ')}`] })
    const { status } = await startRun(parts.db, parts.starter, importId, known, readOptions(known, request.body))
    return reply.code(201).send({ status_code: status })
  })

  app.post<WithId>('/portal/imports/:id/pause', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    if (!(await pauseRun(parts.db, importId))) {
      throw new ValidationError({ status: ['does not allow this now: nothing is under way'] })
    }
    return reply.code(204).send()
  })

  app.post<WithId>('/portal/imports/:id/cancel', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    await endImport(parts.db, importId, 'cancelled', `customer ${importId}`).catch((error: unknown) => {
      if (error instanceof OperatorError) throw new RequestError('not_found', 'This import has ended already.')
      throw error
    })
    return reply.code(204).send()
  })

  app.put<WithId>('/portal/imports/:id/verdicts', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { entity, source_id, verdict } = readTexts(request.body, ['entity', 'source_id', 'verdict'])
    if (verdict !== null && verdict !== 'fine' && verdict !== 'flagged') {
      throw new ValidationError({ verdict: ['must be fine, flagged or null'] })
    }
    const { source_ids: several } = readObject(request.body)
    const isList =
      Array.isArray(several) && several.length <= mostJudged && several.every((id) => typeof id === 'string')
    if (several !== undefined && !isList) {
      throw new ValidationError({ source_ids: [`must be a list of at most ${mostJudged} ids`] })
    }
    const sourceIds = isList ? (several as string[]) : source_id === null ? [] : [source_id]
    const isJudged = await judgeRecords(parts.db, importId, { entity, sourceIds, verdict })
    if (!isJudged) throw new RequestError('not_found', 'There is no such record in this import.')
    return reply.code(204).send()
  })

  app.post<WithId>('/portal/imports/:id/start-over', options, async (request) => {
    const { id: importId } = await admitAction(parts, request)
    return { status_code: await startOver(parts.db, importId) }
  })

  app.post<WithId>('/portal/imports/:id/keep-gone', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    await keepGone(parts.db, importId)
    return reply.code(204).send()
  })

  app.post<WithId>('/portal/imports/:id/resume', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    if (!(await resumeRun(parts.db, parts.starter, importId, { actor: `customer ${importId}`, triesNow: true }))) {
      throw new ValidationError({ status: ['does not allow this now: nothing is paused, or support has paused it'] })
    }
    return reply.code(204).send()
  })

  app.post<WithId>('/portal/imports/:id/skip', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    await skipStuck(parts.db, parts.starter, { importId }, `customer ${importId}`)
    return reply.code(204).send()
  })
}

/** The customer's wishes for this run, beyond its kind. */
function readOptions(kind: (typeof kinds)[number], body: unknown): RunOptions {
  if (kind === 'undo') return readFlag(body, 'remove_edited') ? { remove_edited: true } : {}
  if (kind === 'retry') {
    return {
      ...(readFlag(body, 'send_unknown') && { send_unknown: true }),
      ...(readFlag(body, 'bring_back') && { bring_back: true }),
      ...(readFlag(body, 'remap') && { remap: true }),
    }
  }
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
