import type { FastifyInstance } from 'fastify'
import type { MappingChanges } from '../db/mapping-changes.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { findPlan } from '../imports/find-plan.ts'
import { parseChanges } from '../mapping/changes-schema.ts'
import { describeMapping } from '../mapping/describe-mapping.ts'
import { fitChanges } from '../mapping/fit-changes.ts'
import { checkChanges, type MappingSides, readChanges } from '../mapping/read-changes.ts'
import { findNewest, saveChanges } from '../mapping/save-changes.ts'
import { compareVersions, forgetMapping, keepMapping, listSaved, listVersions } from '../mapping/saved-mappings.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import type {
  PortalComparedVersions,
  PortalExamples,
  PortalMapping,
  PortalMappingCheck,
  PortalSavedMappings,
} from './mapping-contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentRecord, type ViewedRecord } from './present-record.ts'
import { readObject, readTexts } from './read-body.ts'

const maxBytes = 256 * 1024
const longestName = 100

/** Some records as a mapping makes them, and some values of each field. Given by the engine. */
export type PortalViewExamples = (question: {
  importId: string
  entity: string
  changes: MappingChanges | null
}) => Promise<{
  samples: Record<string, string[]>
  records: ViewedRecord[]
}>

type WithId = { Params: { id: string } }

/** The mapping that follows from both tools, and the customer's changes to it. */
export function registerMappingRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db } = parts
  const options = { schema: { hide: true }, bodyLimit: maxBytes }

  app.get<WithId>('/portal/imports/:id/mapping', options, async (request): Promise<PortalMapping> => {
    const imp = await admitByCookie(parts, request)
    const plan = await requirePlan(parts, imp)
    const { version, changes } = await findNewest(db, imp.id)
    const mapping = { changes, destination: plan.destination }
    return { version, changes, entities: describeMapping(imp.family, mapping, plan.surveyed) }
  })

  app.put<WithId>('/portal/imports/:id/mapping', options, async (request) => {
    const imp = await admitAction(parts, request)
    const plan = await requirePlan(parts, imp)
    const { version, changes } = readObject(request.body)
    if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 0) {
      throw new ValidationError({ version: ['must be the version that you changed'] })
    }
    return {
      version: await saveChanges(db, imp.id, { version }, readChanges(changes, await sidesOf(parts, imp, plan))),
    }
  })

  app.post<WithId>('/portal/imports/:id/mapping/preview', options, async (request) => {
    const imp = await admitAction(parts, request)
    const { entity, source_id, changes } = readObject(request.body)
    const plan = await requirePlan(parts, imp)
    if (source_id !== undefined && source_id !== null && typeof source_id !== 'string') {
      throw new ValidationError({ source_id: ['must be a string'] })
    }
    const viewed = await parts.viewRecord({
      importId: imp.id,
      entity: readEntity(entity, plan.names),
      sourceId: source_id ?? null,
      changes: changes === undefined ? null : readChanges(changes, await sidesOf(parts, imp, plan)),
    })
    return presentRecord(viewed)
  })

  app.post<WithId>('/portal/imports/:id/mapping/check', options, async (request): Promise<PortalMappingCheck> => {
    const imp = await admitAction(parts, request)
    const plan = await requirePlan(parts, imp)
    const changes = parseChanges(readObject(request.body).changes)
    return {
      entities: describeMapping(imp.family, { changes, destination: plan.destination }, plan.surveyed),
      problems: checkChanges(changes, await sidesOf(parts, imp, plan)),
    }
  })

  app.post<WithId>('/portal/imports/:id/mapping/examples', options, async (request): Promise<PortalExamples> => {
    const imp = await admitAction(parts, request)
    const { entity, changes } = readObject(request.body)
    const plan = await requirePlan(parts, imp)
    const { samples, records } = await parts.viewExamples({
      importId: imp.id,
      entity: readEntity(entity, plan.names),
      changes: changes === undefined ? null : readChanges(changes, await sidesOf(parts, imp, plan)),
    })
    return { samples, records: records.map(presentRecord) }
  })

  app.get<WithId & { Querystring: { from?: unknown; to?: unknown } }>(
    '/portal/imports/:id/mapping/differences',
    options,
    async (request): Promise<PortalComparedVersions> => {
      const imp = await admitByCookie(parts, request)
      const plan = await requirePlan(parts, imp)
      const [from, to] = [readVersion('from', request.query.from), readVersion('to', request.query.to)]
      const compared = await compareVersions(db, imp.id, from, to)
      if (!compared) throw new RequestError('not_found', 'There is no such version.')
      const { changes } = fitChanges(compared.changes, await sidesOf(parts, imp, plan))
      return { changes, differences: compared.differences }
    },
  )

  app.get<WithId>('/portal/imports/:id/saved-mappings', options, async (request): Promise<PortalSavedMappings> => {
    const imp = await admitByCookie(parts, request)
    const plan = await requirePlan(parts, imp)
    const [saved, versions, sides] = await Promise.all([
      listSaved(db, imp.id),
      listVersions(db, imp.id),
      sidesOf(parts, imp, plan),
    ])
    return {
      mappings: saved.map(({ changes, saved_at, ...mapping }) => ({
        ...mapping,
        saved_at: saved_at.toISOString(),
        ...fitChanges(changes, sides),
      })),
      versions: versions.map((version) => ({ ...version, saved_at: version.saved_at.toISOString() })),
    }
  })

  app.post<WithId>('/portal/imports/:id/saved-mappings', options, async (request, reply) => {
    const { id: importId } = await admitAction(parts, request)
    const { name } = readTexts(request.body, ['name'])
    if (name === null || name.length > longestName) {
      throw new ValidationError({ name: [`must have 1 to ${longestName} characters`] })
    }
    return reply.code(201).send(await keepMapping(db, importId, name))
  })

  app.delete<{ Params: { id: string; mapping: string } }>(
    '/portal/imports/:id/saved-mappings/:mapping',
    options,
    async (request, reply) => {
      const { id: importId } = await admitAction(parts, request)
      if (!(await forgetMapping(db, importId, request.params.mapping))) {
        throw new RequestError('not_found', 'There is no such mapping of this account.')
      }
      return reply.code(204).send()
    },
  )
}

function readVersion(name: string, given: unknown): number {
  if (typeof given === 'string' && /^\d{1,9}$/.test(given)) return Number(given)
  throw new ValidationError({ [name]: ['must be the number of a version; 0 is the mapping as suggested'] })
}

function readEntity(given: unknown, names: readonly string[]): string {
  if (typeof given === 'string' && names.includes(given)) return given
  throw new ValidationError({ entity: [`must be one of ${names.join(', ')}`] })
}

export async function requirePlan({ db }: PortalParts, imp: PortalImportRow) {
  const found = await findPlan(db, imp.id)
  if (!found?.plan) {
    throw new ValidationError({ plan: ['is not there yet: both accounts are looked at first. Please wait a moment.'] })
  }
  const { plan, entities } = found
  return {
    destination: plan.destination,
    names: entities.map(({ entity }) => entity),
    surveyed: {
      customFields: plan.custom_fields,
      fields: Object.fromEntries(entities.map((entity) => [entity.entity, entity.fields])),
    },
  }
}

async function sidesOf(
  { db }: PortalParts,
  imp: PortalImportRow,
  plan: Awaited<ReturnType<typeof requirePlan>>,
): Promise<MappingSides> {
  const users = await db.selectFrom('destination_users').select('user_id').where('import_id', '=', imp.id).execute()
  return {
    family: imp.family,
    destination: plan.destination,
    destinationUsers: new Set(users.map((user) => user.user_id)),
    customFields: plan.surveyed.customFields,
    filled: Object.fromEntries(
      Object.entries(plan.surveyed.fields).map(([entity, fields]) => [entity, Object.keys(fields)]),
    ),
  }
}
