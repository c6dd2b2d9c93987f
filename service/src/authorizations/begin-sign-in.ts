import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import type { Role } from '../accounts/sealed-access.ts'
import type { OAuthOffer } from '../connectors/contract/contract.ts'
import { isAddressRefusal, ValidationError } from '../errors.ts'
import type { GrantParts } from './grant-authorization.ts'
import { findOAuthClient } from './oauth-clients.ts'
import { buildSignInUrl } from './oauth-server.ts'

/** The time that a customer may take on the tool's sign-in page. */
const validMinutes = 15
const mostAtOnce = 20

export interface SignInParts extends GrantParts {
  /** Public address of the service. */
  origin: () => string
}

/** Stored while the customer is at the tool. */
export interface SignInDetails {
  instance: string
  region?: string
  /** Empty for a tool that does not know PKCE. */
  codeVerifier: string
}

export const redirectUriAt = (origin: string) => `${origin}/portal/oauth/callback`
export const hashState = (state: string) => createHash('sha256').update(state).digest()
export const signInPlace = (stateHash: Buffer) => `oauth_sign_ins.sealed_details/${stateHash.toString('hex')}`

/** Answers the address of the tool's own sign-in page for the customer. */
export async function beginSignIn(
  parts: SignInParts,
  input: { importId: string; role: Role; tool: string; instance: string },
): Promise<string> {
  const { db, keyRing, connectors, outbound, origin } = parts
  const { importId, role, tool, instance } = input
  const offer = connectors.find((connector) => connector.tool === tool)?.[role]?.oauth
  const place = offer && placeIn(offer, instance)
  const client = place && (await findOAuthClient(db, keyRing, tool, place.instance))
  if (!offer || !client) throw new ValidationError({ instance: ['does not offer a sign-in from here'] })
  const endpoints = offer.at(instance === '' ? null : instance)
  const hasPkce = offer.usesPkce !== false
  try {
    for (const address of [endpoints.authorization, endpoints.token]) outbound.guard.vetUrl(new URL(address))
  } catch (error) {
    if (isAddressRefusal(error)) {
      throw new ValidationError({ instance: ['is not an allowed address: it must be publicly reachable'] })
    }
    throw error
  }
  const [state, codeVerifier] = [generateRandomState(), hasPkce ? generateRandomCodeVerifier() : '']
  const stateHash = hashState(state)
  const details: SignInDetails = { ...place, codeVerifier }
  const sealed = keyRing.seal(JSON.stringify(details), signInPlace(stateHash))
  await sql`
    with made as (
      insert into oauth_sign_ins (state_hash, import_id, role, sealed_details, expires_at)
      values (${stateHash}, ${importId}, ${role}, ${sealed}, now() + make_interval(mins => ${validMinutes})))
    delete from oauth_sign_ins where state_hash in (
      select state_hash from oauth_sign_ins where import_id = ${importId}
      order by expires_at desc offset ${mostAtOnce - 1})`.execute(db)
  const redirectUri = redirectUriAt(origin())
  return buildSignInUrl({ endpoints, client }, { state, codeVerifier, redirectUri, scopes: offer.scopes })
}

/** The instance of the client, and the region if the tool has several; null for an unknown region. */
function placeIn({ regions }: OAuthOffer, chosen: string): Pick<SignInDetails, 'instance' | 'region'> | null {
  if (!regions) return { instance: chosen }
  return regions.includes(chosen) ? { instance: '', region: chosen } : null
}
