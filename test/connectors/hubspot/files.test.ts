import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingFile, OutgoingRecord } from '../../../service/src/connectors/contract/contract.ts'
import { openHubspotWriter } from '../../../service/src/connectors/crm/hubspot/writer.ts'
import { createClock, minuteMs } from '../../twins/clock.ts'
import { linksOf } from '../../twins/hubspot/links.ts'
import { type HubspotTwin, startHubspotTwin } from '../../twins/hubspot/twin.ts'
import { createLoopbackOutbound } from '../desk-account.ts'

// The file of a contact: HubSpot shows it at a note of its own.

const outbound = createLoopbackOutbound()
afterAll(() => outbound.close())
let twin: HubspotTwin
beforeEach(async () => {
  twin = await startHubspotTwin({}, createClock({ startsAt: '2026-01-02T03:04:05.000Z', isRunning: false }))
})
afterEach(() => twin.close())

const open = () =>
  openHubspotWriter({ access: { username: null, ...twin.access }, outbound, signal: AbortSignal.timeout(600_000) })
const record = (key: string, fields: OutgoingRecord['fields']): OutgoingRecord => ({
  ...{ key, revision: 1, destinationId: null, createdBy: null, customFields: {}, createdAt: null, updatedAt: null },
  fields,
})
const bytesOf = (file: OutgoingRecord): OutgoingFile => ({
  ...file,
  ...{ size: 3, contentType: 'text/plain', body: Readable.from([Buffer.from('abc')]) },
})
async function writeContact() {
  const [owner] = await open().write('contacts', [record('imp/contact', { name: 'Nora Nord' })])
  if (owner?.result !== 'written') throw new Error('nobody was written')
  return { entity: 'contacts', destinationId: owner.destinationId, key: 'imp/contact', url: null }
}
/** Writes again after an error, as the engine does. */
const write = (file: OutgoingRecord) => {
  const once = async () => open().writeFile?.('attachments', bytesOf(file))
  return once().catch(once)
}

test('where notes can have no unique property, a file arrives once and is found again', async () => {
  const json = { category: 'VALIDATION_ERROR', message: 'no unique properties here' }
  let asked = 0
  twin.faults.when(({ method, url }) =>
    method === 'POST' && url.pathname === '/crm/v3/properties/notes' && ++asked === 1
      ? { kind: 'answered', status: 400, json }
      : null,
  )
  const parent = await writeContact()
  const file = record('imp/file', { file_name: 'a.txt', parent })
  twin.faults.next('POST', '/crm/v3/objects/notes/batch/update', { kind: 'answered', status: 502 })
  await expect(write(file)).rejects.toThrow('502')
  expect((await open().describe()).entities.attachments?.capabilities).toMatchObject({ settleMs: 60_000 })
  // The engine waits until the search shows the note of the first attempt.
  twin.clock.advance(minuteMs)
  const outcome = await write(file)
  expect(outcome).toMatchObject({ result: 'written' })
  expect(twin.account.things.notes.size()).toBe(1)
  twin.clock.advance(minuteMs)
  const sought = { key: file.key, destinationId: null, parent }
  expect(await open().find('attachments', [sought])).toMatchObject([{ key: file.key, fields: { file_name: 'a.txt' } }])
})

test('a file that was renamed in the source has its new name in HubSpot', async () => {
  const parent = await writeContact()
  const written = await write(record('imp/file', { file_name: 'plan.txt', parent }))
  if (written?.result !== 'written') throw new Error('no file was written')
  const renamed = { ...record('imp/file', { file_name: 'new plan.txt', parent }), destinationId: written.destinationId }
  expect(await write(renamed)).toMatchObject({ result: 'written', destinationId: written.destinationId })
  expect(twin.account.files.list()).toMatchObject([{ name: 'new plan', extension: 'txt' }])
})

test.each([
  ['the answer to the upload', '/files/v3/files'],
  ['the note', '/crm/v3/objects/notes/batch/upsert'],
  ['its link', '/crm/v4/associations/notes/contacts/batch/associate'],
  ['the list of its files', '/crm/v3/objects/notes/batch/update'],
])('a file whose sending ended before %s is found unfinished, and can be removed or finished', async (_name, path) => {
  const parent = await writeContact()
  const file = record('imp/file', { file_name: 'a.txt', parent })
  const seek = async () => (await open().find('attachments', [{ key: file.key, destinationId: null, parent }]))[0]
  const breakOff = async () => {
    twin.faults.next('POST', path, { kind: path.startsWith('/files') ? 'lost' : 'dropped' })
    await expect(open().writeFile?.('attachments', bytesOf(file))).rejects.toThrow()
    const half = await seek()
    expect(half).toMatchObject({ isUnfinished: true })
    return String(half?.destinationId)
  }
  await open().remove('attachments', [
    { key: file.key, destinationId: await breakOff(), version: null, parent: null, revision: 1 },
  ])
  expect([twin.account.files.size(), twin.account.things.notes.size()]).toEqual([0, 0])
  expect(await seek()).toBeUndefined()
  const again = { ...file, destinationId: await breakOff() }
  // The upload of an earlier attempt takes effect late, and replaces the file that was found.
  const [found] = twin.account.files.list()
  if (found) twin.account.files.put({ ...found, id: twin.account.nextId() })
  if (found) twin.account.files.remove(found.id)
  expect(await write(again)).toMatchObject({ result: 'written' })
  expect((await seek())?.isUnfinished).toBeUndefined()
  expect([twin.account.files.size(), twin.account.things.notes.size()]).toEqual([1, 1])
  const [holder] = twin.account.things.notes.list()
  const linked = linksOf(twin.account, 'notes', String(holder?.id), 'contacts')
  expect(linked.map(({ id }) => id)).toEqual([parent.destinationId])
})
