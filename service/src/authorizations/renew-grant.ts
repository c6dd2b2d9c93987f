import { sql } from 'kysely'
import { openAccess, type Role, replaceAccess } from '../accounts/sealed-access.ts'
import type { AccountAccess, Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { ObstacleError } from '../errors.ts'
import type { KeyRing } from '../key-ring.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { TokenSource } from '../outbound/renewing-outbound.ts'
import { findOAuthClient } from './oauth-clients.ts'
import { grantLost, refreshTokens, type Tokens } from './oauth-server.ts'

/** Shorter than the idle limit of a transaction, because this one waits for the tool. */
const refreshMs = 5_000
const mayIdle = sql`set local idle_in_transaction_session_timeout = '8s'`

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
    current = await renewal
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

/**
 * Renews the tokens of a grant, unless another process has done so since. The row is locked meanwhile: a refresh token
 * often works once, so two processes that used it would lose the account.
 */
export async function renewGrant(
  { db, keyRing, connectors, outbound }: RenewParts,
  { importId, role, tool }: GrantPlace,
  stale: string,
): Promise<AccountAccess> {
  return db.transaction().execute(async (tx) => {
    await mayIdle.execute(tx)
    const row = await tx
      .selectFrom('authorizations')
      .select('sealed_credentials')
      .where('import_id', '=', importId)
      .where('role', '=', role)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw grantLost()
    const access = openAccess(keyRing, row.sealed_credentials, importId, role)
    if (access.token !== stale || !access.oauth) return access
    const { oauth, instanceUrl } = access
    if (oauth.refreshToken === null) throw grantLost()
    const offer = connectors.find((connector) => connector.tool === tool)?.[role]?.oauth
    const client = await findOAuthClient(tx, keyRing, tool, oauth.instance)
    if (!offer || !client) {
      const message = `The client id for ${tool} was removed, so its accounts cannot be kept open.`
      throw new ObstacleError('oauth_client_missing', 'operator', message)
    }
    const server = { offer, endpoints: offer.at(oauth.region ?? instanceUrl), client, outbound }
    const before = { refreshToken: oauth.refreshToken, more: access.more }
    const renewed = withTokens(access, await refreshTokens(server, before, refreshMs))
    await replaceAccess(tx, keyRing, { importId, role, access: renewed })
    return renewed
  })
}

function withTokens(access: AccountAccess, { accessToken, refreshToken, renewAt, more }: Tokens): AccountAccess {
  const { oauth } = access
  const renewed = oauth && { oauth: { ...oauth, refreshToken, renewAt } }
  return { ...access, token: accessToken, ...renewed, ...(more && { more }) }
}
