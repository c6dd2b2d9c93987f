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

export type StartedTwin = ToolTwin & { access: Partial<AccountAccess> }

/** Twins without records: with the limits of a usual plan, or without limits. */
export const twinStarters = {
  // Nothing is archived here, and searches show everything at once: no answer is lost that one would have to look for.
  freshdesk: (clock, isLimited) => startFreshdeskTwin({ isAging: false, ...(isLimited && { plan: 'pro' }) }, clock),
  helpscout: (clock, isLimited) => startHelpScoutTwin(isLimited ? { perMinute: 400 } : {}, clock),
  hubspot: (clock, isLimited) => startHubspotTwin(isLimited ? { plan: hubspotPlans.professional } : {}, clock),
  intercom: (clock, isLimited) => startIntercomTwin(isLimited ? {} : { perTenSeconds: 1_000_000 }, clock),
  // The daily budget of a large company: a smaller one would make the run wait for days.
  pipedrive: (clock, isLimited) =>
    startPipedriveTwin(
      isLimited ? { plan: { burst: pipedrivePlans.growth.burst, tokensPerDay: 10_000_000 } } : {},
      clock,
    ),
  zendesk: (clock, isLimited) => startZendeskTwin(isLimited ? { plan: 'professional' } : {}, clock),
} satisfies Record<string, (clock: Clock, isLimited: boolean) => Promise<StartedTwin>>

/** Tools that take deals, people and tasks instead of tickets and comments. */
export const familyOf = (tool: HostedTool): Family => (tool === 'pipedrive' ? 'crm' : 'helpdesk')

export type HostedTool = keyof typeof twinStarters
export const hostedTools = Object.keys(twinStarters) as HostedTool[]
