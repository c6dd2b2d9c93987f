import { nameAccount } from '../accounts/name-account.ts'
import { findAccess, type Role } from '../accounts/sealed-access.ts'
import { watchToken } from '../authorizations/renew-grant.ts'
import type { Account, AccountAccess, Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { ObstacleError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { paceOutbound, type WriteFence } from '../outbound/paced-outbound.ts'
import { renewOutbound } from '../outbound/renewing-outbound.ts'
import { timeRequests } from '../outbound/time-requests.ts'
import { openUpload } from '../uploads/open-upload.ts'
import { type AccountPace, openPace } from './account-pace.ts'
import { openLeftovers } from './leftovers.ts'
import { openSides } from './side-records.ts'

export interface AccountParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  outbound: Outbound
  signal: AbortSignal
}

interface Place {
  importId: string
  role: Role
  tool: string
  fence?: WriteFence | undefined
  /** The run whose share of the account's pace is used. */
  owner?: string | undefined
  /** The access, if the caller has it already. */
  access?: AccountAccess
}

/** Opens one account of an import, with its shared pace and with a valid token. */
export async function openAccount(
  { db, keyRing, connectors, outbound, signal }: AccountParts,
  { importId, role, tool, fence, owner, access: known }: Place,
): Promise<{ account: Account; pace: AccountPace }> {
  const access = known ?? (await findAccess(db, keyRing, importId, role))
  if (!access) throw new ObstacleError(`${role}_not_connected`, 'customer', `Please connect the ${role} account.`)
  const named = await db
    .selectFrom('imports')
    .select(`${role}_account as account`)
    .where('id', '=', importId)
    .executeTakeFirst()
  const limits = connectors.find((connector) => connector.tool === tool)?.limits
  const name = named?.account ?? (await nameAccount({ db, keyRing }, tool, access))
  const pace = openPace(db, name, owner, limits)
  const atPace = paceOutbound(timeRequests(outbound, tool), pace, fence)
  const place = { importId, role, tool }
  const renewed = access.oauth
    ? renewOutbound(atPace, watchToken({ db, keyRing, connectors, outbound }, place, access))
    : atPace
  const { uploadId } = access
  const account: Account = {
    access,
    outbound: renewed,
    signal,
    ...(role === 'destination' && { leftovers: openLeftovers(db, importId), sides: openSides(db, importId, name) }),
    ...(uploadId && { upload: await openUpload({ db, keyRing }, { importId, uploadId }) }),
  }
  return { account, pace }
}
