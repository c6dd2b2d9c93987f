import type { Connector } from '../../contract/contract.ts'
import { checkAccess } from '../../kit/http.ts'
import { createFernhillApi } from './api.ts'
import { tellsDeleted } from './entities.ts'
import { words } from './words.ts'

/** Fernhill Desk, the help desk of our demo; see demo/fernhill/README.md. */
export const fernhill: Connector = {
  tool: 'fernhill',
  label: 'Fernhill Desk',
  families: ['helpdesk'],
  movesBetweenInstances: false,
  words,
  source: {
    requires: ['instanceUrl', 'token'],
    oauth: {
      isPerInstance: true,
      scopes: ['read'],
      at: (instanceUrl) => ({
        issuer: `${instanceUrl}/oauth`,
        authorization: `${instanceUrl}/oauth/auth`,
        token: `${instanceUrl}/oauth/token`,
        revocation: `${instanceUrl}/oauth/token/revocation`,
        namesIssuer: true,
      }),
    },
    checkAccount: (account) =>
      checkAccess('Fernhill Desk does not accept this API key.', async () => {
        const { name, subdomain } = await createFernhillApi(account).account()
        return { name, ...(subdomain && { id: subdomain }) }
      }),
    tellsDeleted,
    requestsAtOnce: 8,
    open: async (account) => (await import('./reader.ts')).openFernhill(account),
    warns: ['field_unreadable', 'required_empty'],
  },
}
