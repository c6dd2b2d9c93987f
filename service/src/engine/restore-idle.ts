import { findAccess } from '../accounts/sealed-access.ts'
import type { AccountAccess } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { readOnlyKinds } from '../imports/read-only-kinds.ts'
import { LeaseLostError } from './lease.ts'
import { listLeftovers, restoreLeftovers } from './leftovers.ts'
import { type AccountParts, openAccount } from './open-account.ts'

/**
 * Reverts the leftovers in the destination of an import without a working run. If a run begins meanwhile, this stops,
 * because the run reverts them itself. With `known`, it also works for an import whose authorization was just erased.
 */
export async function restoreIdle(parts: AccountParts, importId: string, known?: AccountAccess): Promise<void> {
  const { db, keyRing, connectors } = parts
  if ((await listLeftovers(db, importId)).length === 0) return
  const access = known ?? (await findAccess(db, keyRing, importId, 'destination'))
  const imp = await db
    .selectFrom('imports')
    .select(['destination_tool as tool', 'family'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  const destination = connectors.find(({ tool }) => tool === imp.tool)?.destination
  if (!destination || !access) return
  const fence = { confirm: () => requireIdle(db, importId), check: () => {} }
  const { account, pace } = await openAccount(parts, { importId, role: 'destination', tool: imp.tool, fence, access })
  try {
    await restoreLeftovers(db, importId, await destination.open(account, imp.family))
  } finally {
    await pace.close()
  }
}

async function requireIdle(db: Db, importId: string): Promise<void> {
  const working = await db
    .selectFrom('runs')
    .select('id')
    .where('import_id', '=', importId)
    .where('state', '=', 'working')
    .where('kind', 'not in', readOnlyKinds)
    .limit(1)
    .executeTakeFirst()
  if (working) throw new LeaseLostError(`run ${working.id} works on the import`)
}
