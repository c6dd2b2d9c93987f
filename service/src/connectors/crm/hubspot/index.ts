import { AccountRefusedError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, OAuthOffer, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { apiAddress, createHubspotApi, label, lackingScopes, limits } from './api.ts'
import { words } from './words.ts'

/** Entities of both families for which HubSpot can tell whether a record was deleted. */
const tellsDeleted = [
  ...['pipelines', 'stages', 'accounts', 'organizations', 'contacts', 'deals', 'tickets'],
  ...['activities', 'notes', 'comments', 'attachments'],
]

// Nobody can make private apps since 26 October 2026. Those that exist still work.
const link =
  'https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/account-service-keys'
const requires: Source['requires'] = [{ name: 'token', isSecret: true, link }]

const objects = ['companies', 'contacts', 'deals']
const readScopes = [
  ...['oauth', 'tickets', 'files', 'crm.objects.owners.read', 'sales-email-read'],
  ...objects.flatMap((name) => [`crm.objects.${name}.read`, `crm.schemas.${name}.read`]),
]
const writeScopes = objects.flatMap((name) => [`crm.objects.${name}.write`, `crm.schemas.${name}.write`])

const lostGrants = new Set(['BAD_REFRESH_TOKEN', 'BAD_AUTH_CODE', 'EXPIRED_AUTH_CODE'])

const oauth = (scopes: readonly string[]): OAuthOffer => ({
  isPerInstance: false,
  scopes,
  usesPkce: false,
  sendsSecretInBody: true,
  // HubSpot answers 400 with these words in `status`. Some of its answers lack the `error` of the OAuth standard.
  isGrantLost: ({ status }) => lostGrants.has(String(status)),
  at: (place) => ({
    issuer: 'https://app.hubspot.com',
    authorization: 'https://app.hubspot.com/oauth/authorize',
    // The same host as the API, so that tests and operators' proxies can replace it.
    token: `${place ?? apiAddress}/oauth/2026-03/token`,
    revocation: `${place ?? apiAddress}/oauth/2026-03/token/revoke`,
  }),
})

const refusal = 'HubSpot does not accept this access token.'
/** Cloudflare's answer when it cannot tell from a token where the account is. */
const noOrigin = 530

const checkAccount = (account: Account): Promise<AccountInfo> =>
  checkAccess(refusal, async () => {
    const api = createHubspotApi(account)
    if ((await api.http.look('/account-info/v3/details', [noOrigin])).status === noOrigin) {
      throw new AccountRefusedError(refusal)
    }
    const { portalId } = await api.account()
    // Reads one contact, so that a token without that right is refused now.
    const { status, json } = await api.http.look(api.objects('contacts'), [403], { limit: 1 })
    const lacking = status === 403 ? lackingScopes(json) : null
    if (lacking) throw new AccountRefusedError(lacking)
    if (status === 403) api.http.settle({ status, json })
    return { name: `HubSpot ${portalId}`, id: String(portalId) }
  })

/** HubSpot as a CRM: companies, contacts, deals and activities. HubSpot as a help desk: tickets. */
export const hubspot: Connector = {
  tool: 'hubspot',
  label,
  families: ['crm', 'helpdesk'],
  movesBetweenInstances: true,
  words,
  limits,
  source: {
    requires,
    oauth: oauth(readScopes),
    checkAccount,
    tellsDeleted,
    requestsAtOnce: 8,
    open: async (account, family) => (await import('./reader.ts')).openHubspot(account, family),
    skips: [
      ...(['activities_elsewhere', 'custom_records', 'invoices', 'leads', 'line_items', 'messages'] as const),
      ...(['products', 'quotes', 'satisfaction_ratings', 'sensitive_fields', 'tickets_elsewhere'] as const),
    ],
    warns: [
      ...(['field_unreadable', 'files_left_out', 'link_labels_left_out', 'messages_left_out'] as const),
      ...(['relations_left_out', 'required_empty'] as const),
    ],
  },
  destination: {
    requires,
    oauth: oauth([...readScopes, ...writeScopes]),
    checkAccount,
    open: async (account, family) => (await import('./writer.ts')).openHubspotWriter(account, family),
    loses: [
      'address_refused',
      'assignee_refused',
      'custom_value_refused',
      'probability_adjusted',
      'relation_refused',
      'status_refused',
    ],
  },
}
