import type { Connector, OAuthOffer } from '../../service/src/connectors/contract/contract.ts'
import { connectors } from '../../service/src/connectors/registry.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'

interface Vendor {
  hosts: string[]
  authorize: string
  token: string
  /** Revokes tokens by RFC 7009. */
  revoke?: string
  /** The request that ends the grant whose token it carries. */
  end?: string
  /** Whether a revocation removes the app from the account. */
  uninstalls?: true
  pkce: boolean
  secretIn: 'body' | 'header'
  /** Whether a refresh token works once; null for a vendor without refresh tokens. */
  rotates: boolean | null
  /** The error with which a person who declines returns. */
  deniedAs?: string
  /** Further fields of the token answer. */
  answer?: object
  /** The instance or region that the customer chooses. */
  place?: string
  family: 'helpdesk' | 'crm'
}

/** The sign-in of each vendor, by its documentation. */
export const vendors: Record<VendorName, Vendor> = {
  zendesk: {
    hosts: ['acme.zendesk.com', 'other.zendesk.com'],
    authorize: '/oauth/authorizations/new',
    token: '/oauth/tokens',
    end: 'DELETE /api/v2/oauth/tokens/current.json',
    pkce: true,
    secretIn: 'body',
    rotates: true,
    family: 'helpdesk',
    answer: { expires_in: 1800, refresh_token_expires_in: 2_592_000 },
    place: 'https://acme.zendesk.com',
  },
  helpscout: {
    hosts: ['secure.helpscout.net', 'api.helpscout.net'],
    authorize: '/authentication/authorizeClientApplication',
    token: '/v2/oauth2/token',
    pkce: false,
    secretIn: 'body',
    rotates: true,
    family: 'helpdesk',
    answer: { expires_in: 172_800 },
  },
  intercom: {
    hosts: ['app.eu.intercom.com', 'api.eu.intercom.io'],
    authorize: '/oauth',
    token: '/auth/eagle/token',
    end: 'POST /auth/uninstall',
    uninstalls: true,
    pkce: false,
    secretIn: 'body',
    rotates: null,
    family: 'helpdesk',
    answer: { token_type: 'Bearer' },
    place: 'EU',
  },
  hubspot: {
    hosts: ['app.hubspot.com', 'api.hubapi.com'],
    authorize: '/oauth/authorize',
    token: '/oauth/2026-03/token',
    revoke: '/oauth/2026-03/token/revoke',
    pkce: false,
    secretIn: 'body',
    rotates: false,
    family: 'crm',
    answer: { expires_in: 1800, hub_id: 1, id_token: null },
  },
  pipedrive: {
    hosts: ['oauth.pipedrive.com', 'acme.pipedrive.com', 'evil.example'],
    authorize: '/oauth/authorize',
    token: '/oauth/token',
    revoke: '/oauth/revoke',
    uninstalls: true,
    pkce: false,
    secretIn: 'header',
    rotates: true,
    family: 'crm',
    deniedAs: 'user_denied',
    answer: { expires_in: 3599, token_type: 'Bearer', api_domain: 'https://acme.pipedrive.com' },
  },
}

export type VendorName = 'zendesk' | 'helpscout' | 'intercom' | 'hubspot' | 'pipedrive'
export const vendorNames: VendorName[] = ['zendesk', 'helpscout', 'intercom', 'hubspot', 'pipedrive']

/** What an API tells about the account, for the check of a connector. */
export function answerAbout(path: string, account: number): unknown {
  if (path.startsWith('/api/v2/users/me')) return { user: { id: account, role: 'admin' } }
  if (path === '/v2/users/me') return { companyId: account, email: 'owner@example.com' }
  if (path === '/me') return { type: 'admin', id: '1', app: { id_code: `app${account}`, name: 'Acme' } }
  if (path === '/contacts') return { type: 'list', data: [], total_count: 0, pages: {} }
  if (path.startsWith('/account-info/')) return { portalId: account, timeZone: 'UTC', companyCurrency: 'EUR' }
  if (path.startsWith('/crm/v3/objects/')) return { results: [] }
  if (path === '/api/v1/users/me') return { success: true, data: { id: 7, company_id: account, company_name: 'Acme' } }
  return {}
}

/** Our connectors, whose requests go to the strict server instead of the vendors' hosts. */
export function connectorsAt(url: () => string): Connector[] {
  const moved = (address: string) => address.replace(/^https:\//, url())
  const offerAt = (offer: OAuthOffer): OAuthOffer => ({
    ...offer,
    at: (place) => {
      const { authorization, token, revocation, ownRevocation, ...rest } = offer.at(place)
      return {
        ...rest,
        ...(revocation && { revocation: moved(revocation) }),
        ...(ownRevocation && { ownRevocation: { ...ownRevocation, url: moved(ownRevocation.url) } }),
        ...{ authorization: moved(authorization), token: moved(token) },
      }
    },
  })
  const outboundAt = (outbound: Outbound): Outbound => ({
    ...outbound,
    request: (address, options) => outbound.request(moved(address), options),
  })
  return connectors.map((connector): Connector => {
    const { source, destination } = connector
    if (!vendorNames.includes(connector.tool as VendorName) || !source?.oauth || !destination?.oauth) return connector
    return {
      ...connector,
      source: {
        ...source,
        oauth: offerAt(source.oauth),
        checkAccount: (account) => source.checkAccount({ ...account, outbound: outboundAt(account.outbound) }),
      },
      destination: { ...destination, oauth: offerAt(destination.oauth) },
    }
  })
}
