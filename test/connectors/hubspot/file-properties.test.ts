import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { openHubspot } from '../../../service/src/connectors/crm/hubspot/reader.ts'
import type { Family } from '../../../service/src/families/index.ts'
import { createClock, hourMs } from '../../twins/clock.ts'
import { archiveThing, makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'
import { readAll } from '../reader-contract.ts'

// Properties that hold files: their values are ids of files.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const reader = (family: Family) =>
  openHubspot({ access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) }, family)
type Kind = 'companies' | 'contacts' | 'deals' | 'tickets'
function addProperty(kind: Kind, name: string, label: string): void {
  const [known] = twin.account.properties[kind].filter(({ type }) => type === 'string')
  if (known) twin.account.properties[kind].push({ ...known, name, label, fieldType: 'file', hubspotDefined: false })
}
const file = (name: string) =>
  twin.account.files.put({
    ...{ id: twin.account.nextId(), name, extension: 'txt', folder: '/forms', access: 'PRIVATE' },
    ...{ contentType: 'text/plain', bytes: Buffer.from(`bytes of ${name}`), createdAt: twin.account.now() },
  }).id

test.each([
  ['companies', 'accounts', { name: 'Acme' }],
  ['contacts', 'contacts', { lastname: 'Ada' }],
] as const)('files in properties of %s are files of these records', async (kind, entity, properties) => {
  addProperty(kind, 'contract', 'Contract')
  addProperty(kind, 'photo', 'Photo')
  const [plan, map] = [file('plan'), file('map')]
  const made = makeThing(twin.account, kind, { properties: { ...properties, contract: `${plan};${map}`, photo: map } })
  const typed = makeThing(twin.account, kind, { properties: { ...properties, contract: 'https://x.test/a.pdf' } })
  twin.clock.advance(hourMs)
  const files = await readAll((cursor) => reader('crm').read('attachments', cursor, {}))
  const parent = { entity, sourceId: made.id }
  // A file that two properties name belongs to the first of them.
  expect(files.map(({ sourceId, fields }) => [sourceId, fields])).toEqual([
    [`${kind}-${made.id}-${plan}`, expect.objectContaining({ parent, file_name: 'plan.txt', description: 'Contract' })],
    [`${kind}-${made.id}-${map}`, expect.objectContaining({ parent, file_name: 'map.txt', description: 'Contract' })],
  ])
  const [first] = files
  const opened = first && (await reader('crm').openFile?.(first))
  expect(opened && (await text(opened.body))).toBe('bytes of plan')
  // The field has no ids of files. An address that a form left there stays.
  const records = await readAll((cursor) => reader('crm').read(entity, cursor, {}))
  const fieldsOf = (id: string) => records.find(({ sourceId }) => sourceId === id)?.customFields
  expect(fieldsOf(made.id)).toEqual({})
  expect(fieldsOf(typed.id)).toMatchObject({ contract: { value: 'https://x.test/a.pdf' } })
  const ids = files.map(({ sourceId }) => sourceId)
  for (const wanted of [{ ids }, { parents: [parent] }]) {
    const some = await readAll(async (cursor) => {
      const page = await reader('crm').readSome?.('attachments', wanted, cursor)
      return page ?? { items: [], next: null }
    })
    expect(some.map(({ sourceId }) => sourceId)).toEqual(ids)
  }
})

test('a later run reads the files of changed records', async () => {
  addProperty('deals', 'contract', 'Contract')
  const dealstage = twin.account.pipelines.deals[0]?.stages[0]?.id ?? ''
  makeThing(twin.account, 'deals', { properties: { dealname: 'Old', dealstage, contract: file('old') } })
  twin.clock.advance(hourMs)
  const since = twin.account.now()
  makeThing(twin.account, 'deals', { properties: { dealname: 'New', dealstage, contract: file('new') } })
  twin.clock.advance(hourMs)
  const files = await readAll((cursor) => reader('crm').read('attachments', cursor, { since }))
  expect(files.map(({ fields }) => fields.file_name)).toEqual(['new.txt'])
})

test('in a help desk, files of tickets are private files, and files of people are reported', async () => {
  for (const kind of ['tickets', 'contacts'] as const) addProperty(kind, 'contract', 'Contract')
  const hs_pipeline_stage = twin.account.pipelines.tickets[0]?.stages[0]?.id ?? ''
  const ids = `${file('one')};${file('two')}`
  const ticket = makeThing(twin.account, 'tickets', {
    properties: { subject: 'Bent', hs_pipeline_stage, contract: ids },
  })
  const ada = makeThing(twin.account, 'contacts', { properties: { lastname: 'Ada', contract: ids } })
  twin.clock.advance(hourMs)
  const files = await readAll((cursor) => reader('helpdesk').read('attachments', cursor, {}))
  const parent = { entity: 'tickets', sourceId: ticket.id }
  expect(files.map(({ fields }) => [fields.parent, fields.is_private])).toEqual([
    [parent, true],
    [parent, true],
  ])
  const { items, warnings } = await reader('helpdesk').read('contacts', null, {})
  expect(items[0]?.customFields).toEqual({})
  expect(warnings).toMatchObject([{ code: 'files_left_out', sourceId: ada.id }])
})

test('a file that its record names no more counts as deleted, although HubSpot keeps it', async () => {
  addProperty('deals', 'contract', 'Contract')
  const [plan, map] = [file('plan'), file('map')]
  const deal = makeThing(twin.account, 'deals', {
    properties: { dealname: 'Boat', dealstage: 'contractsent', contract: `${plan};${map}` },
  })
  const note = makeThing(twin.account, 'notes', {
    properties: { hs_timestamp: twin.account.now(), hs_attachment_ids: `${plan};${map}` },
  })
  const idsOf = (fileId: string) => [`deals-${deal.id}-${fileId}`, `notes-${note.id}-${fileId}`]
  const ids = [...idsOf(plan), ...idsOf(map)]
  expect(await reader('crm').findGone?.('attachments', ids)).toEqual([])
  twin.account.things.deals.change(deal.id, { properties: { ...deal.properties, contract: map } })
  twin.account.things.notes.change(note.id, { properties: { ...note.properties, hs_attachment_ids: map } })
  twin.clock.advance(hourMs)
  expect(await reader('crm').findIds?.('attachments', ids)).toEqual(expect.not.arrayContaining(idsOf(plan)))
  expect(await reader('crm').findGone?.('attachments', ids)).toEqual(idsOf(plan))
  archiveThing(twin.account, 'notes', note.id)
  expect(await reader('crm').findGone?.('attachments', ids)).toEqual([...idsOf(plan), `notes-${note.id}-${map}`])
})
