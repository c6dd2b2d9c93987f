import { decimalAmount } from '../currency.ts'
import type { Db } from '../db/open-database.ts'
import type { RunState } from '../db/schema.ts'
import { OperatorError } from '../errors.ts'
import { isReadOnly } from './read-only-kinds.ts'
import { listRuns, showRun } from './view-runs.ts'

const columns = [
  'id',
  'partner_id',
  'status',
  'source_tool',
  'destination_tool',
  'family',
  'sponsorship',
  'created_at',
  'ended_as',
] as const

const isUnderWay = (state: RunState) => state === 'working' || state === 'paused'

/** The newest imports, including ended ones. */
export async function listImportsForOperator(
  db: Db,
  { partnerId, limit }: { partnerId: string | null; limit: number },
) {
  return db
    .selectFrom('imports')
    .select(columns)
    .$if(partnerId !== null, (query) => query.where('partner_id', '=', String(partnerId)))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function showImportForOperator(db: Db, importId: string) {
  const imp = await db
    .selectFrom('imports')
    .select([
      ...columns,
      'destination_instance_url',
      'link_version',
      'start_full',
      'sponsorship_by',
      'sponsorship_reason',
      'sponsorship_requested_at',
      'paid_at',
      'items',
      'users',
      'progress',
      'sequence',
      'ended_at',
      'undo_until',
      'credentials_due_at',
      'texts_due_at',
      'erased_at',
    ])
    .where('id', '=', importId)
    .executeTakeFirst()
  if (!imp) throw new OperatorError(`There is no import ${importId}. "wherry import list" shows the newest.`)
  const events = await db
    .selectFrom('events')
    .select(['sequence', 'status', 'occurred_at'])
    .where('import_id', '=', importId)
    .orderBy('sequence')
    .execute()
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'provider', 'state', 'amount', 'currency', 'reason', 'attention', 'created_at'])
    .where('import_id', '=', importId)
    .orderBy('id')
    .execute()
  const runs = await listRuns(db, { importId, limit: 20 })
  // A run under way that moves records matters more than a newer one that only reads.
  const newest = runs.find(({ kind, state }) => isUnderWay(state) && !isReadOnly(kind)) ?? runs[0]
  const run = newest ? await showRun(db, newest.id) : null
  return {
    ...imp,
    run: run && { id: run.id, kind: run.kind, state: run.state, failures: run.failures, next_try_at: run.next_try_at },
    obstacle: run?.obstacle ?? null,
    warnings: run?.warnings ?? [],
    payments: payments.map((one) => ({ ...one, amount: decimalAmount(Number(one.amount), one.currency) })),
    events,
  }
}
