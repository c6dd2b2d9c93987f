import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { MappingChanges } from '../db/mapping-changes.ts'
import { type FieldMessages, RequestError, ValidationError } from '../errors.ts'
import { checkSource } from '../imports/new-import.ts'
import { parseChanges } from '../mapping/changes-schema.ts'
import { refuseUnstorable } from '../refuse-unstorable.ts'
import type { PartnerApiBackend } from './backend.ts'
import { callerOf } from './caller.ts'
import { fieldMessages } from './field-messages.ts'
import * as schemas from './mapping-schemas.ts'
import { presentMapping } from './presenters.ts'

type WithMapping = { Params: Static<typeof schemas.MappingParams> }
type NewMapping = Partial<Static<typeof schemas.NewMappingBody>>

/** Mappings that the portal offers to the partner's customers. */
export function registerMappingRoutes(app: FastifyInstance, { backend }: { backend: PartnerApiBackend }): void {
  app.get('/mappings', { schema: schemas.listMappingsDocs, config: { scope: 'mappings:read' } }, async (request) =>
    (await backend.listMappings(callerOf(request))).map(presentMapping),
  )

  app.post<{ Body: NewMapping }>(
    '/mappings',
    {
      schema: schemas.provideMappingDocs,
      config: { scope: 'mappings:write' },
      attachValidation: true,
      preValidation: dropNulls,
    },
    async (request, reply) => {
      const partner = callerOf(request)
      const messages = fieldMessages(request.validationError?.validation ?? [])
      const { name = '', changes: given, ...input } = request.body
      const { tool, family } = checkSource(input, messages, backend.acceptedTools(partner))
      const changes = Object.hasOwn(messages, 'changes') ? {} : readChanges(given, messages)
      if (Object.keys(messages).length > 0 || !tool || !family) throw new ValidationError(messages)
      const place = { name: name.trim(), family, sourceTool: tool.tool }
      return reply.code(201).send(presentMapping(await backend.provideMapping(partner, place, changes)))
    },
  )

  const missing = () => new RequestError('not_found', 'There is no such mapping.')
  // Runs before the query and body are checked: a missing mapping outranks a malformed request.
  const requireMapping = async (request: FastifyRequest<WithMapping>) => {
    const mappings = await backend.listMappings(callerOf(request))
    if (!mappings.some(({ id }) => id === request.params.mapping_id)) throw missing()
  }

  app.delete<WithMapping>(
    '/mappings/:mapping_id',
    { schema: schemas.removeMappingDocs, config: { scope: 'mappings:write' }, onRequest: requireMapping },
    async (request, reply) => {
      if (!(await backend.removeMapping(callerOf(request), request.params.mapping_id))) throw missing()
      return reply.code(204).send()
    },
  )
}

function readChanges(given: unknown, messages: FieldMessages): MappingChanges {
  try {
    refuseUnstorable({ changes: given })
    return parseChanges(given)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    for (const [path, words] of Object.entries(error.fields)) {
      messages[path === 'changes' ? path : `changes.${path}`] = words
    }
    return {}
  }
}

/** `null`, and a blank family, mean "not given"; unknown properties are ignored. */
async function dropNulls(request: FastifyRequest<{ Body: Record<string, unknown> | undefined }>): Promise<void> {
  if (request.body === undefined) throw new RequestError('bad_request', 'The body must be a JSON object.')
  const known = Object.keys(schemas.NewMappingBody.properties)
  request.body = Object.fromEntries(
    Object.entries(request.body).filter(
      ([name, value]) =>
        known.includes(name) &&
        value !== null &&
        !(name === 'family' && typeof value === 'string' && value.trim() === ''),
    ),
  )
}
