import type { FastifyInstance } from 'fastify'
import { RequestError, ValidationError } from '../errors.ts'
import { entityOf, familyDefinitions } from '../families/index.ts'
import { listRecords } from '../imports/list-records.ts'
import { type CorrectionSides, correctRecord, listCorrectable } from '../mapping/correct-record.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { findIntake } from '../uploads/find-intake.ts'
import { findUploads } from '../uploads/upload-rows.ts'
import { admitAction, admitByCookie } from './admit-by-cookie.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import { requirePlan } from './mapping.routes.ts'
import type { PortalParts } from './portal-parts.ts'
import { readObject } from './read-body.ts'
import type { PortalCorrectable } from './records-contract.ts'

type WithRecord = { Params: { id: string; entity: string; '*': string } }

const maxBytes = 64 * 1024
const longestId = 500

/** Values of single records that the customer types in place of the source's own. */
export function registerCorrectionRoutes(app: FastifyInstance, parts: PortalParts): void {
  const { db } = parts
  const options = { schema: { hide: true }, bodyLimit: maxBytes }
  const place = '/portal/imports/:id/corrections/:entity/*'

  app.get<WithRecord>(place, options, async (request): Promise<{ fields: PortalCorrectable[] }> => {
    const imp = await admitByCookie(parts, request)
    const { entity, sourceId } = readRecord(imp, request.params)
    const { destination, surveyed } = await requirePlan(parts, imp)
    const { changes } = await findNewest(db, imp.id)
    const corrections = changes.entities?.[entity]?.corrections ?? {}
    const own = Object.hasOwn(corrections, sourceId) ? (corrections[sourceId] ?? {}) : {}
    const [listed] = await listRecords(db, imp.id, { entity, id: sourceId }, { after: null, limit: 1 })
    const { source } = await parts.viewRecord({ importId: imp.id, entity, sourceId, changes: {} })
    const sides = {
      definition: entityOf(imp.family, entity),
      changes,
      destination,
      custom: surveyed.customFields[entity],
    }
    return { fields: listCorrectable(sides, source, own, listed?.message ?? null) }
  })

  app.put<WithRecord>(place, options, async (request) => {
    const imp = await admitAction(parts, request)
    const record = readRecord(imp, request.params)
    const values = readValues(readObject(request.body).fields)
    await requireRecord(parts, imp, record)
    const plan = await requirePlan(parts, imp).catch(() => null)
    const sides: CorrectionSides = {
      definition: entityOf(imp.family, record.entity),
      destination: plan?.destination ?? null,
      custom: plan?.surveyed.customFields[record.entity],
    }
    return correctRecord(db, imp.id, { ...record, values }, sides)
  })
}

function readRecord({ family }: PortalImportRow, { entity, '*': sourceId }: WithRecord['Params']) {
  const isOfFamily = familyDefinitions[family].entities.some(({ name }) => name === entity)
  if (!isOfFamily || sourceId === '' || sourceId.length > longestId) throw noSuchRecord()
  return { entity, sourceId }
}

const noSuchRecord = () => new RequestError('not_found', 'There is no such record in this import.')

/** By field; null removes a correction. */
function readValues(given: unknown): Record<string, string | null> {
  const values = readObject(given)
  if (Object.keys(values).length === 0) throw new ValidationError({ fields: ["can't be blank"] })
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && typeof value !== 'string') throw new ValidationError({ [name]: ['must be a text or null'] })
  }
  return values as Record<string, string | null>
}

/** A record that was met before, that a file names, or that the source hands out when it is asked for it. */
async function requireRecord(
  parts: PortalParts,
  imp: PortalImportRow,
  { entity, sourceId }: { entity: string; sourceId: string },
): Promise<void> {
  const { db, keyRing, connectors } = parts
  const [known] = await listRecords(db, imp.id, { entity, id: sourceId }, { after: null, limit: 1 })
  if (known?.source_id === sourceId) return
  for (const { findings } of await findUploads(db, keyRing, { importId: imp.id })) {
    const { problems } =
      findings === null ? { problems: [] } : findIntake(connectors, imp.source_tool).summarize(findings)
    const named = problems.flatMap(({ values }) => values?.first ?? [])
    if (named.some((cell) => cell.entity === entity && cell.sourceId === sourceId)) return
  }
  const { source } = await parts.viewRecord({ importId: imp.id, entity, sourceId, changes: null })
  if (source.sourceId !== sourceId) throw noSuchRecord()
}
