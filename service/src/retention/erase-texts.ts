import { type RawBuilder, sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { eraseUploads } from '../uploads/erase-uploads.ts'
import { lockDue } from './lock-due.ts'

/** Rows of one statement: far below the time limit of a statement. */
const lot = 5_000

/**
 * Removes names and texts of an import, and keeps ids, states, codes and counts: the ledger still links source and
 * destination ids, so that a later run writes nothing twice. Can be repeated; a crash leaves the date in place.
 */
export async function eraseTexts(db: Db, importId: string): Promise<void> {
  await eraseLedgerTexts(db, importId)
  for (const statement of largeTexts(importId)) {
    await whileDue(db, importId, async (tx) => {
      const { numAffectedRows = 0n } = await statement.execute(tx)
      return numAffectedRows > 0n
    })
  }
  await whileDue(db, importId, async (tx) => {
    await eraseSmallTexts(tx, importId)
    await tx.updateTable('imports').set({ texts_due_at: null }).where('id', '=', importId).execute()
    await audit(tx, { actor: 'service', act: 'texts erased', subject: importId })
    return false
  })
}

/**
 * Repeats a step while it finds work. Each one holds the import's lock: a run that starts meanwhile keeps what is
 * left.
 */
async function whileDue(db: Db, importId: string, step: (tx: Tx) => Promise<boolean>): Promise<void> {
  const isMore = () =>
    db.transaction().execute(async (tx) => (await lockDue(tx, importId, 'texts_due_at')) && (await step(tx)))
  while (await isMore());
}

/** Each changes one lot, and nothing once all is done. */
const largeTexts = (importId: string): RawBuilder<unknown>[] => [
  sql`delete from plan_records where ctid = any(array(
    select ctid from plan_records where import_id = ${importId} limit ${lot}))`,
  sql`delete from destination_users where ctid = any(array(
    select ctid from destination_users where import_id = ${importId} limit ${lot}))`,
  sql`
    update user_map set name = 'Person ' || left(md5(import_id || source_user_id), 8), email = null,
      plain_email = null, plain_name = null, short_name = null
    where ctid = any(array(select ctid from user_map
      where import_id = ${importId} and (email is not null or plain_name is not null or plain_email is not null
        or name <> 'Person ' || left(md5(import_id || source_user_id), 8)) limit ${lot}))`,
]

/** Page by page through the key, so that the time grows with the records, not with their square. */
async function eraseLedgerTexts(db: Db, importId: string): Promise<void> {
  let after = { entity: '', source_id: '' }
  await whileDue(db, importId, async (tx) => {
    const { rows } = await sql<{ entity: string; source_id: string }>`
      with page as (
        select entity, source_id from id_map
        where import_id = ${importId} and (entity, source_id) > (${after.entity}, ${after.source_id})
        order by entity, source_id limit ${lot}
      ), changed as (
        update id_map m set message = null, source_url = null, destination_url = null,
          -- "code:detail" tells an address or a name; the code alone is counted.
          warned = (select array_agg(distinct split_part(one, ':', 1)) from unnest(m.warned) one)
        from page where m.import_id = ${importId} and m.entity = page.entity and m.source_id = page.source_id
          and (m.message is not null or m.source_url is not null or m.destination_url is not null or m.warned is not null)
      )
      select entity, source_id from page order by entity desc, source_id desc limit 1`.execute(tx)
    const [last] = rows
    if (last) after = last
    return last !== undefined
  })
}

async function eraseSmallTexts(tx: Tx, importId: string): Promise<void> {
  await eraseUploads(tx, importId)
  await tx.deleteFrom('mails').where('import_id', '=', importId).where('state', '<>', 'waiting').execute()
  await tx.deleteFrom('import_contacts').where('import_id', '=', importId).execute()
  await tx.deleteFrom('visitors').where('import_id', '=', importId).execute()
  // Labels of fields, and titles of records as examples. A new plan is made when somebody asks for one.
  await tx.deleteFrom('plans').where('import_id', '=', importId).execute()
  await tx.updateTable('plan_entities').set({ fields: '{}', losses: '[]' }).where('import_id', '=', importId).execute()
  await sql`
    update mappings set changes = jsonb_set(changes, '{entities}', (
      select coalesce(jsonb_object_agg(entity, change - 'corrections'), '{}')
      from jsonb_each(changes->'entities') as each(entity, change)))
    where import_id = ${importId} and changes->'entities' is not null`.execute(tx)
  await sql`
    update run_stages set cursor = null, cursor_watch = null from runs
    where runs.id = run_stages.run_id and runs.import_id = ${importId} and runs.state in ('finished', 'stopped')`.execute(
    tx,
  )
}

export async function inLots(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await statement.execute(db)
    if (numAffectedRows === 0n) return
  }
}
