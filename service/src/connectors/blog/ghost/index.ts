import { AccountRefusedError } from '../../../errors.ts'
import type { Account, AccountInfo, Connector, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createGhostApi, tellsDeleted } from './api.ts'
import { words } from './words.ts'

/** The key consists of an id and a secret, both hexadecimal. */
const token = { name: 'token', pattern: '[0-9a-fA-F]{24}:[0-9a-fA-F]{64}', link: '/ghost/#/settings/integrations' }
const requires: Source['requires'] = ['instanceUrl', token]

/** Connects Ghost 6 by its Admin API and the key of a custom integration. */
export const ghost: Connector = {
  tool: 'ghost',
  label: 'Ghost',
  families: ['blog'],
  movesBetweenInstances: true,
  words,
  source: {
    requires,
    checkAccount,
    tellsDeleted,
    open: async (account) => (await import('./reader.ts')).openGhost(account),
    skips: ['newsletters', 'offers', 'tiers'],
    warns: [
      'audience_narrowed',
      'author_missing',
      'email_only',
      'field_unreadable',
      'parent_not_moved',
      'plan_not_moved',
      'required_empty',
      'tiers_not_moved',
    ],
  },
  destination: {
    requires,
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openGhostWriter(account),
    loses: ['author_replaced', 'comment_simplified', 'due_kept_as_draft', 'private_kept_as_draft'],
  },
}

/** Everyone may read the site's description, so the check also reads users, which needs the key. */
function checkAccount(account: Account): Promise<AccountInfo> {
  const api = createGhostApi(account)
  const unknownKey = 'Ghost does not know this key. Please use the Admin API key of a custom integration.'
  return checkAccess(unknownKey, async () => {
    await api.list('users', { limit: 1 })
    const { name, version } = await api.about()
    if (Number.parseInt(version, 10) < 6) {
      throw new AccountRefusedError(`This is Ghost ${version}. Please update it to Ghost 6 or later first.`)
    }
    return { name, id: api.site }
  })
}
