import { countChecked } from '../accounts/account-budget.ts'
import { nameAccount } from '../accounts/name-account.ts'
import { type Role, storeAccess } from '../accounts/sealed-access.ts'
import { audit } from '../audit.ts'
import type { AccountAccess, AccountInfo, Connector } from '../connectors/contract/contract.ts'
import { type AskedCredential, credentialsOf, givenValue, isMatch } from '../connectors/credentials.ts'
import type { Db, Tx } from '../db/open-database.ts'
import {
  AccountRefusedError,
  ConnectorFaultError,
  isAddressRefusal,
  ObstacleError,
  OtherProgramError,
  RequestError,
  ValidationError,
} from '../errors.ts'
import { moveImport } from '../imports/move-import.ts'
import { warnOfTwin } from '../imports/warn-of-twin.ts'
import type { KeyRing } from '../key-ring.ts'
import { accountCheckBytes, limitAnswers } from '../outbound/limit-answers.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { watchRequests } from '../outbound/watch-requests.ts'
import { cutText } from '../text/cut-text.ts'
import { connectUpload, openNewUpload } from '../uploads/open-upload.ts'
import { refuseOtherAccount } from './refuse-other-account.ts'

/** The limit for an account's own name, which people see. */
const longestName = 200
const checkMs = 15_000
/** Longer than any key that a vendor gives out. */
const longestCredential = 8_192

export interface GrantParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  outbound: Outbound
}

/**
 * Signs in to the account, and stores the access if that succeeds. The second account moves the import on, and
 * `whenBoth` starts the next step in the same transaction.
 */
export async function grantAuthorization(
  { db, keyRing, connectors, outbound }: GrantParts,
  input: { importId: string; role: Role; access: AccountAccess; isSame?: boolean },
  whenBoth: (tx: Tx) => Promise<void> = async () => {},
): Promise<AccountInfo> {
  const { importId, role, access, isSame = false } = input
  const imp = await db
    .selectFrom('imports')
    .select(['source_tool', 'destination_tool', 'family'])
    .where('id', '=', importId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!imp) throw new RequestError('not_found', 'There is no such import.')
  const tool = role === 'source' ? imp.source_tool : imp.destination_tool
  const connector = connectors.find((candidate) => candidate.tool === tool)
  const side = connector?.[role]
  if (!connector || !side)
    throw new ValidationError({ [role]: [`cannot be connected: there is no connector for ${tool}`] })
  // A customer who signed in at the tool itself typed no credentials here.
  const asked = access.oauth ? [] : credentialsOf(connector, role)
  refuseCredentials(asked, access)
  const { uploadId } = access
  const isUploaded = asked.some(({ name }) => name === 'uploadId') && typeof uploadId === 'string'
  const upload = isUploaded ? await openNewUpload({ db, keyRing }, { importId, uploadId }) : null
  const watched = watchRequests(outbound)
  const {
    name: fullName,
    families,
    ...info
  } = await check(
    () => {
      const signal = AbortSignal.timeout(checkMs)
      const brief = limitAnswers(watched.outbound, accountCheckBytes)
      return side.checkAccount({ access, outbound: brief, signal, ...(upload ? { upload } : {}) })
    },
    role,
    connector,
  )
  if (families && !families.includes(imp.family)) {
    const message = `takes ${families.join(', ')} data, and this import brings ${imp.family} data. Please check the address.`
    throw new ValidationError({ [role]: [message] })
  }
  const account = { ...info, name: cutText(fullName, longestName) }
  const name = await nameAccount({ db, keyRing }, tool, access, account.id)
  await countChecked(db, name, connector.limits, watched.exchanges)
  await db.transaction().execute(async (tx) => {
    // Both accounts may be connected at the same moment: the second waits here, and then sees the first.
    await tx.selectFrom('imports').select('id').where('id', '=', importId).forNoKeyUpdate().execute()
    const hasId = account.id !== undefined && account.id !== null
    const nameAs = (earlier: AccountAccess) => nameAccount({ db: tx, keyRing }, tool, earlier, account.id)
    const granted = { importId, role, access, account: name, nameAs, name: account.name, hasId, isSame }
    await refuseOtherAccount(tx, keyRing, granted)
    if (upload) await connectUpload(tx, importId, upload.id)
    await storeAccess(tx, keyRing, {
      importId,
      role,
      access: access.oauth ? { ...access, oauth: { ...access.oauth, account: name } } : access,
      isChecked: true,
      accountName: account.name,
      account: name,
    })
    await warnOfTwin(tx, importId)
    await audit(tx, { actor: `customer ${importId}`, act: `${role} connected`, subject: importId })
    const { count } = await tx
      .selectFrom('authorizations')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('import_id', '=', importId)
      .where('checked_at', 'is not', null)
      .executeTakeFirstOrThrow()
    // Connecting an account again, in a later status, moves nothing.
    if (Number(count) === 2 && (await moveImport(tx, importId, 'both accounts authorized'))) await whenBoth(tx)
  })
  return { name: account.name }
}

/** Reports mistakes at their fields, before any request to the account. */
function refuseCredentials(asked: readonly AskedCredential[], access: AccountAccess): void {
  const wrong: Record<string, string[]> = {}
  for (const { name, wireName, pattern, isOptional, words } of asked) {
    const value = givenValue(access, name)
    if (value === null && isOptional) continue
    if (value === null) wrong[wireName] = ["can't be blank"]
    else if (value.length > longestCredential) wrong[wireName] = [`must have at most ${longestCredential} characters`]
    else if (pattern !== undefined && !isMatch(pattern, value)) wrong[wireName] = [words.en.mismatch]
  }
  if (Object.keys(wrong).length > 0) throw new ValidationError(wrong)
}

async function check(signIn: () => Promise<AccountInfo>, role: Role, { label }: Connector): Promise<AccountInfo> {
  try {
    return await signIn()
  } catch (error) {
    if (error instanceof ConnectorFaultError) {
      const message = `cannot be connected: our connector for ${label} failed. Nothing was changed. Please tell support.`
      throw new ValidationError({ [role]: [message] }, { cause: error })
    }
    if (error instanceof AccountRefusedError || error instanceof OtherProgramError)
      throw new ValidationError({ [role]: [error.message] })
    if (isAddressRefusal(error))
      throw new ValidationError({ instance_url: ['is not an allowed address: it must be publicly reachable'] })
    if (error instanceof ObstacleError && error.code === 'authorization_lost') {
      const message = 'does not let us in with this. Please check what you entered, and that it may read and write.'
      throw new ValidationError({ [role]: [message] })
    }
    if (error instanceof ObstacleError && error.mustAct === 'customer') {
      throw new ValidationError({ [role]: [error.message] })
    }
    const message = 'could not be reached. Please check the address, or try again in a while.'
    throw new ValidationError({ [role]: [message] }, { cause: error })
  }
}
