import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord, WriteOutcome } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import type { Family } from '../../../service/src/families/index.ts'
import { createClock } from '../../twins/clock.ts'
import { link, linksOf } from '../../twins/hubspot/links.ts'
import { archiveThing, makeThing } from '../../twins/hubspot/objects.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// Links that HubSpot makes by itself, chooses by itself, or refuses.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  const clock = createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false })
  twin = await startHubspotTwin({ makesCompanies: true }, clock)
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
const isAsSent = async (family: Family, contact: OutgoingRecord, destinationId: string) => {
  const [found] = await writer(family).find('contacts', [{ key: contact.key, destinationId, parent: null }])
  const { fields } = await writer(family).asStored('contacts', contact)
  return isDeepStrictEqual(found?.fields, fields)
}

test.each([
  ['crm', {}],
  ['helpdesk', {}],
  ['crm', { websites: ['https://www.acme.test/about'] }],
] as const)('in the family %s, a company that HubSpot links by itself changes no contact', async (family, more) => {
  const address = 'websites' in more ? 'ada@gmail.com' : 'ada@mail.acme.test'
  const contact = record({ name: 'Ada', emails: [address], ...more })
  const id = idOf((await writer(family).write('contacts', [contact]))[0])
  const company = makeThing(twin.account, 'companies', { properties: { name: 'Acme', domain: 'acme.test' } })
  link(twin.account, 'contacts', id, 'companies', company.id)
  expect(await isAsSent(family, contact, id)).toBe(true)
  // People linked this one.
  const other = makeThing(twin.account, 'companies', { properties: { name: 'Other', domain: 'other.test' } })
  link(twin.account, 'contacts', id, 'companies', other.id)
  expect(await isAsSent(family, contact, id)).toBe(false)
})

test('the first company of a contact is its primary one, though HubSpot linked another before', async () => {
  const [one, two] = (
    await writer().write(
      'accounts',
      ['One', 'Two'].map((name) => record({ name })),
    )
  ).map(idOf)
  const accounts = [two, one].map((id) => to('accounts', String(id)))
  const contact = record({ name: 'Ada', emails: ['ada@acme.test'], accounts })
  const id = idOf((await writer().write('contacts', [contact]))[0])
  const primary = () => linksOf(twin.account, 'contacts', id, 'companies').filter(({ ids }) => ids.has(1))
  expect(primary().map((company) => company.id)).toEqual([two])
  // People choose another one. It stays until the source has another one, too.
  link(twin.account, 'contacts', id, 'companies', String(one), 1)
  await writer().write('contacts', [{ ...contact, destinationId: id, fields: { ...contact.fields, name: 'Bo' } }])
  expect(primary().map((company) => company.id)).toEqual([one])
})

test('a file whose record is gone is refused, and leaves neither a note nor a file', async () => {
  const company = idOf((await writer().write('accounts', [record({ name: 'One' })]))[0])
  archiveThing(twin.account, 'companies', company)
  const file = record({ file_name: 'a.txt', parent: to('accounts', company) })
  const bytes = { size: 3, contentType: 'text/plain', body: Readable.from([Buffer.from('abc')]) }
  expect(await writer().writeFile?.('attachments', { ...file, ...bytes })).toMatchObject({
    ...{ result: 'refused', code: 'parent_missing' },
  })
  expect([twin.account.files.size(), twin.account.things.notes.size()]).toEqual([0, 0])
})
