import type { Account, AccountInfo, Connector, OAuthOffer, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { apiAddress, createHubspotApi, label, limits } from './api.ts'
import { openHubspot, tellsDeleted } from './reader.ts'
import { words } from './words.ts'
import { openHubspotWriter } from './writer.ts'

const link = 'https://app.hubspot.com/l/private-apps'
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
  // HubSpot answers 400 with these words in `status`. Some answers have no `error`, by which the standard would tell.
  isGrantLost: ({ status }) => lostGrants.has(String(status)),
  at: (place) => ({
    issuer: 'https://app.hubspot.com',
    authorization: 'https://app.hubspot.com/oauth/authorize',
    // At the address of the API, which is another one for tests and for proxies of operators.
    token: `${place ?? apiAddress}/oauth/2026-03/token`,
  }),
})

const checkAccount = (account: Account): Promise<AccountInfo> =>
  checkAccess('HubSpot does not accept this access token.', async () => {
    const api = createHubspotApi(account)
    const { portalId } = await api.account()
    // A token without the rights to read contacts is of no use, and this tells it at once.
    await api.page('contacts', [], null, 1)
    return { name: `HubSpot ${portalId}`, id: String(portalId) }
  })

/** HubSpot: companies, contacts, deals and activities; its tickets are those of a help desk. */
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
    open: openHubspot,
    warns: ['field_unreadable', 'relations_left_out', 'required_empty'],
  },
  destination: {
    requires,
    oauth: oauth([...readScopes, ...writeScopes]),
    checkAccount,
    open: openHubspotWriter,
    loses: ['custom_value_refused', 'relation_refused'],
  },
}
