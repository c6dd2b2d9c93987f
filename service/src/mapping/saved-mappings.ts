import { type Actor, actingVisitor, audit } from '../audit.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { Db } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { newId } from '../ids.ts'
import { findVisitorName } from '../visitors.ts'
import { compareChanges, type Difference } from './compare-changes.ts'
import { findNewest } from './save-changes.ts'

/** Maximum number of saved mappings per account. */
const mostSaved = 50
const mostProvided = 500

export interface SavedMapping {
  id: string
  name: string
  changes: MappingChanges
  saved_at: Date
  /** The name of the person who saved it; null if not given. */
  saved_by: string | null
  /** True if the partner recommends it to all its customers. */
  is_partners: boolean
}

const placeOf = (db: Db, importId: string) =>
  db
    .selectFrom('imports')
    .select(['partner_id', 'family', 'source_tool', 'destination_tool', 'destination_account'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()

/** Mappings of the partner and of the same destination account. No customer sees another customer's mappings. */
export async function listSaved(db: Db, importId: string): Promise<SavedMapping[]> {
  const { destination_account: account, ...place } = await placeOf(db, importId)
  const rows = await db
    .selectFrom('saved_mappings')
    .select(['id', 'name', 'changes', 'saved_at', 'saved_by', 'destination_account'])
    .where('partner_id', '=', place.partner_id)
    .where('family', '=', place.family)
    .where('source_tool', '=', place.source_tool)
    .where('destination_tool', '=', place.destination_tool)
    .where((on) => on.or([on('destination_account', 'is', null), on('destination_account', '=', account ?? '')]))
    .orderBy('destination_account', (order) => order.desc().nullsFirst())
    .orderBy('name')
    .limit(2 * mostSaved)
    .execute()
  return rows.map(({ destination_account, ...row }) => ({ ...row, is_partners: destination_account === null }))
}

/** Saves the newest version of the import's mapping under a name, and replaces a mapping of the same name. */
export async function keepMapping(db: Db, importId: string, name: string): Promise<{ id: string }> {
  const { destination_account: account, ...place } = await placeOf(db, importId)
  if (account === null) throw new ValidationError({ name: ['cannot be kept before the destination is connected'] })
  const { changes, version } = await findNewest(db, importId)
  if (version === 0) throw new ValidationError({ name: ['there is nothing to keep: the mapping is as suggested'] })
  const own = (await listSaved(db, importId)).filter(({ is_partners }) => !is_partners)
  if (own.length >= mostSaved && !own.some((one) => one.name === name)) {
    throw new ValidationError({ name: [`cannot be kept: there are ${mostSaved} already. Replace one of them.`] })
  }
  const savedBy = await findVisitorName(db, importId, actingVisitor.getStore())
  return db.transaction().execute(async (tx) => {
    const saved = await put(tx, {
      ...place,
      destination_account: account,
      name,
      changes: withoutCorrections(changes),
      saved_by: savedBy,
    })
    await audit(tx, { actor: `customer ${importId}`, act: 'mapping kept', subject: importId, details: { version } })
    return saved
  })
}

export interface PartnerMapping {
  id: string
  name: string
  family: Family
  source_tool: string
  saved_at: Date
  changes: MappingChanges
}

const partnerColumns = ['id', 'name', 'family', 'source_tool', 'saved_at', 'changes'] as const

/** The mappings that the partner recommends to its customers. */
export async function listPartnerMappings(db: Db, partnerId: string): Promise<PartnerMapping[]> {
  return db
    .selectFrom('saved_mappings')
    .select(partnerColumns)
    .where('partner_id', '=', partnerId)
    .where('destination_account', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/**
 * Saves the partner's recommendation for imports from this tool. People are left out, because a person of one account
 * means nothing in another.
 */
export async function providePartnerMapping(
  db: Db,
  place: { partnerId: string; family: Family; sourceTool: string; destinationTool: string; name: string },
  { default_user: _, ...changes }: MappingChanges,
  actor: Actor,
): Promise<PartnerMapping> {
  const others = (await listPartnerMappings(db, place.partnerId)).filter(
    ({ name, family, source_tool }) =>
      name !== place.name || family !== place.family || source_tool !== place.sourceTool,
  )
  if (others.length >= mostProvided) {
    throw new ValidationError({
      name: [`cannot be kept: there are ${mostProvided} already. Remove one of them first.`],
    })
  }
  return db.transaction().execute(async (tx) => {
    const { id } = await put(tx, {
      partner_id: place.partnerId,
      family: place.family,
      source_tool: place.sourceTool,
      destination_tool: place.destinationTool,
      destination_account: null,
      name: place.name,
      changes: withoutCorrections(changes),
    })
    await audit(tx, { actor, act: 'mapping provided', subject: place.partnerId, details: { id } })
    return tx.selectFrom('saved_mappings').select(partnerColumns).where('id', '=', id).executeTakeFirstOrThrow()
  })
}

/**
 * Withdraws a recommendation, of this partner or (without `partnerId`) of any. Returns the withdrawn mapping; null if
 * there is none.
 */
export async function removePartnerMapping(
  db: Db,
  mappingId: string,
  actor: Actor,
  partnerId?: string,
): Promise<PartnerMapping | null> {
  return db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('saved_mappings')
      .where('id', '=', mappingId)
      .where('destination_account', 'is', null)
      .$if(partnerId !== undefined, (query) => query.where('partner_id', '=', String(partnerId)))
      .returning([...partnerColumns, 'partner_id'])
      .executeTakeFirst()
    if (!removed) return null
    const { partner_id: subject, ...mapping } = removed
    await audit(tx, { actor, act: 'mapping removed', subject, details: { id: mappingId } })
    return mapping
  })
}

/**
 * Removes a mapping that was saved for this import's destination account. A customer cannot remove the partner's
 * mappings.
 */
export async function forgetMapping(db: Db, importId: string, mappingId: string): Promise<boolean> {
  const { destination_account: account, partner_id } = await placeOf(db, importId)
  return db.transaction().execute(async (tx) => {
    const removed = await tx
      .deleteFrom('saved_mappings')
      .where('id', '=', mappingId)
      .where('partner_id', '=', partner_id)
      .where('destination_account', '=', account ?? '')
      .returning('id')
      .executeTakeFirst()
    if (removed) await audit(tx, { actor: `customer ${importId}`, act: 'mapping removed', subject: importId })
    return removed !== undefined
  })
}

/** Removes corrections, because records of one import mean nothing in another. */
function withoutCorrections(changes: MappingChanges): MappingChanges {
  const { entities, ...others } = changes
  if (!entities) return changes
  const kept = Object.entries(entities).map(([entity, { corrections: _, ...change }]) => [entity, change] as const)
  return { ...others, entities: Object.fromEntries(kept) }
}

async function put(
  db: Db,
  {
    changes,
    ...row
  }: { changes: MappingChanges } & {
    partner_id: string
    family: Family
    source_tool: string
    destination_tool: string
    destination_account: string | null
    name: string
    saved_by?: string | null
  },
): Promise<{ id: string }> {
  const text = JSON.stringify(changes)
  return db
    .insertInto('saved_mappings')
    .values({ id: newId('map'), ...row, changes: text })
    .onConflict((conflict) =>
      conflict
        .columns(['partner_id', 'family', 'source_tool', 'destination_tool', 'destination_account', 'name'])
        .doUpdateSet({ changes: text, saved_at: new Date(), saved_by: row.saved_by ?? null }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
}

export interface MappingVersion {
  version: number
  saved_at: Date
  saved_by: string | null
  /** Differences from the previous version. */
  differences: Difference[]
}

/**
 * Differences between two versions of an import's mapping, and the content of the newer one. Version 0 is the suggested
 * mapping.
 */
export async function compareVersions(
  db: Db,
  importId: string,
  from: number,
  to: number,
): Promise<{ changes: MappingChanges; differences: Difference[] } | null> {
  const rows = await db
    .selectFrom('mappings')
    .select(['version', 'changes'])
    .where('import_id', '=', importId)
    .where('version', 'in', [from, to])
    .execute()
  const changesOf = (version: number) => (version === 0 ? {} : rows.find((row) => row.version === version)?.changes)
  const [before, changes] = [changesOf(from), changesOf(to)]
  return before && changes ? { changes, differences: compareChanges(before, changes) } : null
}

const mostVersions = 50

/** The newest versions of an import's mapping, with the changes of each. */
export async function listVersions(db: Db, importId: string): Promise<MappingVersion[]> {
  const rows = await db
    .selectFrom('mappings')
    .leftJoin('visitors', 'visitors.id', 'mappings.saved_by')
    .select(['version', 'changes', 'mappings.created_at', 'visitors.name as saved_by'])
    .where('mappings.import_id', '=', importId)
    .orderBy('version', 'desc')
    .limit(mostVersions + 1)
    .execute()
  return rows.slice(0, mostVersions).map(({ version, changes, created_at, saved_by }, index) => ({
    version,
    saved_at: created_at,
    saved_by,
    differences: compareChanges(rows[index + 1]?.changes ?? {}, changes),
  }))
}
