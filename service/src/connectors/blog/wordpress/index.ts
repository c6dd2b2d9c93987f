import { AccountRefusedError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createWordpressApi, missingRights, type Use } from './api.ts'
import { tellsDeleted } from './entities.ts'
import { words } from './words.ts'

const token = { name: 'token', link: '/wp-admin/profile.php#application-passwords-section' }
const requires: Source['requires'] = ['instanceUrl', 'username', token]

/** Connects WordPress 5.6 and later by its REST API v2 and an application password of an administrator. */
export const wordpress: Connector = {
  tool: 'wordpress',
  label: 'WordPress',
  families: ['blog'],
  movesBetweenInstances: true,
  words,
  source: {
    requires,
    checkAccount: (account) => checkAccount(account, 'read'),
    tellsDeleted,
    open: async (account) => (await import('./reader.ts')).openWordpress(account),
    skips: [
      'custom_posts',
      'menu_items',
      'pingbacks',
      'reusable_blocks',
      'revisions',
      'spam_comments',
      'trashed_comments',
      'trashed_pages',
      'trashed_posts',
    ],
    warns: ['author_missing', 'field_unreadable', 'image_missing', 'parent_not_moved', 'required_empty'],
  },
  destination: {
    requires,
    checkAccount: (account) => checkAccount(account, 'write'),
    open: async (account) => (await import('./writer.ts')).openWordpressWriter(account),
    loses: ['address_refused', 'comment_simplified', 'due_kept_as_draft'],
  },
}

/**
 * Requests the signed-in user. Lists would answer 200 with public records even if the password is wrong, or if the web
 * server does not pass it to WordPress.
 */
function checkAccount(account: Account, use: Use): Promise<AccountInfo> {
  const api = createWordpressApi(account)
  return checkAccess('WordPress does not know this user name and application password.', async () => {
    const missing = missingRights((await api.me()).capabilities, use)
    if (missing.length > 0) {
      throw new AccountRefusedError(
        `This user may not do everything that an import needs (${missing.join(', ')}). Please use an administrator.`,
      )
    }
    return { name: await api.siteName(), id: api.site }
  })
}
