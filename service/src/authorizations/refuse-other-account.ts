import { openAccess, type Role } from '../accounts/sealed-access.ts'
import type { AccountAccess } from '../connectors/contract/contract.ts'
import type { Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'

export interface GrantedAccount {
  importId: string
  role: Role
  access: AccountAccess
  /** See nameAccount. */
  account: string
  /** The account's name if it had been connected like this access. */
  nameAs(earlier: AccountAccess): Promise<string>
  /** The account's name for people. */
  name: string
  /** The account reported an id of its own, so another name at the same address surely is another account. */
  hasId: boolean
  /** The customer says that this is the earlier account, at a new address or under a new name. */
  isSame: boolean
}

/**
 * Records of two accounts must not mix: while copied records are in the destination, both roles refuse another account.
 * A new key of the same account is fine. New files are always accepted, because people upload them to correct records.
 */
export async function refuseOtherAccount(tx: Tx, keyRing: KeyRing, granted: GrantedAccount): Promise<void> {
  const { importId, role, access, account, nameAs, name, hasId, isSame } = granted
  if (access.uploadId) return
  const before = await tx
    .selectFrom('imports')
    .innerJoin('authorizations', 'authorizations.import_id', 'imports.id')
    .select([`imports.${role}_account as account`, 'account_name', 'sealed_credentials'])
    .where('imports.id', '=', importId)
    .where('role', '=', role)
    .executeTakeFirst()
  if (!before || before.account === null || before.account === account) return
  const earlier = openAccess(keyRing, before.sealed_credentials, importId, role)
  // A key is typed with the address of the region, and a sign-in has the region's name. Ids hold for all regions.
  const isRegional = (access.oauth ?? earlier.oauth)?.region !== undefined
  if (isRegional && hasId && (await nameAs(earlier)) === before.account) return
  const isMoved = originOf(earlier) !== originOf(access)
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
