import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harbour, startHarbour } from './harbour.ts'

let harbour: Harbour

beforeAll(async () => {
  harbour = await startHarbour({ port: 0, dataFile: ':memory:', token: 'token' })
  await put('tickets', { external_id: 'ticket', fields: { subject: 'With files' } })
})
afterAll(() => harbour.close())

const call = async (method: string, path: string, body: unknown) => {
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  return (await fetch(`${harbour.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) })).json()
}
const put = async (entity: string, record: object) =>
  ((await call('PUT', `/records/${entity}`, { records: [record] })) as { results: Record<string, string>[] }).results[0]
const find = async (entity: string, id: string) =>
  ((await call('POST', `/records/${entity}/find`, { external_ids: [id] })) as { records: { fields: object }[] }).records
const upload = (parameters: Record<string, string>, bytes = 'GIF89a') =>
  fetch(`${harbour.baseUrl}/files?${new URLSearchParams(parameters)}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer token', 'content-type': 'image/gif' },
    body: bytes,
  })
const uploaded = async (parameters: Record<string, string>, bytes?: string) =>
  (await (await upload(parameters, bytes)).json()) as Record<string, string>

test('a picture can be created without a parent, described later, and shown', async () => {
  const media = { external_id: 'm/1', entity: 'media', file_name: 'rake.gif' }
  const stored = await uploaded(media)
  expect(stored).toMatchObject({ result: 'created', size: 6 })
  const described = await put('media', { external_id: 'm/1', fields: { alt: 'A rake', file_name: 'other', size: 1 } })
  expect(described).toMatchObject({ result: 'updated', id: stored.id, url: stored.url })
  expect(described?.version).not.toBe(stored.version)
  // The fields that were sent with the bytes stay the same.
  expect(await find('media', 'm/1')).toMatchObject([{ fields: { alt: 'A rake', file_name: 'rake.gif', size: 6 } }])
  const shown = await fetch(stored.url ?? '')
  expect(shown.headers.get('content-type')).toBe('image/gif')
  expect(await shown.text()).toBe('GIF89a')
  expect(await (await fetch(`${harbour.url}/media/${stored.id}`)).text()).toContain('A rake')
  // A second upload replaces both fields and bytes.
  expect(await uploaded(media, 'GIF87a')).toMatchObject({ result: 'updated', id: stored.id })
  expect(Object.keys((await find('media', 'm/1'))[0]?.fields ?? {})).not.toContain('alt')
  expect(await (await fetch(stored.url ?? '')).text()).toBe('GIF87a')
})

test('a record alone never creates a file', async () => {
  for (const entity of ['media', 'attachments']) {
    const record = { external_id: `none/${entity}`, fields: { file_name: 'a', parent: 'ticket' } }
    expect(await put(entity, record)).toMatchObject({ result: 'refused', code: 'unknown_file' })
    expect(await find(entity, record.external_id)).toEqual([])
  }
})

test('a file keeps its audience and its author, and an unknown author is refused', async () => {
  const file = { external_id: 'a/1', parent_entity: 'tickets', parent: 'ticket', file_name: 'a', private: 'true' }
  expect(await uploaded({ ...file, uploaded_by: 'u3', inline: 'true' })).toMatchObject({ result: 'created' })
  expect(await find('attachments', 'a/1')).toMatchObject([
    { fields: { is_private: true, uploaded_by: 'u3', is_inline: true } },
  ])
  const unknown = await uploaded({ ...file, external_id: 'a/2', uploaded_by: 'nobody' })
  expect(unknown).toMatchObject({ result: 'refused', code: 'unknown_user' })
  expect(await find('attachments', 'a/2')).toEqual([])
})

test('a file with a missing or wrong parent or entity is refused as a whole', async () => {
  const file = { external_id: 'x/1', file_name: 'a' }
  const statuses = [
    { ...file, entity: 'nothing' },
    { ...file, entity: 'tickets' },
    { ...file, entity: 'attachments' },
    { ...file, parent: 'ticket' },
    { ...file, entity: 'media', parent: 'ticket', parent_entity: 'tickets' },
    { ...file, entity: 'media', private: 'perhaps' },
  ].map(async (parameters) => (await upload(parameters)).status)
  expect(await Promise.all(statuses)).toEqual([404, 422, 422, 422, 422, 422])
  expect(await uploaded({ ...file, parent_entity: 'tickets', parent: 'nobody' })).toMatchObject({
    result: 'refused',
    code: 'unknown_relation',
  })
})
