import type { Account, AccountInfo, Connector, OAuthOffer, Source } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createPipedriveApi, label, limits } from './api.ts'
import { accountOf } from './schema.ts'
import { words } from './words.ts'

/** Entities for which Pipedrive can tell whether a record was deleted. */
const tellsDeleted = ['pipelines', 'stages', 'accounts', 'contacts', 'deals', 'activities', 'notes', 'attachments']

const link = 'https://app.pipedrive.com/settings/api'
const requires: Source['requires'] = [{ name: 'token', isSecret: true, link }]

const oauth = (scopes: readonly string[]): OAuthOffer => ({
  isPerInstance: false,
  scopes,
  usesPkce: false,
  // Each company has its own API address. Only the answer to the token request contains it.
  keeps: ['api_domain'],
  // Pipedrive's documentation words its refusals like this, and does not say in which field.
  isGrantLost: ({ error, message }) => [error, message].some((text) => /^invalid[ _]grant/i.test(String(text))),
  at: () => ({
    issuer: 'https://oauth.pipedrive.com',
    authorization: 'https://oauth.pipedrive.com/oauth/authorize',
    token: 'https://oauth.pipedrive.com/oauth/token',
    revocation: 'https://oauth.pipedrive.com/oauth/revoke',
  }),
})
const readScopes = ['base', 'deals:read', 'activities:read', 'contacts:read', 'users:read']
const writeScopes = ['base', 'deals:full', 'activities:full', 'contacts:full', 'users:read', 'search:read', 'admin']

const checkAccount = (account: Account): Promise<AccountInfo> =>
  checkAccess('Pipedrive does not accept this API token.', async () => {
    return accountOf(await createPipedriveApi(account).me())
  })

/** Pipedrive: organizations, people, deals, activities, notes and files. */
export const pipedrive: Connector = {
  tool: 'pipedrive',
  label,
  families: ['crm'],
  movesBetweenInstances: true,
  words,
  limits,
  source: {
    requires,
    oauth: oauth(readScopes),
    checkAccount,
    tellsDeleted,
    requestsAtOnce: 8,
    open: async (account) => (await import('./reader.ts')).openPipedrive(account),
    skips: ['account_links', 'call_logs', 'leads', 'note_comments', 'products', 'projects_elsewhere'],
    warns: [
      ...(['field_unreadable', 'followers_left_out', 'messages_left_out'] as const),
      ...(['relations_left_out', 'required_empty'] as const),
    ],
  },
  destination: {
    requires,
    oauth: oauth(writeScopes),
    checkAccount,
    open: async (account) => (await import('./writer.ts')).openPipedriveWriter(account),
    loses: [
      ...(['custom_value_refused', 'moment_not_kept', 'person_chosen', 'person_replaced'] as const),
      ...(['stage_chosen', 'text_shortened'] as const),
    ],
  },
}
