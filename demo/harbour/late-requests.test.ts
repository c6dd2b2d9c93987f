import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Fault, SeenRequest } from './faults.ts'
import { type Harbour, startHarbour } from './harbour.ts'

let harbour: Harbour
let onRequest: (request: SeenRequest) => Fault | Promise<Fault> = () => 'ok'

beforeAll(async () => {
  harbour = await startHarbour({
    port: 0,
    dataFile: ':memory:',
    token: 'token',
    onRequest: (request) => onRequest(request),
  })
  await send('PUT', '/records/tickets', ticket('parent', 1))
})
afterEach(() => {
  onRequest = () => 'ok'
})
afterAll(() => harbour.close())

const ticket = (external_id: string, revision: number | undefined, fields: object = {}) => ({
  records: [{ external_id, ...(revision && { revision }), fields: { subject: 'Rake arrived bent', ...fields } }],
})
const deletion = (external_id: string, revision?: number, version?: string) => ({
  records: [{ external_id, ...(revision && { revision }), ...(version && { version }) }],
})
const send = async (method: 'PUT' | 'POST', path: string, body: object, signal?: AbortSignal) => {
  const answer = await fetch(`${harbour.baseUrl}${path}`, {
    method,
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { results: Record<string, unknown>[] }).results[0]
}
const find = async (id: string, entity = 'tickets') => {
  const answer = await fetch(`${harbour.baseUrl}/records/${entity}/find`, {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ external_ids: [id] }),
  })
  return ((await answer.json()) as { records: { fields: object; version: string }[] }).records
}

/** Holds the next request until the test releases it. By then its sender has given up. */
async function holdNext(body: object): Promise<{ execute(): Promise<void> }> {
  const release = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  onRequest = async (): Promise<Fault> => {
    onRequest = () => 'ok'
    arrived.resolve()
    await release.promise
    return 'ok'
  }
  const patience = new AbortController()
  const sending = send('PUT', '/records/tickets', body, patience.signal)
  await arrived.promise
  patience.abort()
  await expect(sending).rejects.toThrow('aborted')
  return {
    async execute() {
      release.resolve()
      // Harbour has one thread, so the released request is finished before this request is answered.
      await find('anything')
    },
  }
}

test('a request whose sender has given up still runs, and without a revision it overwrites newer content', async () => {
  const held = await holdNext(ticket('harm', undefined))
  await send('PUT', '/records/tickets', ticket('harm', undefined, { parent_ticket: 'parent' }))
  await held.execute()
  await vi.waitFor(async () => expect((await find('harm'))[0]?.fields).not.toHaveProperty('parent_ticket'), {
    timeout: 300_000,
  })
})

test('a late write does not remove the relation that a later write set', async () => {
  const held = await holdNext(ticket('late', 1))
  expect(await send('PUT', '/records/tickets', ticket('late', 2))).toMatchObject({ result: 'created' })
  const linked = await send('PUT', '/records/tickets', ticket('late', 3, { parent_ticket: 'parent' }))
  expect(linked).toMatchObject({ result: 'updated' })
  await held.execute()
  expect(await find('late')).toMatchObject([{ version: linked?.version, fields: { parent_ticket: 'parent' } }])
  // A sender that was still waiting would get this answer.
  expect(await send('PUT', '/records/tickets', ticket('late', 1))).toEqual({
    external_id: 'late',
    result: 'outdated',
    revision: 3,
  })
})

test('a late write does not restore a deleted record, whether or not the record ever arrived', async () => {
  await send('PUT', '/records/tickets', ticket('gone/1', 1))
  const held = await holdNext(ticket('gone/1', 2))
  expect(await send('POST', '/records/tickets/delete', deletion('gone/1', 2))).toMatchObject({ result: 'deleted' })
  await held.execute()
  expect(await find('gone/1')).toEqual([])
  const first = await holdNext(ticket('gone/2', 1))
  expect(await send('POST', '/records/tickets/delete', deletion('gone/2', 1))).toMatchObject({ result: 'missing' })
  await first.execute()
  expect(await find('gone/2')).toEqual([])
  // A request with a higher revision is not late.
  expect(await send('PUT', '/records/tickets', ticket('gone/1', 3))).toMatchObject({ result: 'created' })
})

test('the same revision sent again changes nothing, even if people have edited the record since', async () => {
  const written = await send('PUT', '/records/tickets', ticket('twice', 4))
  await fetch(`${harbour.url}/tickets/${written?.id}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ value: 'Edited by hand' }),
  })
  expect(await send('PUT', '/records/tickets', ticket('twice', 4))).toMatchObject({ result: 'outdated', revision: 4 })
  expect(await find('twice')).toMatchObject([{ fields: { subject: 'Edited by hand' } }])
})

test('the revision of a refused record is stored', async () => {
  const refused = await send('PUT', '/records/tickets', ticket('refused', 2, { subject: '' }))
  expect(refused).toMatchObject({ result: 'refused', code: 'blank' })
  expect(await send('PUT', '/records/tickets', ticket('refused', 1))).toMatchObject({ result: 'outdated' })
  expect(await find('refused')).toEqual([])
})

test('a late delete does not remove a record that was written after it', async () => {
  await send('PUT', '/records/tickets', ticket('anew', 1))
  await send('POST', '/records/tickets/delete', deletion('anew', 1))
  await send('PUT', '/records/tickets', ticket('anew', 2))
  expect(await send('POST', '/records/tickets/delete', deletion('anew', 1))).toMatchObject({ result: 'changed' })
  expect(await find('anew')).toHaveLength(1)
  // A request without a revision comes from another client and is accepted.
  expect(await send('POST', '/records/tickets/delete', deletion('anew'))).toMatchObject({ result: 'deleted' })
})

test('late bytes replace neither newer bytes nor fields that were sent later', async () => {
  const upload = async (revision: number, bytes: string) => {
    const query = new URLSearchParams({ external_id: 'm', entity: 'media', file_name: 'a', revision: String(revision) })
    const answer = await fetch(`${harbour.baseUrl}/files?${query}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer token', 'content-type': 'text/plain' },
      body: bytes,
    })
    return (await answer.json()) as Record<string, string>
  }
  expect(await upload(4, 'newer')).toMatchObject({ result: 'created' })
  const follow = { records: [{ external_id: 'm', revision: 5, fields: { alt: 'A rake' } }] }
  expect(await send('PUT', '/records/media', follow)).toMatchObject({ result: 'updated' })
  for (const revision of [2, 4]) {
    expect(await upload(revision, 'older')).toEqual({ result: 'outdated', revision: 5 })
  }
  expect(await find('m', 'media')).toMatchObject([{ fields: { alt: 'A rake', size: 5 } }])
  expect(await (await fetch((await upload(6, 'newest')).url ?? '')).text()).toBe('newest')
})

test('a data file of an earlier Harbour still works, and revisions survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harbour-'))
  const options = { port: 0, dataFile: join(folder, 'harbour.db'), token: 'token' }
  const first = harbour
  try {
    await (await startHarbour(options)).close()
    const earlier = new DatabaseSync(options.dataFile)
    earlier.exec('DROP TABLE revisions')
    earlier.close()
    harbour = await startHarbour(options)
    await send('PUT', '/records/tickets', ticket('kept', 2))
    await send('POST', '/records/tickets/delete', deletion('kept', 2))
    await harbour.close()
    harbour = await startHarbour(options)
    expect(await send('PUT', '/records/tickets', ticket('kept', 1))).toMatchObject({ result: 'outdated' })
    await harbour.close()
  } finally {
    harbour = first
    rmSync(folder, { recursive: true })
  }
})
