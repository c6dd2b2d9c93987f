import type { Clock } from '../../test/twins/clock.ts'
import { startFreshdeskTwin } from '../../test/twins/freshdesk/twin.ts'
import { startHelpScoutTwin } from '../../test/twins/helpscout/twin.ts'
import { plans as hubspotPlans } from '../../test/twins/hubspot/limits.ts'
import { startHubspotTwin } from '../../test/twins/hubspot/twin.ts'
import { startIntercomTwin } from '../../test/twins/intercom/twin.ts'
import { plans as pipedrivePlans } from '../../test/twins/pipedrive/limits.ts'
import { startPipedriveTwin } from '../../test/twins/pipedrive/twin.ts'
import type { ToolTwin } from '../../test/twins/tool-twin.ts'
import { startZendeskTwin } from '../../test/twins/zendesk/twin.ts'
import type { AccountAccess } from '../src/connectors/contract/contract.ts'
import type { Family } from '../src/families/index.ts'

// Pipedrive's daily budget depends on the number of seats. With ten seats it is enough for 10,000 deals, so that only
// the burst limits.
const { burst, tokensPerDay } = pipedrivePlans.growth
const pipedrivePlan = { burst, tokensPerDay: 10 * tokensPerDay }

export type StartedTwin = ToolTwin & { access: Partial<AccountAccess> }

/** Starts twins without records, with the limits of a common plan, or without limits. */
export const twinStarters = {
  // This twin archives nothing and loses no answer.
  freshdesk: (clock, isLimited) => startFreshdeskTwin({ isAging: false, ...(isLimited && { plan: 'pro' }) }, clock),
  helpscout: (clock, isLimited) => startHelpScoutTwin(isLimited ? { perMinute: 400 } : {}, clock),
  hubspot: (clock, isLimited) => startHubspotTwin(isLimited ? { plan: hubspotPlans.professional } : {}, clock),
  intercom: (clock, isLimited) => startIntercomTwin(isLimited ? {} : { perTenSeconds: 1_000_000 }, clock),
  pipedrive: (clock, isLimited) => startPipedriveTwin(isLimited ? { plan: pipedrivePlan } : {}, clock),
  zendesk: (clock, isLimited) => startZendeskTwin(isLimited ? { plan: 'professional' } : {}, clock),
} satisfies Record<string, (clock: Clock, isLimited: boolean) => Promise<StartedTwin>>

export type HostedTool = keyof typeof twinStarters
export const hostedTools = Object.keys(twinStarters) as HostedTool[]

/** The family of the records that a tool is measured with. */
export const familyOf = (tool: HostedTool): Family => (tool === 'pipedrive' ? 'crm' : 'helpdesk')
