import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { findAccess, openAccess, type Role, replaceAccess } from '../accounts/sealed-access.ts'
import type { AccountAccess, Connector } from '../connectors/contract/contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { ObstacleError, RetryableError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { TokenSource } from '../outbound/renewing-outbound.ts'
import { findOAuthClient } from './oauth-clients.ts'
import { grantLost, refreshTokens, type Tokens } from './oauth-server.ts'

/** Long, because a late answer may hold the only refresh token that works. */
const refreshMs = 20_000
/** Longer than the limit above, because this transaction waits for the tool. */
const mayIdle = sql`set local idle_in_transaction_session_timeout = '25s'`
/** How often others look whether the new token is there. */
const lookMs = 200
const storeAgainMs = [0, 500, 1_000, 2_000, 4_000]

export interface RenewParts {
  db: Db
  keyRing: KeyRing
  connectors: readonly Connector[]
  outbound: Outbound
}

export interface GrantPlace {
  importId: string
  role: Role
  tool: string
}

/** The access token of an OAuth grant, renewed when it is due or was refused. */
export function watchToken(parts: RenewParts, place: GrantPlace, access: AccountAccess): TokenSource {
  let current = access
  let renewal: Promise<AccountAccess> | null = null
  const renew = async (stale: string): Promise<string> => {
    if (current.token !== stale) return current.token ?? ''
    // Callers at the same time share one renewal.
    renewal ??= renewGrant(parts, place, stale).finally(() => {
      renewal = null
    })
    const next = await renewal
    // The customer has signed in again, perhaps to another account: the work must open it anew.
    if (next.oauth?.grantId !== access.oauth?.grantId) throw new RetryableError('an account was connected again')
    current = next
    return current.token ?? ''
  }
  return {
    first: access.token ?? '',
    renew,
    async fresh() {
      const { token, oauth } = current
      const isDue = oauth?.renewAt != null && oauth.refreshToken !== null && Date.parse(oauth.renewAt) <= Date.now()
      return isDue ? renew(token ?? '') : (token ?? '')
    },
  }
}

/** Renews the tokens of a grant, unless another process has done so since, or does so now. */
export async function renewGrant(parts: RenewParts, place: GrantPlace, stale: string): Promise<AccountAccess> {
  for (;;) {
    const access = await tryToRenew(parts, place, stale)
    if (access) return access
    await wait(lookMs)
  }
}

/**
 * Null while another process renews. The row is locked meanwhile: a refresh token often works once, so two processes
 * that used it would lose the account.
 */
async function tryToRenew(parts: RenewParts, place: GrantPlace, stale: string): Promise<AccountAccess | null> {
  const { db, keyRing } = parts
  const { importId, role } = place
  const renewed: { access?: AccountAccess } = {}
  try {
    return await db.transaction().execute(async (tx) => {
      await mayIdle.execute(tx)
      const row = await lockRow(tx, place).skipLocked().executeTakeFirst()
      if (!row) {
        if (await findAccess(tx, keyRing, importId, role)) return null
        throw grantLost()
      }
      const access = openAccess(keyRing, row.sealed_credentials, importId, role)
      if (access.token !== stale || !access.oauth) return access
      renewed.access = withTokens(access, await askForTokens({ ...parts, db: tx }, place, access))
      await replaceAccess(tx, keyRing, { importId, role, access: renewed.access })
      return renewed.access
    })
  } catch (error) {
    if (!renewed.access) throw error
    return storeAgain(parts, place, { stale, access: renewed.access }, error)
  }
}

const lockRow = (tx: Tx, { importId, role }: GrantPlace) =>
  tx
    .selectFrom('authorizations')
    .select('sealed_credentials')
    .where('import_id', '=', importId)
    .where('role', '=', role)
    .forUpdate()

async function askForTokens(
  { db, keyRing, connectors, outbound }: RenewParts,
  { role, tool }: GrantPlace,
  { oauth, instanceUrl, more }: AccountAccess,
): Promise<Tokens> {
  if (!oauth || oauth.refreshToken === null) throw grantLost()
  const offer = connectors.find((connector) => connector.tool === tool)?.[role]?.oauth
  const client = await findOAuthClient(db, keyRing, tool, oauth.instance)
  if (!offer || !client) {
    const message = `The client id for ${tool} was removed, so its accounts cannot be kept open.`
    throw new ObstacleError('oauth_client_missing', 'operator', message)
  }
  const server = { offer, endpoints: offer.at(oauth.region ?? instanceUrl), client, outbound }
  return refreshTokens(server, { refreshToken: oauth.refreshToken, more }, refreshMs)
}

/** The database failed after the tool had replaced the tokens. Nobody else knows the new ones. */
async function storeAgain(
  { db, keyRing }: RenewParts,
  place: GrantPlace,
  { stale, access }: { stale: string; access: AccountAccess },
  failure: unknown,
): Promise<AccountAccess> {
  for (const pauseMs of storeAgainMs) {
    await wait(pauseMs)
    try {
      return await db.transaction().execute(async (tx) => {
        const { importId, role } = place
        const row = await lockRow(tx, place).executeTakeFirst()
        const stored = row && openAccess(keyRing, row.sealed_credentials, importId, role)
        if (stored?.token !== stale) return stored ?? access
        await replaceAccess(tx, keyRing, { importId, role, access })
        return access
      })
    } catch {
      // Tried again.
    }
  }
  throw failure
}

function withTokens(access: AccountAccess, { accessToken, refreshToken, renewAt, more }: Tokens): AccountAccess {
  const { oauth } = access
  const renewed = oauth && { oauth: { ...oauth, refreshToken, renewAt } }
  return { ...access, token: accessToken, ...renewed, ...(more && { more }) }
}
