import type { AccountAccess, AccountInfo } from '../connectors/contract.ts'
import type { ImportStatus } from '../imports/lifecycle.ts'
import { isToStartByItself } from '../imports/start-full.ts'
import { type RunStarter, resumeRun, startRun } from '../imports/start-run.ts'
import { type GrantParts, grantAuthorization } from './grant-authorization.ts'
import type { Role } from './sealed-access.ts'

/** Before the full migration the plan follows from the accounts that are connected. */
const replanned: ImportStatus[] = ['waiting_to_start_sample_migration', 'sample_migration_completed', 'in_preparation']

/**
 * Connects an account, and lets go on what only waited for it: a paused run, or the plan of what there is to migrate. The
 * plan begins in the transaction that connects the second account; a full migration that was sponsored follows it.
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
  // Another account than before: what was found in that one does not hold any more.
  if (replanned.includes(status) || (await isToStartByItself(db, importId))) {
    await startRun(db, starter, importId, 'plan')
  }
  return account
}
