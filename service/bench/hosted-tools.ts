import type { Clock } from '../../test/twins/clock.ts'
import { startFreshdeskTwin } from '../../test/twins/freshdesk/twin.ts'
import { startHelpScoutTwin } from '../../test/twins/helpscout/twin.ts'
import { plans as hubspotPlans } from '../../test/twins/hubspot/limits.ts'
import { startHubspotTwin } from '../../test/twins/hubspot/twin.ts'
import { startIntercomTwin } from '../../test/twins/intercom/twin.ts'
import type { ToolTwin } from '../../test/twins/tool-twin.ts'
import { startZendeskTwin } from '../../test/twins/zendesk/twin.ts'
import type { AccountAccess } from '../src/connectors/contract/contract.ts'

export type StartedTwin = ToolTwin & { access: Partial<AccountAccess> }

/** Twins without records: with the limits of a usual plan, or without limits. */
export const twinStarters = {
  // Nothing is archived, searches show new records at once, and no answer is lost.
  freshdesk: (clock, isLimited) => startFreshdeskTwin({ isAging: false, ...(isLimited && { plan: 'pro' }) }, clock),
  helpscout: (clock, isLimited) => startHelpScoutTwin(isLimited ? { perMinute: 400 } : {}, clock),
  hubspot: (clock, isLimited) => startHubspotTwin(isLimited ? { plan: hubspotPlans.professional } : {}, clock),
  intercom: (clock, isLimited) => startIntercomTwin(isLimited ? {} : { perTenSeconds: 1_000_000 }, clock),
  zendesk: (clock, isLimited) => startZendeskTwin(isLimited ? { plan: 'professional' } : {}, clock),
} satisfies Record<string, (clock: Clock, isLimited: boolean) => Promise<StartedTwin>>

export type HostedTool = keyof typeof twinStarters
export const hostedTools = Object.keys(twinStarters) as HostedTool[]
