import type { AccountAccess } from '../connectors/contract.ts'
import type { Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import { openAccess, type Role } from './sealed-access.ts'

export interface GrantedAccount {
  importId: string
  role: Role
  access: AccountAccess
  /** See nameAccount. */
  account: string
  /** What people call it. */
  name: string
  /** The account told an id of its own, so another name at the same address is another account for sure. */
  hasId: boolean
  /** The customer says that it is the account of before, at a new address or under a new name. */
  isSame: boolean
}

/**
 * Records of two accounts must not mix: while copied records are in the destination, another account is refused on either
 * side. A new key of the same account is fine. Files are uploaded anew to correct them, so they are always taken.
 */
export async function refuseOtherAccount(tx: Tx, keyRing: KeyRing, granted: GrantedAccount): Promise<void> {
  const { importId, role, access, account, name, hasId, isSame } = granted
  if (access.uploadId) return
  const before = await tx
    .selectFrom('imports')
    .innerJoin('authorizations', 'authorizations.import_id', 'imports.id')
    .select([`imports.${role}_account as account`, 'account_name', 'sealed_credentials'])
    .where('imports.id', '=', importId)
    .where('role', '=', role)
    .executeTakeFirst()
  if (!before || before.account === null || before.account === account) return
  const isMoved = originOf(openAccess(keyRing, before.sealed_credentials, importId, role)) !== originOf(access)
  const isSuspect = hasId || isMoved || before.account_name !== name
  const isCertain = hasId && !isMoved
  if (!isSuspect || (isSame && !isCertain)) return
  const copied = await tx
    .selectFrom('id_map')
    .select('source_id')
    .where('import_id', '=', importId)
    .where('state', 'in', ['intended', 'written', 'matched', 'deleted'])
    .limit(1)
    .executeTakeFirst()
  if (!copied) return
  throw new ValidationError({
    other_account: [
      `is not the account of the records that were copied (${before.account_name ?? 'unknown'}), so nothing was changed. Undo the import first, then connect it.`,
    ],
    ...(!isCertain && {
      same_account: ['must be true if it is the same account at a new address or under a new name'],
    }),
  })
}

const originOf = ({ instanceUrl }: AccountAccess) =>
  instanceUrl === null ? null : (URL.parse(instanceUrl)?.origin ?? instanceUrl)
