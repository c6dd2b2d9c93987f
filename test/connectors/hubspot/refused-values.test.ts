import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock } from '../../twins/clock.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// Refusals of single values, in the forms that HubSpot documents.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const writer = () => {
  const account = { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) }
  return openHubspotWriter(account, 'crm')
}
const write = (...records: OutgoingRecord[]) => writer().write('contacts', records)
let made = 0
const contact = (name: string, email: string, more: Partial<OutgoingRecord> = {}): OutgoingRecord => ({
  ...{ key: `imp/${++made}`, revision: made, destinationId: null, createdBy: null, customFields: {} },
  ...{ createdAt: null, updatedAt: null, fields: { name, emails: [email] } },
  ...more,
})
const storedAs = (name: string) =>
  twin.account.things.contacts.list().find(({ properties }) => properties.lastname === name)?.properties

test('a contact whose address HubSpot refuses arrives without the address, and its neighbour is unaffected', async () => {
  const outcomes = await write(contact('Nord', 'nord@@example'), contact('Sued', 'sued@example.com'))
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['address_refused'] }, { result: 'written' }])
  expect([storedAs('Nord')?.email ?? null, storedAs('Sued')?.email]).toEqual([null, 'sued@example.com'])
})

test('spaces around an address or a phone number, which HubSpot refuses, are not sent', async () => {
  const spaced = contact('Nord', ' nord@example.com ', {
    customFields: { mobile: { label: 'Mobile', type: 'phone', value: ' 1 ' } },
  })
  const blank = contact('Sued', 'sued@example.com')
  const outcomes = await write(
    { ...spaced, fields: { ...spaced.fields, phones: ['\u00a0+44 1632 960001 '] } },
    { ...blank, fields: { ...blank.fields, phones: ['   '] } },
  )
  expect(outcomes).toMatchObject([{ result: 'written' }, { result: 'written' }])
  expect(outcomes.some((one) => 'losses' in one)).toBe(false)
  expect(storedAs('Nord')).toMatchObject({ email: 'nord@example.com', phone: '+44 1632 960001' })
  expect(storedAs('Sued')?.phone ?? null).toBe(null)
})

test('a record that HubSpot could not archive in a batch is not taken for removed', async () => {
  const [outcome] = await write(contact('Nord', 'nord@example.com'))
  if (outcome?.result !== 'written') throw new Error('nobody was written')
  const record = { key: outcome.key, destinationId: outcome.destinationId, parent: null, version: null }
  const errors = [{ status: 'error', category: 'SERVER_ERROR', message: 'Please try again', context: {} }]
  const json = { status: 'COMPLETE', results: [], numErrors: 1, errors }
  twin.faults.next('POST', '/crm/v3/objects/contacts/batch/archive', { kind: 'answered', status: 207, json })
  await expect(writer().remove('contacts', [record])).rejects.toMatchObject({ name: 'RetryableError' })
  expect(storedAs('Nord')).toBeDefined()
  expect(await writer().remove('contacts', [record])).toMatchObject([{ result: 'removed' }])
  expect(storedAs('Nord')).toBeUndefined()
})

test.each(['RATE_LIMITS', 'RATE_LIMIT'])(
  'a record that %s kept HubSpot from archiving is not blamed',
  async (category) => {
    const [outcome] = await write(contact('Nord', 'nord@example.com'))
    if (outcome?.result !== 'written') throw new Error('nobody was written')
    const record = { key: outcome.key, destinationId: outcome.destinationId, parent: null, version: null }
    const errors = [{ status: 'error', category, message: 'You have reached your secondly limit.', context: {} }]
    const json = { status: 'COMPLETE', results: [], numErrors: 1, errors }
    twin.faults.next('POST', '/crm/v3/objects/contacts/batch/archive', { kind: 'answered', status: 207, json })
    await expect(writer().remove('contacts', [record])).rejects.toMatchObject({ isForAll: true, retryAfterMs: 10_000 })
  },
)

test('an owner whom HubSpot refuses is left out', async () => {
  const owned = contact('West', 'west@example.com')
  const outcomes = await write({ ...owned, fields: { ...owned.fields, owner: '999999' } })
  expect(outcomes).toMatchObject([{ result: 'written', losses: ['assignee_refused'] }])
})

test('an owner in a custom field whom HubSpot refuses is compared as if the contact had it', async () => {
  const account = { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) }
  const desk = openHubspotWriter(account, 'helpdesk')
  const hubspot_owner_id = { label: 'Contact owner', type: 'user' as const, value: '999999' }
  const owned = contact('West', 'west@example.com', { customFields: { hubspot_owner_id } })
  const [outcome] = await desk.write('contacts', [owned])
  expect(outcome).toMatchObject({ result: 'written', losses: ['assignee_refused'] })
  if (outcome?.result !== 'written') throw new Error('nobody was written')
  const [found] = await desk.find('contacts', [{ key: owned.key, destinationId: outcome.destinationId, parent: null }])
  expect(found?.customFields).toEqual((await desk.asStored('contacts', owned)).customFields)
})

test('a later address that belongs to somebody else does not turn the contact into that person', async () => {
  const nord = contact('Nord', 'nord@example.com')
  const [first, other] = await write(nord, contact('Sued', 'sued@example.com'))
  if (first?.result !== 'written' || other?.result !== 'written') throw new Error('nobody was written')
  const later = { ...nord, destinationId: first.destinationId, fields: { name: 'Nord', emails: ['sued@example.com'] } }
  expect(await write(later)).toMatchObject([
    { result: 'written', destinationId: first.destinationId, losses: ['address_refused'] },
  ])
  expect(storedAs('Nord')?.email).toBe('nord@example.com')
  // A new contact with somebody's address is that person.
  expect(await write(contact('East', 'sued@example.com'))).toMatchObject([
    { result: 'matched', destinationId: other.destinationId },
  ])
})

/** Writes a contact with a file. HubSpot shows the file at a note of its own. */
async function writeFile() {
  const account = { access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) }
  const writer = openHubspotWriter(account, 'crm')
  const [owner] = await writer.write('contacts', [contact('Nord', 'nord@example.com')])
  if (owner?.result !== 'written' || !writer.writeFile) throw new Error('nobody was written')
  const parent = { entity: 'contacts', destinationId: owner.destinationId, key: 'imp/0', url: null }
  const file = contact('', '', { fields: { file_name: 'a.txt', parent } })
  const bytes = { size: 3, contentType: 'text/plain', body: Readable.from([Buffer.from('abc')]) }
  const written = await writer.writeFile('attachments', { ...file, ...bytes })
  // With a version, the engine asks for the removal without looking for the file first.
  expect(written).toMatchObject({ result: 'written', version: expect.any(String) })
  if (written.result !== 'written') throw new Error('no file was written')
  const { key, destinationId, version } = written
  return { writer, record: { key, destinationId, version, parent: null, revision: 1 } }
}

test('a file whose removal broke off behind its note is removed by the next attempt of an undo', async () => {
  const { writer, record } = await writeFile()
  twin.faults.next('DELETE', '/files/v3/files', { kind: 'answered', status: 502 })
  await expect(writer.remove('attachments', [record])).rejects.toThrow()
  expect(twin.account.files.size()).toBe(1)
  expect(await writer.remove('attachments', [record])).toMatchObject([{ result: 'removed' }])
  expect(twin.account.files.size()).toBe(0)
})

test('an undo removes the folder of a file, unless people put something into it', async () => {
  const { writer, record } = await writeFile()
  const { files, folders } = twin.account
  const paths = () => folders.list().map(({ path }) => path)
  const [file] = files.list()
  const own = folders.list(({ path }) => path === file?.folder)[0]
  if (!file || !own) throw new Error('no file was written')
  expect(paths()).toEqual(['/wherry', own.path])
  // A first attempt breaks off before the folder.
  twin.faults.next('DELETE', '/files/v3/folders', { kind: 'dropped' })
  await expect(writer.remove('attachments', [record])).rejects.toThrow()
  const foreign = files.put({ ...file, id: '900', name: 'theirs' })
  expect(await writer.remove('attachments', [record])).toMatchObject([{ result: 'missing' }])
  files.remove(foreign.id)
  folders.put({ id: '901', path: `${own.path}/theirs` })
  await writer.remove('attachments', [record])
  expect(paths()).toEqual(['/wherry', own.path, `${own.path}/theirs`])
  folders.remove('901')
  await writer.remove('attachments', [record])
  expect(paths()).toEqual(['/wherry'])
})

test('a file whose note HubSpot does not delete is kept by an undo', async () => {
  const { writer, record } = await writeFile()
  const json = { status: 'error', category: 'VALIDATION_ERROR', message: 'This note is locked.' }
  twin.faults.next('POST', '/crm/v3/objects/notes/batch/archive', { kind: 'answered', status: 400, json })
  const message = expect.stringContaining('This note is locked.')
  expect(await writer.remove('attachments', [record])).toEqual([{ key: record.key, result: 'kept', message }])
  expect([twin.account.files.size(), twin.account.things.notes.size()]).toEqual([1, 1])
})
