import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Role } from '../accounts/sealed-access.ts'
import type { AccountAccess } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { ObstacleError, ValidationError } from '../errors.ts'
import type { RunStarter } from '../imports/start-run.ts'
import { hashState, redirectUriAt, type SignInDetails, type SignInParts, signInPlace } from './begin-sign-in.ts'
import { connectAccount } from './connect-account.ts'
import { findOAuthClient } from './oauth-clients.ts'
import { exchangeCode, ScopesLeftOutError, SignInDeniedError } from './oauth-server.ts'

/** The limit for the tool's answer to a code; shorter than a browser waits. */
const exchangeMs = 10_000
const keptHours = 24

/** The end of a sign-in: connected, or the reason why not. The names of missing scopes follow after a slash. */
export type SignInEnd =
  | 'connected'
  | 'denied'
  | 'expired'
  | 'refused'
  | 'other_account'
  | 'not_set_up'
  | 'unavailable'
  | `scopes/${string}`

interface SignInRow {
  import_id: string
  role: Role
  sealed_details: Buffer | null
  is_expired: boolean
}

/** The import of a browser that comes back; null if no sign-in began with this state. */
export async function findSignIn(db: Db, state: string): Promise<{ importId: string; role: Role } | null> {
  const row = await db
    .selectFrom('oauth_sign_ins')
    .select(['import_id', 'role'])
    .where('state_hash', '=', hashState(state))
    .executeTakeFirst()
  return row ? { importId: row.import_id, role: row.role } : null
}

/**
 * Finishes the sign-in of a customer who is back, and connects the account. The caller has checked that this browser
 * has opened the import: a state made for another import is of no use here.
 */
export async function finishSignIn(
  parts: SignInParts & { starter: RunStarter },
  { state, parameters }: { state: string; parameters: URLSearchParams },
): Promise<SignInEnd> {
  const { db, keyRing, connectors, outbound, origin } = parts
  const stateHash = hashState(state)
  const row = await use(db, stateHash)
  if (!row?.sealed_details || row.is_expired) return 'expired'
  const { import_id: importId, role } = row
  const details: SignInDetails = JSON.parse(keyRing.open(row.sealed_details, signInPlace(stateHash)))
  const imp = await db
    .selectFrom('imports')
    .select(['source_tool', 'destination_tool'])
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  const tool = role === 'source' ? imp.source_tool : imp.destination_tool
  const offer = connectors.find((connector) => connector.tool === tool)?.[role]?.oauth
  const client = await findOAuthClient(db, keyRing, tool, details.instance)
  if (!offer || !client) return 'not_set_up'
  const { instance, region } = details
  const instanceUrl = instance === '' ? null : instance
  try {
    const { accessToken, refreshToken, renewAt, more } = await exchangeCode(
      { offer, endpoints: offer.at(region ?? instanceUrl), client, outbound },
      {
        parameters,
        state,
        codeVerifier: details.codeVerifier,
        redirectUri: redirectUriAt(origin()),
        limitMs: exchangeMs,
      },
    )
    const oauth = { grantId: randomUUID(), instance, ...(region !== undefined && { region }), refreshToken, renewAt }
    const access: AccountAccess = { instanceUrl, username: null, token: accessToken, oauth, ...(more && { more }) }
    await connectAccount(parts, { importId, role, access })
    return 'connected'
  } catch (error) {
    return endOf(error)
  }
}

function endOf(error: unknown): SignInEnd {
  if (error instanceof SignInDeniedError) return 'denied'
  if (error instanceof ScopesLeftOutError) return `scopes/${encodeURIComponent(error.scopes.join(', '))}`
  if (error instanceof ValidationError) {
    if (error.fields.other_account) return 'other_account'
    // The account could not be asked.
    return error.cause === undefined ? 'refused' : 'unavailable'
  }
  // The code was used before, is too old, or was made for another client.
  if (error instanceof ObstacleError) return error.mustAct === 'customer' ? 'expired' : 'not_set_up'
  return 'unavailable'
}

/** Succeeds once, even if two requests try at the same moment. */
async function use(db: Db, stateHash: Buffer): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    with found as (select * from oauth_sign_ins where state_hash = ${stateHash} for update)
    update oauth_sign_ins s set sealed_details = null
    from found where s.state_hash = found.state_hash
    returning found.import_id, found.role, found.sealed_details, found.expires_at < now() as is_expired`.execute(db)
  return rows[0]
}

/** Deletes expired sign-ins. */
export async function forgetOldSignIns(db: Db): Promise<void> {
  const old = sql`expires_at < now() - make_interval(hours => ${keptHours})` as RawBuilder<boolean>
  await db.deleteFrom('oauth_sign_ins').where(old).execute()
}
