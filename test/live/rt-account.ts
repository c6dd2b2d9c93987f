import type { Account, AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import type { Outbound } from '../../service/src/outbound/outbound.ts'
import { checkTool } from './known-requests.ts'

/** The output of `node test/live/rt.ts`. */
export interface LiveAccounts {
  source: { access: AccountAccess; folder: string }
  destination: { access: AccountAccess; folder: string }
}

export const live: LiveAccounts | null = process.env.WHERRY_LIVE_RT ? JSON.parse(process.env.WHERRY_LIVE_RT) : null

export const whySkipped =
  'WHERRY_LIVE_RT is not set: start two real Request Trackers with `node test/live/rt.ts` and set it to what that prints'

export const accountOf = (outbound: Outbound, role: keyof LiveAccounts): Account => {
  if (!live) throw new Error(whySkipped)
  const { access } = live[role]
  const checked = checkTool('rt', outbound, String(access.instanceUrl))
  return { access, outbound: checked, signal: AbortSignal.timeout(600_000) }
}
