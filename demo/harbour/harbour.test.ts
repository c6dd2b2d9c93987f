import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { families, familyDefinitions } from '../../service/src/families/index.ts'
import { entitiesOf } from './entities.ts'
import type { Fault, SeenRequest } from './faults.ts'
import { type Harbour, startHarbour } from './harbour.ts'

const MIB = 1024 * 1024
let folder: string
let dataFile: string
let harbour: Harbour
let fault: (request: SeenRequest) => Fault = () => 'ok'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'harbour-'))
  dataFile = join(folder, 'harbour.db')
  harbour = await startHarbour({
    port: 0,
    dataFile,
    token: 'token',
    moreTokens: { 'other-token': 'other' },
    adminKey: 'admin',
    maxFileBytes: 3 * MIB,
    onRequest: (request) => fault(request),
  })
})
afterAll(async () => {
  await harbour.close()
  rmSync(folder, { recursive: true })
})

const call = (method: string, path: string, body?: unknown, token = 'token') =>
  fetch(`${harbour.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const put = async (entity: string, ...records: object[]) => {
  const response = await call('PUT', `/records/${entity}`, { records })
  expect(response.status).toBe(200)
  return ((await response.json()) as { results: Record<string, string>[] }).results
}
const find = async (entity: string, ids: string[], token?: string) =>
  ((await (await call('POST', `/records/${entity}/find`, { external_ids: ids }, token)).json()) as { records: never[] })
    .records
const sendFile = (id: string, bytes: Buffer, parent: string, headers = {}) =>
  fetch(
    `${harbour.baseUrl}/files?${new URLSearchParams({ external_id: id, parent_entity: 'tickets', parent, file_name: '../a “b”.txt' })}`,
    {
      method: 'PUT',
      headers: { authorization: 'Bearer token', 'content-type': 'text/plain', ...headers },
      body: new Uint8Array(bytes),
    },
  )
const effectsOf = async (externalId: string) => {
  const response = await fetch(`${harbour.url}/effects?external_id=${encodeURIComponent(externalId)}`, {
    headers: { authorization: 'Bearer admin' },
  })
  return ((await response.json()) as { data: { action: string }[] }).data.map(({ action }) => action)
}
const chunks = () => {
  const db = new DatabaseSync(dataFile, { readOnly: true })
  const { count } = db.prepare('SELECT count(*) AS count FROM chunks').get() as { count: number }
  db.close()
  return count
}

test('Harbour accepts every entity and field of every family', () => {
  for (const family of families) {
    const taken = entitiesOf([family])
    for (const { name, fields } of familyDefinitions[family].entities) {
      for (const [field, { type, many = false, required = false, to = [], options = [] }] of Object.entries(fields)) {
        // The protocol has no field for people's notes about a file.
        if (name === 'attachments' && field === 'description') continue
        expect(taken[name]?.[field], `${family} ${name}.${field}`).toMatchObject({ type, many, required, to, options })
      }
    }
  }
})

test('twenty requests with the same external id create one record, and the ledger shows it', async () => {
  const record = { external_id: 'many/1', fields: { subject: 'Once' } }
  const results = (await Promise.all(Array.from({ length: 20 }, () => put('tickets', record)))).flat()
  expect(new Set(results.map(({ id }) => id)).size).toBe(1)
  expect(results.filter(({ result }) => result === 'created')).toHaveLength(1)
  expect(await effectsOf('many/1')).toEqual(['create', ...Array.from({ length: 19 }, () => 'repeat')])
})

test('a ticket without a subject is refused, and the rest of the batch is written', async () => {
  const results = await put(
    'tickets',
    { external_id: 'batch/1', fields: { subject: 'First' } },
    { external_id: 'batch/2', fields: { subject: '  ' } },
    { external_id: 'batch/3', fields: { subject: 'Third', requester: 'nobody' } },
    { external_id: 'batch/4', fields: { subject: 'Fourth', parent_ticket: 'batch/1' } },
  )
  expect(results.map(({ result, code }) => code ?? result)).toEqual(['created', 'blank', 'unknown_relation', 'created'])
  expect(await find('tickets', ['batch/1', 'batch/2', 'batch/3', 'batch/4'])).toHaveLength(2)
})

test('accounts do not see each other', async () => {
  await put('tickets', { external_id: 'apart/1', fields: { subject: 'Mine' } })
  expect(await find('tickets', ['apart/1'], 'other-token')).toEqual([])
  expect((await call('GET', '/describe', undefined, 'wrong')).status).toBe(401)
})

test('an external id belongs to one entity', async () => {
  await put('tickets', { external_id: 'taken/1', fields: { subject: 'A ticket' } })
  const [result] = await put('groups', { external_id: 'taken/1', fields: { name: 'A group' } })
  expect(result).toMatchObject({ result: 'refused', code: 'external_id_taken' })
})

test('a request that violates the protocol is refused as a whole', async () => {
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  const raw = await fetch(`${harbour.baseUrl}/records/tickets`, { method: 'PUT', headers, body: '{"records":' })
  expect(raw.status).toBe(400)
  expect((await call('PUT', '/records/tickets', { records: [{ external_id: 'not allowed!' }] })).status).toBe(422)
  expect((await call('PUT', '/records/tickets', { records: Array(101).fill({ external_id: 'a' }) })).status).toBe(422)
  expect((await call('PUT', '/records/constructor', { records: [] })).status).toBe(404)
})

test('a file is stored byte for byte, replaced by a second upload, and deleted with its record', async () => {
  await put('tickets', { external_id: 'file/ticket', fields: { subject: 'With a file' } })
  const before = chunks()
  for (const bytes of [Buffer.alloc(2.5 * MIB, 7), Buffer.alloc(0), Buffer.from('{"a": 1}')]) {
    const response = await sendFile('file/1', bytes, 'file/ticket', { 'content-type': 'application/json' })
    const answer = (await response.json()) as { url: string; size: number; sha256: string }
    expect(answer).toMatchObject({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    const download = await fetch(answer.url)
    expect(download.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
  }
  expect(chunks()).toBe(before + 1)
  await call('POST', '/records/attachments/delete', { records: [{ external_id: 'file/1' }] })
  expect(chunks()).toBe(before)
})

test('a file that is too large or has no parent leaves no data behind', async () => {
  await put('tickets', { external_id: 'large/ticket', fields: { subject: 'With a file' } })
  const before = chunks()
  const large = Buffer.alloc(3 * MIB + 1)
  expect((await sendFile('large/1', large, 'large/ticket')).status).toBe(413)
  const query = new URLSearchParams({
    external_id: 'large/2',
    parent_entity: 'tickets',
    parent: 'large/ticket',
    file_name: 'a',
  })
  const chunked = await fetch(`${harbour.baseUrl}/files?${query}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer token', 'content-type': 'text/plain' },
    body: new Blob([large]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(await chunked.json()).toMatchObject({ result: 'refused', code: 'too_large' })
  expect(await (await sendFile('large/3', Buffer.from('a'), 'nobody')).json()).toMatchObject({
    code: 'unknown_relation',
  })
  expect(chunks()).toBe(before)
  expect(await find('attachments', ['large/1', 'large/2', 'large/3'])).toEqual([])
})

test('a connection that breaks in the middle of a file leaves no data behind', async () => {
  await put('tickets', { external_id: 'broken/ticket', fields: { subject: 'With a file' } })
  const before = chunks()
  const query = 'external_id=broken/1&parent_entity=tickets&parent=broken/ticket&file_name=a'
  const sending = httpRequest(`${harbour.baseUrl}/files?${query}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer token', 'content-length': String(2 * MIB) },
  })
  const closed = new Promise((resolve) => sending.on('error', resolve).on('close', resolve))
  sending.write(Buffer.alloc(1.5 * MIB))
  await vi.waitFor(() => expect(chunks()).toBe(before + 1), { timeout: 300_000 })
  sending.destroy()
  await closed
  await vi.waitFor(() => expect(chunks()).toBe(before), { timeout: 300_000 })
  expect(await find('attachments', ['broken/1'])).toEqual([])
})

test('an edit by hand creates a new version, and a conditional delete then keeps the record', async () => {
  const [created] = await put('tickets', { external_id: 'edit/1', fields: { subject: 'Before' } })
  const edit = (site: string) =>
    fetch(created?.url ?? '', {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': site },
      body: new URLSearchParams({ value: 'After' }),
    })
  expect((await edit('cross-site')).status).toBe(403)
  expect((await edit('same-origin')).status).toBe(303)
  expect(await find('tickets', ['edit/1'])).toMatchObject([{ fields: { subject: 'After' } }])
  const response = await call('POST', '/records/tickets/delete', {
    records: [{ external_id: 'edit/1', version: created?.version }],
  })
  expect(await response.json()).toEqual({ results: [{ external_id: 'edit/1', result: 'changed' }] })
  expect(await effectsOf('edit/1')).toEqual(['create', 'edit'])
})

test('faults happen before or after the commit, as the test asks', async () => {
  const attempt = async (id: string, next: Fault) => {
    fault = ({ path }) => (path === '/records/tickets' ? next : 'ok')
    const response = await call('PUT', '/records/tickets', { records: [{ external_id: id, fields: { subject: 'A' } }] })
      .then(({ status, headers }) => `${status} ${headers.get('retry-after')}`)
      .catch(() => 'broken')
    fault = () => 'ok'
    return [response, (await effectsOf(id)).length]
  }
  expect(await attempt('fault/1', 'drop')).toEqual(['broken', 0])
  expect(await attempt('fault/2', 'commit_then_drop')).toEqual(['broken', 1])
  expect(await attempt('fault/3', 'commit_then_500')).toEqual(['500 null', 1])
  expect(await attempt('fault/4', { status: 429, headers: { 'retry-after': '7' } })).toEqual(['429 7', 0])
})

test('the ledger is for the admin only', async () => {
  expect((await fetch(`${harbour.url}/effects`)).status).toBe(401)
})
