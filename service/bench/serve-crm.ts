import { minuteMs } from '../../test/twins/clock.ts'
import { link } from '../../test/twins/hubspot/links.ts'
import { makeThing } from '../../test/twins/hubspot/objects.ts'
import { startHubspotTwin } from '../../test/twins/hubspot/twin.ts'
import { answerParent } from './run-child.ts'

/** Serves a CRM with any number of deals: the twin of HubSpot without limits. */
export interface ServeCrm {
  deals: number
  /** Notes and activities of each deal, alternating. */
  textsPerDeal: number
}

const text = '<p>Asked for <b>ten rakes</b>, and for the price of twenty.</p><p>Wants an answer this week.</p>'
const moment = '2026-03-01T09:30:00.000Z'

answerParent(async ({ deals, textsPerDeal }: ServeCrm, cleanup) => {
  const { account, clock, url, access, owners, close } = await startHubspotTwin()
  cleanup.defer(() => close())
  const company = makeThing(account, 'companies', { properties: { name: 'Greenfield' } })
  const contact = makeThing(account, 'contacts', { properties: { firstname: 'Ann', email: 'ann@example.com' } })
  link(account, 'contacts', contact.id, 'companies', company.id)
  const hubspot_owner_id = owners.una.id
  for (let at = 1; at <= deals; at += 1) {
    const properties = {
      dealname: `Rakes, order ${at}`,
      amount: String(at),
      dealstage: 'qualifiedtobuy',
      hubspot_owner_id,
    }
    const deal = makeThing(account, 'deals', { properties })
    link(account, 'deals', deal.id, 'companies', company.id)
    link(account, 'deals', deal.id, 'contacts', contact.id)
    for (let word = 0; word < textsPerDeal; word += 1) {
      const kind = word % 2 === 0 ? 'notes' : 'calls'
      const said = kind === 'notes' ? { hs_note_body: text } : { hs_call_title: `Call ${word}`, hs_call_body: text }
      const made = makeThing(account, kind, { properties: { hs_timestamp: moment, hubspot_owner_id, ...said } })
      link(account, kind, made.id, 'deals', deal.id)
    }
  }
  // After a minute, the twin's search finds all records.
  clock.advance(minuteMs)
  return { username: null, ...access, instanceUrl: url }
})
