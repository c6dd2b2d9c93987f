import { AccountRefusedError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createApi, isOfPlan, label, limits, requestsAtOnce } from './api.ts'
import { words } from './words.ts'

/** Comments and files are missing here: people delete them only together with their ticket. */
const tellsDeleted = ['groups', 'organizations', 'contacts', 'tickets', 'categories', 'articles']

const requires: Source['requires'] = ['instanceUrl', 'token']

/** Freshdesk and its knowledge base, through REST API v2. */
export const freshdesk: Connector = {
  tool: 'freshdesk',
  label,
  families: ['helpdesk'],
  movesBetweenInstances: true,
  words,
  limits,
  source: {
    requires,
    checkAccount,
    tellsDeleted,
    nested: ['comments'],
    requestsAtOnce,
    open: async (account) => (await import('./reader.ts')).openFreshdesk(account),
    skips: [
      'article_translations',
      'deleted_tickets',
      'forum_topics',
      'satisfaction_ratings',
      'spam_tickets',
      'time_entries',
    ],
    warns: [
      'audience_narrowed',
      'author_missing',
      'field_unreadable',
      'follower_left_out',
      'relations_left_out',
      'required_empty',
    ],
  },
  destination: {
    requires,
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openFreshdeskWriter(account),
    loses: [
      'address_refused',
      'assignee_refused',
      'author_not_kept',
      'author_replaced',
      'custom_value_refused',
      'domain_refused',
      'parent_refused',
      'phone_refused',
      'private_kept_as_draft',
      'relation_refused',
      'status_refused',
      'tags_left_out',
    ],
  },
}

/** Refuses an agent who sees only some tickets or no groups: the import would miss records without notice. */
export function checkAccount(account: Account): Promise<AccountInfo> {
  const api = createApi(account)
  return checkAccess('Freshdesk does not know this API key.', async () => {
    const me = api.one((await api.http.ask('/agents/me')).json, 'agent')
    if (me.ticket_scope !== 1) {
      throw new AccountRefusedError(
        'This agent sees only some of the tickets. Connect Freshdesk with the API key of an administrator.',
      )
    }
    const { status, json } = await api.http.look('/groups', [403], { per_page: 1 })
    if (status === 403 && !isOfPlan(json)) {
      throw new AccountRefusedError(
        'This agent is no administrator. Freshdesk shows groups and fields only to administrators.',
      )
    }
    return { name: new URL(api.site).host, id: api.site }
  })
}
