import type { FastifyInstance, FastifyRequest } from 'fastify'
import { connectAccount } from '../authorizations/connect-account.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { resumeRun, startRun } from '../imports/start-run.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import type { PortalParts } from './portal.ts'
import { requireSameOrigin } from './require-same-origin.ts'

const kinds = ['sample', 'full', 'delta', 'undo'] as const
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
    const { status } = await startRun(parts.db, parts.starter, importId, known)
    return reply.code(201).send({ status_code: status })
  })

  app.post<WithId>('/portal/imports/:id/resume', options, async (request, reply) => {
    const importId = await admit(parts, request)
    if (!(await resumeRun(parts.db, parts.starter, importId))) {
      throw new ValidationError({ status: ['does not allow this now: nothing is paused'] })
    }
    return reply.code(204).send()
  })
}

async function admit(parts: PortalParts, request: FastifyRequest<WithId>): Promise<string> {
  requireSameOrigin(request, parts.origin())
  return (await admitByCookie(parts, request)).id
}

/** The named texts of a JSON object; what is missing, null or blank is null. */
function readTexts<N extends string>(body: unknown, names: N[]): Record<N, string | null> {
  const values = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const read = (name: N): [N, string | null] => {
    const value = Object.hasOwn(values, name) ? values[name] : null
    if (value !== null && value !== undefined && typeof value !== 'string') {
      throw new ValidationError({ [name]: ['must be a string'] })
    }
    const text = value?.trim() ?? ''
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    if (/[\u0000-\u001f\u007f]/.test(text))
      throw new ValidationError({ [name]: ['must not contain control characters'] })
    return [name, text === '' ? null : text]
  }
  return Object.fromEntries(names.map(read)) as Record<N, string | null>
}
