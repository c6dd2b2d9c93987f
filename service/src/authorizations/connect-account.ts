import type { AccountAccess, AccountInfo } from '../connectors/contract.ts'
import { type RunStarter, resumeRun, startRun } from '../imports/start-run.ts'
import { type GrantParts, grantAuthorization } from './grant-authorization.ts'
import type { Role } from './sealed-access.ts'

/**
 * Connects an account, and lets go on what only waited for it: a paused run, a full migration that was sponsored, or
 * else the plan of what there is to migrate.
 */
export async function connectAccount(
  parts: GrantParts & { starter: RunStarter },
  input: { importId: string; role: Role; access: AccountAccess },
): Promise<AccountInfo> {
  const { db, starter } = parts
  const account = await grantAuthorization(parts, input)
  if (await resumeRun(db, starter, input.importId)) return account
  const imp = await db
    .selectFrom('imports')
    .select(['status', 'start_full', 'sponsorship', 'full_started_at'])
    .where('id', '=', input.importId)
    .executeTakeFirstOrThrow()
  const isSponsoredFull = imp.start_full && imp.sponsorship === 'accepted'
  if (imp.status === 'in_preparation' && isSponsoredFull && imp.full_started_at === null) {
    await startRun(db, starter, input.importId, 'full')
  } else if (imp.status === 'waiting_to_start_sample_migration') {
    await startRun(db, starter, input.importId, 'plan')
  }
  return account
}
