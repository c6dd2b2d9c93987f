import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { FamilyRecord, FieldValue } from '../families/record.ts'
import { type Foreseen, joinLosses } from './foresee-losses.ts'
import type { ClaimedRun } from './lease.ts'
import { longestUrl } from './planned-places.ts'

/** The findings of the plan about an entity so far. */
export async function findPlanned(db: Db, importId: string, entity: string) {
  return db
    .selectFrom('plan_entities')
    .selectAll()
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .executeTakeFirst()
}

type Planned = NonNullable<Awaited<ReturnType<typeof findPlanned>>>

/** Adds the losses of a further page. */
export function addForeseen(before: Planned | undefined, { losses, mapped, whole, undecided }: Foreseen) {
  return {
    losses: JSON.stringify(joinLosses(before?.losses ?? [], losses)),
    mapped: (before?.mapped ?? 0) + mapped,
    whole: (before?.whole ?? 0) + whole,
    undecided: (before?.undecided ?? 0) + undecided,
  }
}

/** Stores the foreseen fates. Records that refer to these look them up. */
export async function storeFates(tx: Tx, importId: string, fates: Foreseen['fates']): Promise<void> {
  if (fates.length === 0) return
  const rows = fates.map(({ record: { entity, sourceId, sourceUrl }, fate, isOpen, unitedBy }) => ({
    entity,
    source_id: sourceId,
    fate,
    is_open: isOpen,
    united_by: unitedBy,
    source_url: sourceUrl !== undefined && sourceUrl.length <= longestUrl ? sourceUrl : null,
  }))
  await sql`
    insert into plan_records (import_id, entity, source_id, fate, source_url, is_open, united_by)
    select distinct on (r.entity, r.source_id)
      ${importId}, r.entity, r.source_id, r.fate, r.source_url, r.is_open, r.united_by
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(entity text, source_id text, fate text, source_url text, is_open boolean, united_by text)
    on conflict (import_id, entity, source_id) do update set fate = excluded.fate, is_open = excluded.is_open`.execute(
    tx,
  )
}

/** Records whose losses are not counted yet, as many as are asked for at once. */
export async function findOpen(db: Db, importId: string, entity: string, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('plan_records')
    .select('source_id')
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('is_open', '=', true)
    .orderBy('source_id')
    .limit(most)
    .execute()
  return rows.map(({ source_id }) => source_id)
}

/** These have been looked at once more, or are not there any more. */
export async function closeOpen(tx: Tx, importId: string, entity: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('plan_records')
    .set({ is_open: false })
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('source_id', 'in', [...ids])
    .execute()
}

/** Counts in how many of these records each person is named. People whom the source does not list any more are added. */
export async function countNamed(
  tx: Tx,
  { importId }: Pick<ClaimedRun, 'importId'>,
  records: readonly FamilyRecord[],
): Promise<void> {
  const named = new Map<string, number>()
  for (const record of records) {
    for (const userId of new Set(peopleOf(record))) named.set(userId, (named.get(userId) ?? 0) + 1)
  }
  if (named.size === 0) return
  const rows = [...named].map(([source_user_id, count]) => ({ source_user_id, count }))
  await sql`
    insert into user_map as u (import_id, source_user_id, name, email, is_listed, named_in)
    select ${importId}, r.source_user_id, left(r.source_user_id, 300), null, false, r.count
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(source_user_id text, count int)
    order by r.source_user_id
    on conflict (import_id, source_user_id) do update set named_in = u.named_in + excluded.named_in`.execute(tx)
}

function peopleOf({ fields, customFields = {}, createdBy }: FamilyRecord): string[] {
  const custom = Object.values(customFields).map(({ value }) => value)
  const values = [...Object.values(fields), ...custom].flat() as FieldValue[]
  const named = values.flatMap((value) =>
    typeof value === 'object' && value !== null && 'userId' in value ? [value.userId] : [],
  )
  return createdBy?.userId !== undefined ? [...named, createdBy.userId] : named
}
