import { readConfig } from '../../service/src/config.ts'
import type { Account } from '../../service/src/connectors/contract/contract.ts'
import { createOutbound, type Outbound } from '../../service/src/outbound/outbound.ts'

export const deskKey = 'test-key'
export const deskEntities = [
  'groups',
  'organizations',
  'contacts',
  'tickets',
  'comments',
  'categories',
  'articles',
  'attachments',
]

export const createLoopbackOutbound = (): Outbound =>
  createOutbound(readConfig({ WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8' }).allowedNetworks)

export const deskAccount = (outbound: Outbound, instanceUrl: string, token = deskKey): Account => ({
  access: { instanceUrl, token, username: null },
  outbound,
  signal: AbortSignal.timeout(3_600_000),
})
