import { sql } from 'kysely'
import { watchToken } from '../authorizations/renew-grant.ts'
import { findAccess, type Role } from '../authorizations/sealed-access.ts'
import type { Account, Connector, Writer } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import { ObstacleError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import type { MappingChanges } from '../mapping/changes.ts'
import { findChanges } from '../mapping/save-changes.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { paceOutbound, type WriteFence } from '../outbound/paced-outbound.ts'
import { renewOutbound } from '../outbound/renewing-outbound.ts'
import { openUpload } from '../uploads/open-upload.ts'
import { type AccountPace, nameAccount, openPace, releaseHolds } from './account-pace.ts'
import { blame, blameAccount } from './blame-account.ts'
import { readAhead } from './hash-record.ts'
import type { ClaimedRun } from './lease.ts'
import { originOf } from './prepare-records.ts'
import type { MappingParts, RunContext } from './run-context.ts'

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
  const { db, crashPoint = async () => {} } = parts
  const changes = await findChanges(db, run.importId, run.mappingVersion)
  const fence = { confirm: () => run.lease.beforeSend(), check: () => run.lease.atSend() }
  // We have the run alone: whoever had it before asks for nothing more.
  await releaseHolds(db, run.id)
  const opened = await openImport({ ...parts, fence, owner: run.id }, run.importId, changes)
  if (run.kind === 'full') await estimateTotal(opened)
  return { ...opened, run, crashPoint }
}

/** Opens both accounts of an import. */
export async function openImport(
  parts: OpenRunParts & { fence?: WriteFence; owner?: string },
  importId: string,
  changes: MappingChanges,
): Promise<MappingParts> {
  const { db, keyRing, connectors, outbound, signal, fence, owner } = parts
  const imp = await db
    .selectFrom('imports')
    .select(['source_tool', 'destination_tool', 'family'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  const accountOf = async (role: Role, tool: string): Promise<{ account: Account; pace: AccountPace }> => {
    const access = await findAccess(db, keyRing, importId, role)
    if (!access) throw new ObstacleError(`${role}_not_connected`, 'customer', `Please connect the ${role} account.`)
    const pace = openPace(db, nameAccount(tool, access), owner)
    const atPace = paceOutbound(outbound, pace, fence)
    const place = { importId, role, tool }
    const renewed = access.oauth
      ? renewOutbound(atPace, watchToken({ db, keyRing, connectors, outbound }, place, access))
      : atPace
    const paced = { access, outbound: renewed, signal }
    const { uploadId } = access
    if (!uploadId) return { account: paced, pace }
    return { account: { ...paced, upload: await openUpload({ db, keyRing }, { importId, uploadId }) }, pace }
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
  const from = await accountOf('source', imp.source_tool).catch(blame('source'))
  const to = await accountOf('destination', imp.destination_tool).catch(blame('destination'))
  const writer = readFoundAhead(blameAccount('destination', destination.open(to.account, imp.family)))
  const close = async () => {
    await Promise.all([from.pace.close(), to.pace.close()])
  }
  try {
    const description = await writer.describe()
    to.pace.limit(description.capabilities)
    return {
      db,
      importId,
      family: imp.family,
      reader: blameAccount('source', source.open(from.account, imp.family)),
      writer,
      sourceOrigin: originOf(from.account.access.instanceUrl),
      mapping: { changes, destination: description },
      close,
    }
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

/** Whatever is found is compared with what was sent; long texts are read for that as they come. */
function readFoundAhead(writer: Writer): Writer {
  return {
    ...writer,
    async find(entity, records) {
      const found = await writer.find(entity, records)
      await readAhead(found)
      return found
    },
  }
}

/** How many records there are to go; stays unknown when the source does not tell for one of the entities. */
async function estimateTotal({ db, importId, reader }: MappingParts): Promise<void> {
  const { progress } = await db
    .selectFrom('imports')
    .select('progress')
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  if (progress.total !== null) return
  const known = Object.values(await reader.count())
  if (known.some((count) => count === null)) return
  const total = known.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  await sql`
    update imports set progress = jsonb_set(progress, '{total}', to_jsonb(${total}::int)) where id = ${importId}`.execute(
    db,
  )
}
