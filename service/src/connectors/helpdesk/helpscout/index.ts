import type { Account, AccountInfo, Connector, OAuthOffer, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createHelpscoutApi, label, limits, requestsAtOnce } from './api.ts'
import { words } from './words.ts'

/** Comments and files are missing here: people delete them only together with their conversation. */
const tellsDeleted = ['organizations', 'contacts', 'tickets', 'categories', 'articles']

const apps = 'https://secure.helpscout.net/users/apps'
const requires: Source['requires'] = [
  { name: 'username', link: apps },
  { name: 'token', isSecret: true, link: apps },
  { name: 'docs_api_key', isSecret: true, isOptional: true, link: 'https://secure.helpscout.net/users/authentication' },
]
const oauth: OAuthOffer = {
  isPerInstance: false,
  scopes: [],
  usesPkce: false,
  sendsSecretInBody: true,
  at: () => ({
    issuer: 'https://secure.helpscout.net',
    authorization: 'https://secure.helpscout.net/authentication/authorizeClientApplication',
    token: 'https://api.helpscout.net/v2/oauth2/token',
  }),
}

const checkAccount = (account: Account): Promise<AccountInfo> =>
  checkAccess('Help Scout does not accept this App ID with this App Secret, or this Docs API key.', async () => {
    const api = createHelpscoutApi(account)
    const me = (await api.look('/v2/users/me', [])).json as { companyId?: unknown; email?: unknown } | null
    // Checks the Docs key: with a wrong key, the Docs site would seem to have no articles.
    await api.docs?.list('/collections', 'collections')(null, 1)
    const id = Number.isSafeInteger(me?.companyId) ? { id: String(me?.companyId) } : {}
    return { name: `${label} (${typeof me?.email === 'string' ? me.email : 'API'})`, ...id }
  })

/** Help Scout: inboxes through the Inbox API 2.0, the knowledge base through the Docs API. */
export const helpscout: Connector = {
  tool: 'helpscout',
  label,
  families: ['helpdesk'],
  movesBetweenInstances: true,
  words,
  limits,
  source: {
    requires,
    oauth,
    checkAccount,
    tellsDeleted,
    nested: ['comments'],
    requestsAtOnce,
    open: async (account) => (await import('./reader.ts')).openHelpscout(account),
    warns: ['author_missing', 'draft_left_out', 'field_unreadable', 'relations_left_out', 'required_empty'],
    skips: ['history_entries', 'spam_tickets'],
  },
  destination: {
    requires,
    oauth,
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openHelpscoutWriter(account),
    loses: [
      'address_refused',
      'assignee_refused',
      'author_not_kept',
      'author_replaced',
      'custom_value_refused',
      'domain_refused',
      'moment_not_kept',
      'parent_refused',
      'phone_refused',
      'relation_refused',
    ],
  },
}
