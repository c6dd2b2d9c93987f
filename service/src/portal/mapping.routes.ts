import type { FastifyInstance } from 'fastify'
import { ValidationError } from '../errors.ts'
import { findPlan } from '../imports/find-plan.ts'
import { describeMapping } from '../mapping/describe-mapping.ts'
import { type MappingSides, readChanges } from '../mapping/read-changes.ts'
import { findNewest, saveChanges } from '../mapping/save-changes.ts'
import { admit, admitByCookie } from './admit-by-cookie.ts'
import type { PortalMapping } from './contract.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import type { PortalParts } from './portal.ts'
import { presentRecord } from './present-record.ts'
import { readObject } from './read-body.ts'

const maxBytes = 256 * 1024

type WithId = { Params: { id: string } }

/** Which field and value becomes which: what follows from both sides, and what the customer changes of it. */
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
    await admit(parts, request)
    const imp = await admitByCookie(parts, request)
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
    await admit(parts, request)
    const imp = await admitByCookie(parts, request)
    const { entity, source_id, changes } = readObject(request.body)
    const plan = await requirePlan(parts, imp)
    if (typeof entity !== 'string' || !plan.names.includes(entity)) {
      throw new ValidationError({ entity: [`must be one of ${plan.names.join(', ')}`] })
    }
    if (source_id !== undefined && source_id !== null && typeof source_id !== 'string') {
      throw new ValidationError({ source_id: ['must be a string'] })
    }
    const viewed = await parts.viewRecord({
      importId: imp.id,
      entity,
      sourceId: source_id ?? null,
      changes: changes === undefined ? null : readChanges(changes, await sidesOf(parts, imp, plan)),
    })
    return presentRecord(viewed)
  })
}

async function requirePlan({ db }: PortalParts, imp: PortalImportRow) {
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
    customKeys: Object.fromEntries(
      Object.entries(plan.surveyed.customFields).map(([entity, fields]) => [entity, fields.map(({ key }) => key)]),
    ),
  }
}
