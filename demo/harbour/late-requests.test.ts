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

/** Holds the next request until the test releases it; its sender has given up by then. */
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
      // Harbour has one thread: a released request is done before the next request is answered.
      await find('anything')
    },
  }
}

test('a request that nobody waits for any more is executed nevertheless, and without a revision it does harm', async () => {
  const held = await holdNext(ticket('harm', undefined))
  await send('PUT', '/records/tickets', ticket('harm', undefined, { parent_ticket: 'parent' }))
  await held.execute()
  await vi.waitFor(async () => expect((await find('harm'))[0]?.fields).not.toHaveProperty('parent_ticket'), {
    timeout: 300_000,
  })
})

test('a late write does not overwrite the relation that a later one has set', async () => {
  const held = await holdNext(ticket('late', 1))
  expect(await send('PUT', '/records/tickets', ticket('late', 2))).toMatchObject({ result: 'created' })
  const linked = await send('PUT', '/records/tickets', ticket('late', 3, { parent_ticket: 'parent' }))
  expect(linked).toMatchObject({ result: 'updated' })
  await held.execute()
  expect(await find('late')).toMatchObject([{ version: linked?.version, fields: { parent_ticket: 'parent' } }])
  // The answer that a waiting sender would have got.
  expect(await send('PUT', '/records/tickets', ticket('late', 1))).toEqual({
    external_id: 'late',
    result: 'outdated',
    revision: 3,
  })
})

test('a late write does not bring back what was deleted, whether it had ever arrived or not', async () => {
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

test('the same revision once more changes nothing, also when people have edited the record since', async () => {
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

test('the revision of a refused record counts', async () => {
  const refused = await send('PUT', '/records/tickets', ticket('refused', 2, { subject: '' }))
  expect(refused).toMatchObject({ result: 'refused', code: 'blank' })
  expect(await send('PUT', '/records/tickets', ticket('refused', 1))).toMatchObject({ result: 'outdated' })
  expect(await find('refused')).toEqual([])
})

test('a late delete does not remove what was written after it', async () => {
  await send('PUT', '/records/tickets', ticket('anew', 1))
  await send('POST', '/records/tickets/delete', deletion('anew', 1))
  await send('PUT', '/records/tickets', ticket('anew', 2))
  expect(await send('POST', '/records/tickets/delete', deletion('anew', 1))).toMatchObject({ result: 'changed' })
  expect(await find('anew')).toHaveLength(1)
  // A request without a revision comes from another client.
  expect(await send('POST', '/records/tickets/delete', deletion('anew'))).toMatchObject({ result: 'deleted' })
})

test('late bytes replace neither newer ones nor the fields that followed them', async () => {
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

test('a data file of an earlier Harbour is taken on, and revisions outlive a restart', async () => {
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
