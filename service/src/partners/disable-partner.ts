import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { pauseRun } from '../imports/pause-run.ts'

/**
 * From the next request on, the API refuses every token of the partner. No new run starts, and its policy pays for
 * nothing more. Runs under way finish, or pause if the operator wants it.
 */
export async function disablePartner(db: Db, partnerId: string, { stopsRuns = false } = {}) {
  const disabled = await db.transaction().execute(async (tx) => {
    const partner = await tx
      .updateTable('partners')
      .set((eb) => ({ disabled_at: eb.fn.coalesce('disabled_at', eb.fn<Date>('now')) }))
      .where('id', '=', partnerId)
      .returning(['id', 'name', 'disabled_at'])
      .executeTakeFirst()
    if (!partner) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
    await audit(tx, { actor: 'operator', act: 'partner disabled', subject: partnerId })
    return partner
  })
  const underWay = await db
    .selectFrom('runs')
    .innerJoin('imports', 'imports.id', 'runs.import_id')
    .select(['runs.id', 'runs.import_id'])
    .where('imports.partner_id', '=', partnerId)
    .where('runs.state', '=', 'working')
    .where('runs.kind', 'in', ['sample', 'full', 'delta', 'retry'])
    .execute()
  let paused = 0
  for (const { id, import_id } of stopsRuns ? underWay : []) {
    if (await pauseRun(db, import_id, { actor: 'operator', runId: id })) paused++
  }
  return { ...disabled, runs_under_way: underWay.length - paused, runs_paused: paused }
}
