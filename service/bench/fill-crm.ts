import { link } from '../../test/twins/hubspot/links.ts'
import { makeThing } from '../../test/twins/hubspot/objects.ts'
import type { HubspotTwin } from '../../test/twins/hubspot/twin.ts'

/** Deals as many as wanted, each with a person of its own and with tasks. */
export interface FillCrm {
  deals: number
  tasksPerDeal: number
}

const text = '<p>The rake arrived <b>bent</b>, and the handle came loose on the second day.</p><p>Kind regards</p>'

export function fillCrm({ account }: HubspotTwin, { deals, tasksPerDeal }: FillCrm): void {
  const [pipeline] = account.pipelines.deals
  const [stage] = pipeline?.stages ?? []
  const place = { pipeline: String(pipeline?.id), dealstage: String(stage?.id) }
  const timestamp = '2026-03-01T09:30:00.000Z'
  for (let at = 0; at < deals; at += 1) {
    const person = { firstname: 'Ann', lastname: `Lee ${at}`, email: `ann${at}@example.com` }
    const contact = makeThing(account, 'contacts', { properties: person })
    const deal = makeThing(account, 'deals', { properties: { dealname: `Deal ${at}`, amount: '120', ...place } })
    link(account, 'deals', deal.id, 'contacts', contact.id)
    for (let index = 0; index < tasksPerDeal; index += 1) {
      const properties = { hs_task_subject: `Task ${index}`, hs_task_body: text, hs_timestamp: timestamp }
      const task = makeThing(account, 'tasks', { properties })
      link(account, 'tasks', task.id, 'deals', deal.id)
    }
  }
}
