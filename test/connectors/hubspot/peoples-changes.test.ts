import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import type { Family } from '../../../service/src/families/index.ts'
import { createClock } from '../../twins/clock.ts'
import type { Kind } from '../../twins/hubspot/catalog.ts'
import { link, linksOf } from '../../twins/hubspot/links.ts'
import { makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// Acts of people in HubSpot between two runs.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const accountOf = () => ({ access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) })
const writer = (family: Family = 'crm') => openHubspotWriter(accountOf(), family)
let made = 0
const record = (fields: OutgoingRecord['fields']): OutgoingRecord => ({
  ...{ key: `imp/${++made}`, revision: made, destinationId: null, createdBy: null, customFields: {} },
  ...{ createdAt: null, updatedAt: null, fields },
})
const idOf = (outcome: WriteOutcome | undefined) => (outcome as { destinationId: string }).destinationId
const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })

test('two merged records count as deleted, though HubSpot answers the new one under their ids', async () => {
  const [old, other] = ['Ada', 'Bo'].map((lastname) =>
    makeThing(twin.account, 'contacts', { properties: { lastname } }),
  )
  if (!old || !other) throw new Error('nobody was made')
  const json = { id: '999', properties: { lastname: 'Ada' }, archived: false }
  twin.faults.next('GET', `/crm/v3/objects/contacts/${old.id}`, { kind: 'answered', status: 200, json })
  expect(await openHubspot(accountOf(), 'crm').findGone?.('contacts', [old.id, other.id])).toEqual([old.id])
})

test('a company that people linked to a deal stays linked when the deal changes in the source', async () => {
  const [first, second] = await writer().write('accounts', [record({ name: 'One' }), record({ name: 'Other' })])
  const byHand = makeThing(twin.account, 'companies', { properties: { name: 'By hand' } })
  const deal = record({ name: 'Boat', account: to('accounts', idOf(first)) })
  const [written] = await writer().write('deals', [deal])
  const id = idOf(written)
  link(twin.account, 'deals', id, 'companies', byHand.id)
  const later = { ...deal, destinationId: id, fields: { name: 'Ship', account: to('accounts', idOf(second)) } }
  await writer().write('deals', [later])
  const linked = linksOf(twin.account, 'deals', id, 'companies').map((one) => one.id)
  expect(linked.toSorted()).toEqual([idOf(second), byHand.id].toSorted())
})

test('a contact that people added to a ticket stays when the ticket changes in the source', async () => {
  const [nora] = await writer('helpdesk').write('contacts', [record({ name: 'Nora' })])
  const byHand = makeThing(twin.account, 'contacts', { properties: { lastname: 'By hand' } })
  const ticket = record({ subject: 'Bent', requester: to('contacts', idOf(nora)) })
  const [written] = await writer('helpdesk').write('tickets', [ticket])
  const id = idOf(written)
  link(twin.account, 'tickets', id, 'contacts', byHand.id)
  await writer('helpdesk').write('tickets', [
    { ...ticket, destinationId: id, fields: { ...ticket.fields, subject: 'Broken' } },
  ])
  expect(linksOf(twin.account, 'tickets', id, 'contacts').map((one) => one.id)).toContain(byHand.id)
})

const linkedByHand = (kind: Kind, at: Kind, id: string): string => {
  const { id: own } = makeThing(twin.account, kind, { properties: minimal[kind] ?? {} })
  link(twin.account, kind, own, at, id)
  return own
}
const minimal: Partial<Record<Kind, object>> = {
  notes: { hs_timestamp: '2026-01-02T03:04:05.000Z', hs_note_body: 'By hand' },
  tasks: { hs_timestamp: '2026-01-02T03:04:05.000Z', hs_task_subject: 'By hand' },
  communications: { hs_timestamp: '2026-01-02T03:04:05.000Z', hs_communication_channel_type: 'SMS' },
  postal_mail: { hs_timestamp: '2026-01-02T03:04:05.000Z' },
  contacts: { lastname: 'By hand' },
  deals: { dealname: 'By hand', dealstage: 'appointmentscheduled' },
  tickets: { subject: 'By hand', hs_pipeline_stage: '1' },
}
const removal = (key: string, destinationId: string) => ({ key, destinationId, parent: null, version: null })

test.each([
  ['contacts', 'contacts', { name: 'Ada' }, ['notes', 'tasks', 'contacts', 'deals', 'tickets', 'communications']],
  ['accounts', 'companies', { name: 'One' }, ['notes', 'notes', 'contacts']],
  ['deals', 'deals', { name: 'Boat' }, ['notes', 'deals', 'tickets', 'postal_mail']],
] as const)(
  '%s with records of people stay at an undo, and the reason counts them',
  async (entity, kind, fields, by) => {
    const [used, free] = [record({ ...fields }), record({ ...fields })]
    const [usedId = '', freeId = ''] = (await writer().write(entity, [used, free])).map(idOf)
    const theirs = by.map((one) => [one, linkedByHand(one, kind, usedId)] as const)
    // Those of the import go by themselves.
    const related = to(entity, freeId)
    await writer().write('notes', [record({ related, body: 'Ours' })])
    expect(await writer().remove(entity, [removal(used.key, usedId), removal(free.key, freeId)])).toMatchObject([
      { result: 'kept', message: `Records of their own that people linked to it: ${by.length}.` },
      { result: 'removed' },
    ])
    for (const [one, id] of theirs) {
      expect(linksOf(twin.account, one, id, kind).map((target) => target.id)).toEqual([usedId])
    }
  },
)

test.each(['notes', 'deals', 'tickets'] as const)(
  'a ticket to which people linked %s stays at an undo',
  async (kind) => {
    const ticket = record({ subject: 'Bent' })
    const id = idOf((await writer('helpdesk').write('tickets', [ticket]))[0])
    linkedByHand(kind, 'tickets', id)
    expect(await writer('helpdesk').remove('tickets', [removal(ticket.key, id)])).toMatchObject([{ result: 'kept' }])
  },
)
