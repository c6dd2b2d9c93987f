import type { Db } from '../db/open-database.ts'
import { isTracing, type Step } from '../signals/trace.ts'
import type { ClaimedRun } from './lease.ts'

/** A slice of a run as a step of the trace that began with the partner's request. */
export async function sliceStep(db: Db, { id, kind, importId }: ClaimedRun): Promise<Step> {
  const attributes = { 'wherry.run': id, 'wherry.import': importId }
  const step = { name: `run ${kind}`, kind: 'internal' as const, attributes }
  if (!isTracing()) return { ...step, parent: null }
  const imp = await db.selectFrom('imports').select('trace_parent').where('id', '=', importId).executeTakeFirst()
  return { ...step, parent: imp?.trace_parent ?? null }
}
