import type { Account, AccountInfo, Connector, OAuthOffer, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { valueAt } from '../../kit/lens.ts'
import { createIntercomApi, label, limits, requestsAtOnce } from './api.ts'
import { lacking, textOf } from './look-around.ts'
import { words } from './words.ts'

const tellsDeleted = ['groups', 'organizations', 'contacts', 'tickets', 'categories', 'articles']

const link = 'https://app.intercom.com/a/apps/_/developer-hub'
const requires: Source['requires'] = ['instanceUrl', { name: 'token', isSecret: true, link }]

/** The app holds the permissions. Tokens are valid until somebody revokes them. */
const oauth: OAuthOffer = {
  isPerInstance: false,
  regions: ['US', 'EU', 'AU'],
  scopes: [],
  usesPkce: false,
  sendsSecretInBody: true,
  // Intercom reports a refused code in the same list of errors as any refused request.
  isGrantLost: ({ errors }) =>
    Array.isArray(errors) && errors.some((one: { code?: unknown } | null) => one?.code === 'unauthorized'),
  at: (region) => {
    const part = region === 'EU' || region === 'AU' ? `.${region.toLowerCase()}` : ''
    return {
      issuer: `https://app${part}.intercom.com`,
      authorization: `https://app${part}.intercom.com/oauth`,
      token: `https://api${part}.intercom.io/auth/eagle/token`,
      // Removes the app from the workspace.
      ownRevocation: { method: 'POST', url: `https://api${part}.intercom.io/auth/uninstall` },
    }
  },
}

const checkAccount = (account: Account): Promise<AccountInfo> =>
  checkAccess('Intercom does not accept this access token. Check the region of the workspace, too.', async () => {
    const api = createIntercomApi(account)
    const me = api.one((await api.http.ask('/me')).json)
    // Checks now whether the token may read contacts. The plan may not include them.
    await api.list('/contacts', 'data', {}, lacking)(null, 1)
    const id = textOf(valueAt(me, 'app.id_code'))
    return { name: textOf(valueAt(me, 'app.name')) ?? label, ...(id !== null && { id }) }
  })

/** Intercom: inbox, tickets, people, companies and help center, through REST API 2.16. */
export const intercom: Connector = {
  tool: 'intercom',
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
    open: async (account) => (await import('./reader.ts')).openIntercom(account),
    warns: [
      'audience_narrowed',
      'author_missing',
      'draft_left_out',
      'field_unreadable',
      'link_left_out',
      'relations_left_out',
      'required_empty',
    ],
    skips: ['article_translations', 'news'],
  },
  destination: {
    requires,
    oauth,
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openIntercomWriter(account),
    loses: [
      'address_refused',
      'assignee_refused',
      'author_not_kept',
      'author_replaced',
      'comment_simplified',
      'custom_value_refused',
      'kept_for_agents',
      'moment_not_kept',
      'private_kept_as_draft',
      'relation_refused',
      'status_refused',
    ],
  },
}
