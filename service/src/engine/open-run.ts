import { sql } from 'kysely'
import { findAccess, type Role } from '../authorizations/sealed-access.ts'
import type { Account, Connector } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import { ObstacleError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { ClaimedRun } from './lease.ts'
import type { RunContext } from './run-context.ts'

export interface OpenRunParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  outbound: Outbound
  signal: AbortSignal
  crashPoint?: RunContext['crashPoint']
}

/** Opens both accounts of a run, and asks the destination what it takes. */
export async function openRun(parts: OpenRunParts, run: ClaimedRun): Promise<RunContext> {
  const { db, keyRing, connectors, outbound, signal } = parts
  const imp = await db
    .selectFrom('imports')
    .select(['source_tool', 'destination_tool', 'family', 'progress'])
    .where('id', '=', run.importId)
    .executeTakeFirstOrThrow()
  const accountOf = async (role: Role): Promise<Account> => {
    const access = await findAccess(db, keyRing, run.importId, role)
    if (!access) throw new ObstacleError(`${role}_not_connected`, 'customer', `Please connect the ${role} account.`)
    return { access, outbound, signal }
  }
  const source = connectors.find(({ tool }) => tool === imp.source_tool)?.source
  const destination = connectors.find(({ tool }) => tool === imp.destination_tool)?.destination
  if (!source || !destination) {
    throw new ObstacleError(
      'no_connector',
      'operator',
      `There is no connector from ${imp.source_tool} to ${imp.destination_tool}.`,
    )
  }
  const reader = source.open(await accountOf('source'), imp.family)
  const writer = destination.open(await accountOf('destination'), imp.family)
  if (run.kind === 'full' && imp.progress.total === null) await estimateTotal(db, run.importId, await reader.count())
  return {
    db,
    run,
    family: imp.family,
    reader,
    writer,
    destination: await writer.describe(),
    crashPoint: parts.crashPoint ?? (async () => {}),
  }
}

/** How many records there are to go; stays unknown when the source does not tell for one of the entities. */
async function estimateTotal(db: Db, importId: string, counts: Record<string, number | null>): Promise<void> {
  const known = Object.values(counts)
  if (known.some((count) => count === null)) return
  const total = known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  await sql`
    update imports set progress = jsonb_set(progress, '{total}', to_jsonb(${total}::int)) where id = ${importId}`.execute(
    db,
  )
}
