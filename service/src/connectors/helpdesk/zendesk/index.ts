import { AccountRefusedError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createZendeskApi, label, limits, requestsAtOnce, siteOf } from './api.ts'
import { words } from './words.ts'

/** Comments and files are missing here: people delete them only together with their ticket. */
const tellsDeleted = ['groups', 'organizations', 'contacts', 'tickets', 'categories', 'articles']

const token = { name: 'token', link: '/admin/apps-integrations/apis/api-tokens' }
const requires: Source['requires'] = ['instanceUrl', 'username', token]
const oauth = (scope: 'read' | 'write'): NonNullable<Source['oauth']> => ({
  isPerInstance: true,
  scopes: scope === 'read' ? ['read'] : ['read', 'write'],
  // Zendesk's documentation requires the client secret in the body.
  sendsSecretInBody: true,
  at: (instanceUrl) => {
    const site = siteOf({ instanceUrl, username: null, token: null })
    return {
      issuer: site,
      authorization: `${site}/oauth/authorizations/new`,
      token: `${site}/oauth/tokens`,
      ownRevocation: { method: 'DELETE', url: `${site}/api/v2/oauth/tokens/current.json` },
    }
  },
})

/** Zendesk Support and its Help Center, through their REST APIs v2. */
export const zendesk: Connector = {
  tool: 'zendesk',
  label,
  families: ['helpdesk'],
  movesBetweenInstances: true,
  words,
  limits,
  source: {
    requires,
    oauth: oauth('read'),
    checkAccount,
    tellsDeleted,
    nested: ['comments'],
    requestsAtOnce,
    open: async (account) => (await import('./reader.ts')).openZendesk(account),
    skips: [
      'article_translations',
      'community_posts',
      'custom_records',
      'deleted_tickets',
      'other_help_centers',
      'suspended_tickets',
    ],
    warns: [
      'audience_narrowed',
      'author_missing',
      'comments_left_out',
      'field_unreadable',
      'relations_left_out',
      'required_empty',
    ],
  },
  destination: {
    requires,
    oauth: oauth('write'),
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openZendeskWriter(account),
    loses: [
      'address_refused',
      'assignee_refused',
      'author_not_kept',
      'author_replaced',
      'custom_value_refused',
      'domain_refused',
      'kept_for_agents',
      'moment_not_kept',
      'parent_refused',
      'phone_refused',
      'picture_hidden',
      'relation_refused',
      'status_refused',
      'tags_left_out',
      'text_shortened',
      'watcher_refused',
    ],
  },
}

/** Checks the token. With a wrong token, Zendesk answers 200 with an anonymous user. */
function checkAccount(account: Account): Promise<AccountInfo> {
  const api = createZendeskApi(account)
  return checkAccess('Zendesk does not know this e-mail address and API token.', async () => {
    const { json } = await api.http.ask('/users/me')
    const user = (json as { user?: { id?: unknown; role?: unknown } } | null)?.user
    if (typeof user?.id !== 'number') {
      throw new AccountRefusedError('Zendesk does not know this e-mail address and API token.')
    }
    if (user.role !== 'admin') {
      throw new AccountRefusedError(
        'This user is no administrator. Zendesk lets only administrators export and import tickets.',
      )
    }
    return { name: new URL(api.site).host, id: api.site }
  })
}
