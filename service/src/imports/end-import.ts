import { sql } from 'kysely'
import { withdrawAccess } from '../accounts/withdraw-access.ts'
import { type Actor, audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ConflictError, OperatorError } from '../errors.ts'
import { forgetContact } from '../mail/forget-mails.ts'
import { eraseUploads } from '../uploads/erase-uploads.ts'
import { callOffPayments, cancelOpenPayments } from './call-off-payments.ts'
import { lockRuns } from './lock-runs.ts'

/** Cancels or archives an import. From then on no interface finds it, and its status never changes. */
export async function endImport(
  db: Db,
  importId: string,
  endedAs: 'cancelled' | 'archived',
  actor: Actor = 'operator',
) {
  return db.transaction().execute((tx) => endImportWithin(tx, importId, endedAs, actor))
}

/** The same, in the caller's transaction. */
export async function endImportWithin(tx: Tx, importId: string, endedAs: 'cancelled' | 'archived', actor: Actor) {
  await lockRuns(tx, importId)
  const ended = await tx
    .updateTable('imports')
    .set((eb) => ({
      ended_at: eb.fn<Date>('now'),
      ended_as: endedAs,
      undo_until: null,
      credentials_due_at: null,
      texts_due_at: sql<Date>`now() + make_interval(days => (select ledger_days from partners where id = partner_id))`,
    }))
    .where('id', '=', importId)
    .where('ended_at', 'is', null)
    .returning(['id', 'ended_as', 'ended_at', 'full_started_at'])
    .executeTakeFirst()
  if (!ended) throw await refusalOf(tx, importId)
  // No run goes on, and no credentials are kept.
  await tx
    .updateTable('runs')
    .set((eb) => ({ state: 'stopped', finished_at: eb.fn<Date>('now') }))
    .where('import_id', '=', importId)
    .where('state', 'in', ['working', 'paused'])
    .execute()
  // A customer who paid and never started the full migration gets the money back.
  if (ended.full_started_at === null) await callOffPayments(tx, importId, 'import_ended')
  else await cancelOpenPayments(tx, importId, 'import_ended')
  await withdrawAccess(tx, importId)
  await eraseUploads(tx, importId)
  // These rows hold values and titles of records, as examples of the plan.
  await tx.deleteFrom('plan_records').where('import_id', '=', importId).execute()
  await tx.updateTable('plan_entities').set({ losses: '[]', fields: '{}' }).where('import_id', '=', importId).execute()
  await forgetContact(tx, importId)
  await tx.deleteFrom('visitors').where('import_id', '=', importId).execute()
  await audit(tx, { actor, act: `import ${endedAs}`, subject: importId })
  const { full_started_at: _, ...told } = ended
  return told
}

async function refusalOf(tx: Tx, importId: string): Promise<OperatorError> {
  const imp = await tx.selectFrom('imports').select('ended_as').where('id', '=', importId).executeTakeFirst()
  if (!imp) return new OperatorError(`There is no import ${importId}. "wherry import list" shows the newest.`)
  return new ConflictError(`Import ${importId} was ${imp.ended_as} already. Nothing was changed.`)
}
