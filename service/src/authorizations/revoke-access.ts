import { setTimeout as wait } from 'node:timers/promises'
import { openAccess, type Role } from '../accounts/sealed-access.ts'
import { audit } from '../audit.ts'
import type { AccountAccess } from '../connectors/contract/contract.ts'
import { OperatorError } from '../errors.ts'
import { findOAuthClient } from './oauth-clients.ts'
import { revokeToken } from './oauth-server.ts'
import type { RenewParts } from './renew-grant.ts'

/** State of the grant at the tool. `key_stays`: the customer typed a key, which only the customer can remove. */
export type Revocation = 'revoked' | 'not_offered' | 'key_stays' | 'failed'

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
  if (!offer || endpoints?.revocation === undefined) return 'not_offered'
  const client = await findOAuthClient(parts.db, parts.keyRing, row.tool, oauth.instance).catch((error: unknown) => {
    // The client's secret was sealed with a key that is gone. This access must not hold up every other erasure.
    if (error instanceof OperatorError) return null
    throw error
  })
  if (!client) return 'failed'
  const server = { offer, endpoints, client, outbound: parts.outbound }
  for (const pauseMs of [...triesAfterMs, null]) {
    try {
      if (oauth.refreshToken !== null) await revokeToken(server, oauth.refreshToken, 'refresh_token', limitMs)
      if (token !== null) await revokeToken(server, token, 'access_token', limitMs)
      return 'revoked'
    } catch {
      if (pauseMs !== null) await wait(pauseMs)
    }
  }
  return 'failed'
}
