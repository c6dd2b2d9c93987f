import { AccountRefusedError, ObstacleError } from '../../errors.ts'
import type { Account, AccountInfo, Connector, OAuthOffer } from '../contract.ts'
import { createFernhillApi } from './api.ts'
import { openFernhill, tellsDeleted } from './reader.ts'
import { words } from './words.ts'

/** See "Signing in" in demo/fernhill/README.md. */
const oauth: OAuthOffer = {
  isPerInstance: true,
  scopes: ['read'],
  at: (instanceUrl) => ({
    issuer: `${instanceUrl}/oauth`,
    authorization: `${instanceUrl}/oauth/auth`,
    token: `${instanceUrl}/oauth/token`,
    namesIssuer: true,
  }),
}

/** Fernhill Desk, the help desk of our demo. */
export const fernhill: Connector = {
  tool: 'fernhill',
  label: 'Fernhill Desk',
  families: ['helpdesk'],
  movesBetweenInstances: false,
  words,
  source: {
    requires: ['instanceUrl', 'token'],
    oauth,
    checkAccount,
    tellsDeleted,
    open: (account) => openFernhill(account),
    warns: ['field_unreadable', 'required_empty'],
  },
}

async function checkAccount(account: Account): Promise<AccountInfo> {
  try {
    const { name, subdomain } = await createFernhillApi(account, 1).account()
    return { name, ...(subdomain && { id: subdomain }) }
  } catch (error) {
    if (error instanceof ObstacleError) {
      const isKey = error.code === 'authorization_lost'
      const words = 'Fernhill Desk does not accept this API key.'
      throw new AccountRefusedError(isKey ? words : error.message, { cause: error })
    }
    throw error
  }
}
