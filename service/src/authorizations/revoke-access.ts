import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { openAccess, type Role } from '../accounts/sealed-access.ts'
import { audit } from '../audit.ts'
import type { AccountAccess, OAuthEndpoints } from '../connectors/contract/contract.ts'
import { OperatorError, RetryableError } from '../errors.ts'
import { findOAuthClient } from './oauth-clients.ts'
import { isLoss, refreshTokens, revokeToken, type ServerParts } from './oauth-server.ts'
import type { RenewParts } from './renew-grant.ts'

/**
 * State of the grant at the tool. `key_stays`: the customer typed a key, which only the customer can remove. `in_use`:
 * another import has signed in to the account, and at some tools a revocation would end all grants of an account.
 */
export type Revocation = 'revoked' | 'not_offered' | 'in_use' | 'key_stays' | 'failed'

interface WithdrawnRow {
  id: string
  import_id: string
  role: Role
  tool: string
  sealed_credentials: Buffer
}

const atOnce = 20
const limitMs = 5_000
/** The access is erased after that, whether the tool answered or not. */
const triesAfterMs = [1_000, 2_000]

/**
 * Revokes and erases all withdrawn access, or that of one import. Two workers may do so at once: a grant may be
 * revoked twice.
 */
export async function eraseWithdrawn(parts: RenewParts, importId?: string): Promise<number> {
  let erased = 0
  for (;;) {
    const rows = await parts.db
      .selectFrom('withdrawn_access')
      .select(['id', 'import_id', 'role', 'tool', 'sealed_credentials'])
      .$if(importId !== undefined, (query) => query.where('import_id', '=', String(importId)))
      .orderBy('id')
      .limit(atOnce)
      .execute()
    if (rows.length === 0) return erased
    await Promise.all(rows.map((row) => eraseOne(parts, row)))
    erased += rows.length
  }
}

async function eraseOne(parts: RenewParts, row: WithdrawnRow): Promise<void> {
  const revocation = await revoke(parts, row)
  await parts.db.transaction().execute(async (tx) => {
    const { numDeletedRows } = await tx.deleteFrom('withdrawn_access').where('id', '=', row.id).executeTakeFirst()
    if (numDeletedRows === 0n) return
    const details = { role: row.role, tool: row.tool, revocation }
    await audit(tx, { actor: 'service', act: 'credentials erased', subject: row.import_id, details })
  })
}

async function revoke(parts: RenewParts, row: WithdrawnRow): Promise<Revocation> {
  let access: AccountAccess
  try {
    access = openAccess(parts.keyRing, row.sealed_credentials, row.import_id, row.role)
  } catch {
    // Sealed with a lost key: nobody can use this access.
    return 'failed'
  }
  const { oauth, instanceUrl, token } = access
  if (!oauth) return 'key_stays'
  const offer = parts.connectors.find(({ tool }) => tool === row.tool)?.[row.role]?.oauth
  const endpoints = offer?.at(oauth.region ?? instanceUrl)
  if (!offer || !endpoints || !(endpoints.revocation ?? endpoints.ownRevocation)) return 'not_offered'
  if (await isInUse(parts, oauth.account)) return 'in_use'
  const client = await findOAuthClient(parts.db, parts.keyRing, row.tool, oauth.instance).catch((error: unknown) => {
    // The client's secret was sealed with a key that is gone. This access must not hold up every other erasure.
    if (error instanceof OperatorError) return null
    throw error
  })
  if (!client) return 'failed'
  const server = { offer, endpoints, client, outbound: parts.outbound }
  const held: HeldTokens = { token, refreshToken: oauth.refreshToken }
  for (const pauseMs of [...triesAfterMs, null]) {
    try {
      await (endpoints.ownRevocation ? endByToken(server, held, endpoints.ownRevocation) : revokeBoth(server, held))
      return 'revoked'
    } catch {
      if (pauseMs !== null) await wait(pauseMs)
    }
  }
  return 'failed'
}

interface HeldTokens {
  token: string | null
  refreshToken: string | null
}

/** The refresh token decides: without it the grant is over, and some tools revoke no access tokens. */
async function revokeBoth(server: ServerParts, { token, refreshToken }: HeldTokens): Promise<void> {
  if (refreshToken !== null) await revokeToken(server, refreshToken, 'refresh_token', limitMs)
  const last = token === null ? null : revokeToken(server, token, 'access_token', limitMs)
  await (refreshToken === null ? last : last?.catch(() => {}))
}

/** Renews an access token that has run out, because the tool accepts no other proof. */
async function endByToken(
  server: ServerParts,
  held: HeldTokens,
  { method, url }: NonNullable<OAuthEndpoints['ownRevocation']>,
): Promise<void> {
  const headers = { authorization: `Bearer ${held.token}` }
  const { status } = await server.outbound.request(url, { method, headers, signal: AbortSignal.timeout(limitMs) })
  if (status < 300) return
  if (status !== 401) throw new RetryableError(`a tool answered a revocation with ${status}`)
  // The grant is over already.
  if (held.refreshToken === null) return
  try {
    const { accessToken, refreshToken } = await refreshTokens(server, { refreshToken: held.refreshToken }, limitMs)
    Object.assign(held, { token: accessToken, refreshToken })
  } catch (error) {
    if (!isLoss(error)) throw error
    return
  }
  throw new RetryableError('an access token was renewed to be revoked')
}

/** Whether another import opens the account by OAuth 2. */
async function isInUse({ db, keyRing }: RenewParts, account: string | undefined): Promise<boolean> {
  if (account === undefined) return false
  const { rows } = await sql<Pick<WithdrawnRow, 'import_id' | 'role' | 'sealed_credentials'>>`
    select a.import_id, a.role, a.sealed_credentials
    from imports i join authorizations a on a.import_id = i.id and a.role = 'source' where i.source_account = ${account}
    union all
    select a.import_id, a.role, a.sealed_credentials
    from imports i join authorizations a on a.import_id = i.id and a.role = 'destination'
    where i.destination_account = ${account}`.execute(db)
  return rows.some(({ import_id, role, sealed_credentials }) => {
    try {
      return openAccess(keyRing, sealed_credentials, import_id, role).oauth !== undefined
    } catch {
      return false
    }
  })
}
