import { AccountRefusedError, RetryableError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createRedmineApi } from './api.ts'
import { nameOfUser, take } from './schema.ts'
import { words } from './words.ts'

const both: Pick<Source, 'requires' | 'checkAccount'> = {
  requires: ['instanceUrl', { name: 'token', link: '/my/account' }],
  checkAccount,
}

/** Redmine 5.0 and later, over its REST API, with the API key of an administrator. */
export const redmine: Connector = {
  tool: 'redmine',
  label: 'Redmine',
  families: ['project', 'helpdesk'],
  movesBetweenInstances: true,
  words,
  source: {
    ...both,
    // Redmine finds these by id or lists them in a few requests. The others would all have to be read.
    tellsDeleted: ['projects', 'groups', 'issues', 'tickets', 'wiki_pages'],
    open: async (account, family = 'project') => (await import('./reader.ts')).openRedmineReader(account, family),
    skips: ['history_entries', 'news', 'saved_queries'],
    warns: ['field_unreadable', 'relation_delay_lost', 'required_empty'],
  },
  destination: {
    ...both,
    open: async (account, family = 'project') => (await import('./writer.ts')).openRedmineWriter(account, family),
    loses: [
      'address_refused',
      'assignee_refused',
      'author_not_kept',
      'custom_value_refused',
      'milestone_refused',
      'parent_refused',
      'relation_refused',
      'status_refused',
      'watcher_refused',
    ],
  },
}

/** With a wrong key, lists answer 200 and show public records. Only `/users/current.json` reveals it. */
function checkAccount(account: Account): Promise<AccountInfo> {
  const api = createRedmineApi(account)
  return checkAccess('Redmine does not accept this API key, or its REST API is switched off.', async () => {
    const user = await api.find('/users/current.json', 'user').catch((error: unknown) => {
      // The answer is no JSON: it comes from another product or from a proxy.
      const isOther = error instanceof RetryableError && error.cause instanceof SyntaxError
      throw isOther
        ? new AccountRefusedError('There is something else than a Redmine at this address.', { cause: error })
        : error
    })
    if (user === null) {
      throw new AccountRefusedError('There is no Redmine at this address, or its REST API is switched off.')
    }
    const me = take('user', user)
    if (me.admin !== true) {
      throw new AccountRefusedError(
        'This API key belongs to someone who is no administrator, and does not see everything.',
      )
    }
    // The id is the address alone, because every administrator sees the same records.
    return { name: `${nameOfUser(me)} at ${new URL(api.base).host}`, id: api.base }
  })
}
