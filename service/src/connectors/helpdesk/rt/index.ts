import { AccountRefusedError, RetryableError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createRtApi } from './api.ts'
import { words } from './words.ts'

/** Contacts and organizations are missing here: Request Tracker never deletes users. */
const tellsDeleted = ['groups', 'tickets', 'comments', 'attachments']

const requires: Source['requires'] = ['instanceUrl', { name: 'token', link: '/Prefs/AuthTokens.html' }]

const checkAccount = (account: Account): Promise<AccountInfo> =>
  checkAccess('Request Tracker does not accept this token.', async () => {
    const api = createRtApi(account)
    const system = await api.system().catch((error: unknown) => {
      // The server sent a web page instead of JSON.
      if (error instanceof RetryableError && error.cause instanceof SyntaxError) return null
      throw error
    })
    // `system` is null after a redirect: Request Tracker redirects clients that it takes for browsers, and other
    // programs do the same.
    if (!system) throw new AccountRefusedError('There is no Request Tracker 5 at this address.')
    if (Number.parseInt(system.Version, 10) < 5) {
      throw new AccountRefusedError(`This is Request Tracker ${system.Version.slice(0, 20)}; version 5 is needed.`)
    }
    // Without SuperUser, Request Tracker would omit records without notice.
    if (!system.Plugins) {
      throw new AccountRefusedError(
        'The token belongs to a user who does not see everything. Use one of a user with the right SuperUser.',
      )
    }
    return { name: new URL(api.base).host, id: api.base }
  })

/** Request Tracker 5, through REST 2.0. Some steps use web pages, because REST 2.0 does not offer them. */
export const rt: Connector = {
  tool: 'rt',
  label: 'Request Tracker',
  families: ['helpdesk'],
  movesBetweenInstances: true,
  words,
  source: {
    requires,
    checkAccount,
    tellsDeleted,
    open: async (account) => (await import('./reader.ts')).openReader(account),
    skips: ['approvals', 'articles', 'assets', 'deleted_tickets', 'history_entries', 'reminders', 'system_users'],
    warns: ['field_unreadable', 'follower_left_out', 'group_watcher_left_out', 'link_left_out', 'required_empty'],
  },
  destination: {
    requires,
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openWriter(account),
    loses: ['moment_not_kept'],
  },
}
