import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/open-database.ts'
import type { RecordState } from '../db/schema.ts'
import type { WarningCode } from '../warnings/codes.ts'

/** A record that is about to be sent, that waits for its parent, or that the customer left out. */
export interface Intent {
  source_id: string
  state: 'intended' | 'held' | 'filtered'
  source_url: string | null
  parent_entity: string | null
  parent_source_id: string | null
  sent_hash: string | null
  is_incomplete: boolean
  /** The destination may have the record already. It is sent anyway. */
  is_doubtful: boolean
  /** The record counts for the price from now on, even if the destination refuses it or an undo removes it. */
  is_counted: boolean
  /** Warnings of held records. Warnings of sent records are noted with their outcomes. */
  warned: WarningCode[] | null
  /** The record of an earlier attempt, as the destination has it now; hashes as hex. */
  destination_id: string | null
  destination_version: string | null
  written_hash: string | null
  /** Its position among the parts of its parent; null for a record sent by itself. */
  carried_at: number | null
}

export interface OutcomeRow {
  source_id: string
  /** Set for a record that has no row yet. */
  place?: Pick<Intent, 'source_url' | 'parent_entity' | 'parent_source_id' | 'is_counted' | 'carried_at'>
  /** `intended`: the fate of the record is unknown. */
  state: 'written' | 'matched' | 'refused' | 'deleted' | 'intended'
  destination_id: string | null
  destination_url: string | null
  destination_version: string | null
  /** The hash of the content that is there now, or that was refused; as Postgres writes bytes. */
  written_hash: string | null
  /** The hash of the content as read back, if it was read back; as Postgres writes bytes. */
  stored_hash: string | null
  is_incomplete: boolean
  /** Sent with all its parts: this run does not read them again. */
  isWhole?: boolean
  code: string | null
  message: string | null
  warned: WarningCode[] | null
}

/**
 * Undefined instead of null and false, so that JSON leaves the value out. Most values of a row are null or false, and
 * Postgres reads a missing value as one of these. Objects with a literal list of properties become JSON three times as
 * fast as others.
 */
export const omitEmpty = <V>(value: V | null | false | undefined): V | undefined =>
  value === null || value === false ? undefined : value

/**
 * Of keys that arrive in their own order, Postgres fills each page of the index to one half and then leaves it. In any
 * other order, pages that were split fill up again.
 */
const keepingPagesFull = (sourceId: RawBuilder<unknown>) => sql`hashtext(${sourceId})`

export interface UnchangedRow {
  source_id: string
  state: RecordState
  is_incomplete: boolean
  warned: WarningCode[] | null
}

/** Writes the intents before the records are sent. After a crash these rows tell which records may have been sent. */
export async function recordIntents(
  tx: Tx,
  run: { id: string; importId: string },
  entity: string,
  intents: Intent[],
): Promise<void> {
  if (intents.length === 0) return
  await sql`
    insert into id_map as m (import_id, entity, source_id, state, run_id, source_url, parent_entity, parent_source_id,
      sent_hash, is_incomplete, is_doubtful, is_counted, warned, destination_id, destination_version, written_hash, carried_at, attempts, sent_at)
    select ${run.importId}, ${entity}, i.source_id, i.state, ${run.id}, i.source_url, i.parent_entity, i.parent_source_id,
      decode(i.sent_hash, 'hex'), coalesce(i.is_incomplete, false), coalesce(i.is_doubtful, false),
      coalesce(i.is_counted, false), i.warned, i.destination_id, i.destination_version, decode(i.written_hash, 'hex'), i.carried_at, 1,
      case when i.state = 'intended' then clock_timestamp() end
    from json_to_recordset(${JSON.stringify(intents)}::json) as i(source_id text, state text, source_url text,
      parent_entity text, parent_source_id text, sent_hash text, is_incomplete boolean,
      is_doubtful boolean, is_counted boolean, warned text[], destination_id text, destination_version text, written_hash text, carried_at int)
    order by ${keepingPagesFull(sql.ref('i.source_id'))}
    on conflict (import_id, entity, source_id) do update set
      -- A record in the destination stays "written" while it is sent again: counts and undo must include it.
      state = case when m.state in ('written', 'matched') then m.state else excluded.state end,
      run_id = excluded.run_id, source_url = excluded.source_url, parent_entity = excluded.parent_entity,
      -- The stored version and the open parts stay until the outcome changes them.
      parent_source_id = excluded.parent_source_id, sent_hash = excluded.sent_hash,
      is_incomplete = m.is_incomplete or excluded.is_incomplete, is_verified = false, undo_finding = null,
      is_doubtful = m.is_doubtful or excluded.is_doubtful, is_counted = m.is_counted or excluded.is_counted,
      sent_at = excluded.sent_at,
      destination_id = coalesce(excluded.destination_id, m.destination_id),
      destination_version = case when excluded.written_hash is null then m.destination_version
        else excluded.destination_version end,
      written_hash = coalesce(excluded.written_hash, m.written_hash),
      -- A record that came inside its parent keeps its position when it is changed.
      carried_at = case when m.state in ('written', 'matched') then m.carried_at else excluded.carried_at end,
      warned = case when excluded.state = 'intended' then m.warned else excluded.warned end,
      failures = case when m.run_id = excluded.run_id then m.failures else 0 end,
      attempts = m.attempts + 1, code = null, message = null`.execute(tx)
}

/** Notes that the destination answered with an error to these records. Whether they arrived is open. */
export async function recordFailures(
  tx: Tx,
  importId: string,
  entity: string,
  failed: readonly { sourceId: string; message: string }[],
): Promise<void> {
  if (failed.length === 0) return
  await sql`
    update id_map m set failures = m.failures + 1, message = f.message
    from unnest(${failed.map(({ sourceId }) => sourceId)}::text[], ${failed.map(({ message }) => message)}::text[])
      as f(source_id, message)
    where m.import_id = ${importId} and m.entity = ${entity} and m.source_id = f.source_id`.execute(tx)
}

/**
 * Forgets where an earlier attempt placed these parts: the place belongs to another part now, which would be taken for
 * them. They are in doubt only if an earlier attempt is.
 */
export async function forgetPlaces(tx: Tx, importId: string, entity: string, sourceIds: string[]): Promise<void> {
  await tx
    .updateTable('id_map')
    .set({ carried_at: null, sent_at: sql`case when is_doubtful then sent_at end` })
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('source_id', '=', sql<string>`any(${sourceIds}::text[])`)
    .where('state', '=', 'intended')
    .execute()
}

/** The same for all that came inside these records. */
export async function forgetPlacesIn(tx: Tx, importId: string, entity: string, sourceIds: string[]): Promise<void> {
  if (sourceIds.length === 0) return
  await sql`
    with recursive inside as (
      select m.entity, m.source_id from id_map m
      where m.import_id = ${importId} and m.parent_entity = ${entity} and m.parent_source_id = any(${sourceIds})
      union
      select m.entity, m.source_id from inside i
      join id_map m on m.import_id = ${importId} and m.parent_entity = i.entity and m.parent_source_id = i.source_id)
    update id_map m set carried_at = null, sent_at = case when m.is_doubtful then m.sent_at end
    from inside i
    where m.import_id = ${importId} and m.entity = i.entity and m.source_id = i.source_id
      and m.state = 'intended' and m.carried_at is not null`.execute(tx)
}

/** Notes that these records were not sent after all. They are in doubt only if an earlier attempt is. */
export async function recordUnsent(tx: Tx, importId: string, entity: string, sourceIds: string[]): Promise<void> {
  if (sourceIds.length === 0) return
  await tx
    .updateTable('id_map')
    .set({ sent_at: sql`case when is_doubtful then sent_at end` })
    .where('import_id', '=', importId)
    .where('entity', '=', entity)
    .where('source_id', 'in', sourceIds)
    .execute()
}

/**
 * Changes existing rows, and inserts the rows of records that were sent for the first time. The statement is an insert
 * that conflicts, because that finds each row by its key; an update could become a join. `columns` are those of the
 * changes. `set` refers to them as `excluded`.
 */
export async function changeRows(
  tx: Tx,
  { id, importId }: { id: string; importId: string },
  entity: string,
  changes: { source_id: string }[],
  columns: Record<string, 'text' | 'text[]' | 'boolean' | 'bytea' | 'timestamptz' | 'integer' | 'json'>,
  set: RawBuilder<unknown>,
): Promise<void> {
  if (changes.length === 0) return
  const all = Object.entries(columns)
  const values = all.map(([name, type]) =>
    type === 'boolean' ? sql`coalesce(${sql.ref(`c.${name}`)}, false)` : sql.ref(`c.${name}`),
  )
  await sql`
    insert into id_map as m (import_id, entity, source_id, run_id, attempts, sent_at,
      ${sql.join(all.map(([name]) => sql.ref(name)))})
    select ${importId}, ${entity}, c.source_id, ${id}, 1, clock_timestamp(), ${sql.join(values)}
    from json_to_recordset(${JSON.stringify(changes)}::json) as c(source_id text,
      ${sql.join(all.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))})
    order by ${keepingPagesFull(sql.ref('c.source_id'))}
    on conflict (import_id, entity, source_id) do update set ${set}`.execute(tx)
}

/** Notes records that have not changed since they were sent. Open links and warnings may be fewer now. */
export function recordUnchanged(
  tx: Tx,
  run: { id: string; importId: string },
  entity: string,
  unchanged: UnchangedRow[],
): Promise<void> {
  return changeRows(
    tx,
    run,
    entity,
    unchanged,
    { state: 'text', is_incomplete: 'boolean', warned: 'text[]' },
    sql`is_incomplete = excluded.is_incomplete, warned = excluded.warned`,
  )
}

/** A run that reads all of the source (`since` is null) reads every record below each other one anyway. */
function toRow(outcome: OutcomeRow, { id, since }: { id: string; since: Date | null }) {
  const { place, state } = outcome
  const isThere = state === 'written' || state === 'matched'
  return {
    source_id: outcome.source_id,
    source_url: omitEmpty(place?.source_url),
    parent_entity: omitEmpty(place?.parent_entity),
    parent_source_id: omitEmpty(place?.parent_source_id),
    is_counted: omitEmpty(place?.is_counted),
    carried_at: omitEmpty(place?.carried_at),
    state,
    arrived_in: omitEmpty(isThere && since !== null && id),
    whole_in: omitEmpty(outcome.isWhole === true && id),
    destination_id: omitEmpty(outcome.destination_id),
    destination_url: omitEmpty(outcome.destination_url),
    destination_version: omitEmpty(outcome.destination_version),
    written_hash: omitEmpty(outcome.written_hash),
    stored_hash: omitEmpty(outcome.stored_hash),
    is_incomplete: omitEmpty(outcome.is_incomplete),
    code: omitEmpty(outcome.code),
    message: omitEmpty(outcome.message),
    warned: omitEmpty(outcome.warned),
  }
}

export function recordOutcomes(
  tx: Tx,
  run: { id: string; importId: string; since: Date | null },
  entity: string,
  outcomes: OutcomeRow[],
): Promise<void> {
  const isThere = sql`excluded.state in ('written', 'matched')`
  const wasThere = sql`m.state in ('written', 'matched')`
  return changeRows(
    tx,
    run,
    entity,
    outcomes.map((outcome) => toRow(outcome, run)),
    {
      source_url: 'text',
      parent_entity: 'text',
      parent_source_id: 'text',
      is_counted: 'boolean',
      carried_at: 'integer',
      state: 'text',
      arrived_in: 'text',
      whole_in: 'text',
      destination_id: 'text',
      destination_url: 'text',
      destination_version: 'text',
      written_hash: 'bytea',
      stored_hash: 'bytea',
      is_incomplete: 'boolean',
      code: 'text',
      message: 'text',
      warned: 'text[]',
    },
    sql`
      -- After a refused change the destination still has the record, as it was.
      state = case when excluded.state = 'refused' and ${wasThere} then m.state else excluded.state end,
      arrived_in = case when ${wasThere} then m.arrived_in else excluded.arrived_in end,
      whole_in = coalesce(excluded.whole_in, m.whole_in),
      destination_id = coalesce(excluded.destination_id, m.destination_id),
      destination_url = coalesce(excluded.destination_url, m.destination_url),
      -- A refused or unknown outcome does not change the stored version.
      destination_version = case when ${isThere} then excluded.destination_version else m.destination_version end,
      written_hash = case when ${isThere} then excluded.written_hash else m.written_hash end,
      stored_hash = case when ${isThere} then excluded.stored_hash else m.stored_hash end,
      -- A change that was refused in the middle is half done.
      changing = case when not ${isThere} then m.changing end,
      is_incomplete = case when ${isThere} then excluded.is_incomplete
        else m.is_incomplete and excluded.state <> 'deleted' end,
      -- Remembered, so that the same content is not sent again in the same run.
      sent_hash = case when excluded.state = 'refused' and not ${wasThere} then coalesce(excluded.written_hash, m.sent_hash) end,
      -- The record was given up after failures. Its last attempt may still arrive, so the sweep looks once more.
      is_doubtful = m.is_doubtful or excluded.code is not distinct from 'failing',
      -- The source has the record: it was just read.
      gone_from_source_at = case when not ${isThere} then m.gone_from_source_at end,
      code = excluded.code, message = excluded.message, warned = excluded.warned`,
  )
}

/** Brings the import's public numbers up to date, in the transaction that makes them true. */
export async function countUp(
  tx: Tx,
  importId: string,
  change: { entity: string; items: number; done: number; runId?: string },
): Promise<void> {
  const { entity, items, done, runId } = change
  if (runId !== undefined && done > 0) {
    // The counts of the stages add up to the import's progress, because both grow here.
    await sql`
      update run_stages set done = done + ${done}::int
      where run_id = ${runId} and entity = ${entity} and stage in ('write', 'remove')`.execute(tx)
  }
  await sql`
    update imports set
      items = case when ${items}::int = 0 then items
        when coalesce((items->>${entity})::int, 0) + ${items}::int <= 0 then items - ${entity}
        else jsonb_set(items, array[${entity}], to_jsonb(coalesce((items->>${entity})::int, 0) + ${items}::int)) end,
      -- A source may have grown since it was counted, so the count stops at the total.
      progress = jsonb_set(progress, '{done}',
        to_jsonb(least((progress->>'done')::int + ${done}::int, (progress->>'total')::int)))
    where id = ${importId}`.execute(tx)
}
