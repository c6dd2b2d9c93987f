import { minuteMs } from '../../test/twins/clock.ts'
import { startHubspotTwin } from '../../test/twins/hubspot/twin.ts'
import { type FillCrm, fillCrm } from './fill-crm.ts'
import { answerParent } from './run-child.ts'

/** A CRM as large as wanted, without limits, for tools that take deals instead of tickets. */
answerParent(async (fill: FillCrm, cleanup) => {
  const twin = await startHubspotTwin()
  cleanup.defer(() => twin.close())
  fillCrm(twin, fill)
  // The search has caught up with the stored records.
  twin.clock.advance(minuteMs)
  return { username: null, ...twin.access, instanceUrl: twin.url }
})
