import { sql } from 'kysely'
import { audit } from '../audit.ts'
import { briefly, dropPartition } from '../db/ledger-partitions.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { endImportWithin } from '../imports/end-import.ts'
import { inLots } from './erase-texts.ts'

/** Tables with personal data that the law asks us to keep. */
export const keptTables = ['payments', 'payment_events', 'invoices', 'credit_notes'] as const

/** Tables with one row or many per record, each with its key below the import. Deleted some rows at a time. */
const largeTables = {
  id_map: ['entity', 'source_id'],
  announcements: ['id'],
  plan_records: ['entity', 'source_id'],
  sample_records: ['entity', 'source_id'],
  user_map: ['source_user_id'],
  destination_users: ['user_id'],
  side_records: ['kind', 'mark'],
  leftovers: ['what'],
}
const smallTables = [
  'plans',
  'plan_entities',
  'mappings',
  'mails',
  'import_contacts',
  'visitors',
  'portal_sessions',
  'oauth_sign_ins',
  'idempotency_keys',
] as const
const lot = 5_000
/** Chunks of an upload have up to 256 KiB each. */
const chunkLot = 200

/** Data that an erasure would remove and keep. */
export async function previewErasure(db: Db, importId: string) {
  await requireIdle(db, importId)
  const counts = await Promise.all(
    ['id_map', 'user_map', 'mappings', 'mails', 'uploads', 'visitors'].map(async (table) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(table)} where import_id = ${importId}`.execute(db)
      return [table, rows[0]?.count ?? 0] as const
    }),
  )
  const { rows: kept } = await sql<{ count: number }>`
    select count(*)::int as count from payments where import_id = ${importId}`.execute(db)
  return {
    id: importId,
    would_erase: Object.fromEntries(counts),
    kept: keptTables,
    kept_payments: kept[0]?.count ?? 0,
    next: `wherry import erase ${importId} --yes`,
  }
}

/**
 * Removes all personal data of an import and leaves a tombstone: status, counts, times and the lines of the audit
 * log. An
 * import that goes on is archived first. A command that was interrupted can be repeated.
 */
export async function eraseImport(db: Db, importId: string) {
  await db.transaction().execute(async (tx) => {
    const imp = await requireIdle(tx, importId)
    if (imp.ended_at === null) await endImportWithin(tx, importId, 'archived', 'operator')
  })
  await briefly(db, async (tx) => {
    await requireIdle(tx, importId)
    await dropPartition(tx, importId)
  })
  for (const [table, columns] of Object.entries(largeTables)) await inLots(db, deleteLot(table, columns, importId))
  await inLots(
    db,
    sql`delete from upload_chunks where ctid = any(array(
    select c.ctid from upload_chunks c join uploads u on u.id = c.upload_id
    where u.import_id = ${importId} limit ${chunkLot}))`,
  )
  return db.transaction().execute(async (tx) => {
    // A run that was stopped seconds ago may have recorded an outcome since; under the lock, and after it, none can.
    const before = await requireIdle(tx, importId)
    await eraseSavedMappings(tx, importId)
    for (const table of [...Object.keys(largeTables), ...smallTables])
      await sql`delete from ${sql.table(table)} where import_id = ${importId}`.execute(tx)
    await sql`delete from upload_files using uploads
      where uploads.id = upload_files.upload_id and uploads.import_id = ${importId}`.execute(tx)
    await tx.deleteFrom('uploads').where('import_id', '=', importId).execute()
    await blankRows(tx, importId)
    const tombstone = await tx
      .updateTable('imports')
      .set({
        destination_instance_url: null,
        destination_username: null,
        source_account: null,
        destination_account: null,
        texts_due_at: null,
        erased_at: sql<Date>`coalesce(erased_at, now())`,
      })
      .where('id', '=', importId)
      .returning(['id', 'status', 'items', 'users', 'created_at', 'ended_as', 'ended_at', 'erased_at'])
      .executeTakeFirstOrThrow()
    if (before.erased_at === null) {
      await audit(tx, { actor: 'operator', act: 'import erased', subject: importId, details: { kept: keptTables } })
    }
    return { ...tombstone, kept: keptTables }
  })
}

/**
 * Deletes the first rows by their key; none if there are fewer than a lot. Found by a list of places (`ctid = any`), each
 * lot would read all rows of a new import, of which the planner knows nothing.
 */
export function deleteLot(table: string, columns: readonly string[], importId: string, size = lot) {
  const [name, key] = [sql.table(table), sql.join(columns.map((column) => sql.ref(column)))]
  return sql`delete from ${name} where import_id = ${importId} and (${key}) <= (
    select ${key} from ${name} where import_id = ${importId} order by ${key} offset ${size - 1} limit 1)`
}

/** Rows about acts and times stay; their texts are removed. */
async function blankRows(tx: Tx, importId: string): Promise<void> {
  await sql`update runs set obstacle = null, options = '{}', holder = null where import_id = ${importId}`.execute(tx)
  await sql`update run_stages s set cursor = null, cursor_watch = null from runs r
    where r.id = s.run_id and r.import_id = ${importId}`.execute(tx)
  await sql`update warnings set message = code where import_id = ${importId}`.execute(tx)
  await sql`update events set warnings = '[]' where import_id = ${importId}`.execute(tx)
  // The partner server's answers to messages about this import.
  await sql`update attempts a set response = null, error = null from deliveries d join events e on e.id = d.event_id
    where a.delivery_id = d.id and e.import_id = ${importId}`.execute(tx)
}

/** A saved mapping belongs to the destination account. It goes with the last import of that account. */
async function eraseSavedMappings(tx: Tx, importId: string): Promise<void> {
  await sql`
    delete from saved_mappings s using imports i
    where i.id = ${importId} and s.partner_id = i.partner_id and s.destination_account = i.destination_account
      and not exists (select from imports other where other.partner_id = i.partner_id and other.id <> i.id
        and other.destination_account = i.destination_account and other.erased_at is null)`.execute(tx)
  await sql`
    update saved_mappings s set saved_by = null from imports i join visitors v on v.import_id = i.id
    where i.id = ${importId} and s.partner_id = i.partner_id and s.saved_by = v.name`.execute(tx)
}

/** The import, locked; refused while one of its runs is under way. */
async function requireIdle(db: Db | Tx, importId: string) {
  const imp = await db
    .selectFrom('imports')
    .select(['id', 'ended_at', 'erased_at'])
    .where('id', '=', importId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!imp) throw new OperatorError(`There is no import ${importId}. "wherry import list" shows the newest.`)
  const run = await db
    .selectFrom('runs')
    .select(['id', 'kind', 'state'])
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .executeTakeFirst()
  if (run) {
    throw new OperatorError(
      `Import ${importId} has a ${run.kind} run that is ${run.state} (${run.id}). Stop it first: wherry import cancel ${importId}`,
    )
  }
  return imp
}
