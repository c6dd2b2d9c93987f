import type { Role } from '../accounts/sealed-access.ts'
import type { AccountAccess, AccountInfo } from '../connectors/contract/contract.ts'
import { resumeRun } from '../imports/resume-run.ts'
import { willStartByItself } from '../imports/start-full.ts'
import { type RunStarter, startRun } from '../imports/start-run.ts'
import type { ImportStatus } from '../lifecycle.ts'
import { type GrantParts, grantAuthorization } from './grant-authorization.ts'

/** In these statuses a newly connected account makes the plan outdated. */
const replanned: ImportStatus[] = ['waiting_to_start_sample_migration', 'sample_migration_completed', 'in_preparation']

/**
 * Connects an account and continues the work that waited for it: a paused run, or the plan. The transaction that
 * connects the second account begins the plan. A sponsored full migration follows the plan.
 */
export async function connectAccount(
  parts: GrantParts & { starter: RunStarter },
  input: { importId: string; role: Role; access: AccountAccess; isSame?: boolean },
): Promise<AccountInfo> {
  const { db, starter } = parts
  const { importId } = input
  let isPlanned = false
  const account = await grantAuthorization(parts, input, async (tx) => {
    await startRun(tx, starter, importId, 'plan')
    isPlanned = true
  })
  if (isPlanned || (await resumeRun(db, starter, importId))) return account
  const { status } = await db
    .selectFrom('imports')
    .select('status')
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  // Another account than before makes the earlier findings invalid.
  if (replanned.includes(status) || (await willStartByItself(db, importId))) {
    await startRun(db, starter, importId, 'plan')
  }
  return account
}
