import { afterAll, beforeAll, expect, test } from 'vitest'
import { deskKey, harbourToken, startWholeService, type WholeService } from './whole-service.ts'

let whole: WholeService
beforeAll(async () => {
  whole = await startWholeService({ workers: 2 })
}, 900_000)
afterAll(() => whole.close())

test('a customer connects, samples, and after the partner’s approval migrates everything and undoes it', async () => {
  const portal = await whole.openPortal()
  await portal.connect()
  await portal.until('waiting_to_start_sample_migration')
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(201)
  const sampled = await portal.until('sample_migration_completed')
  expect(sampled.items.tickets).toBeGreaterThanOrEqual(10)
  expect(sampled.items.tickets).toBeLessThanOrEqual(40)
  // Nobody has agreed to pay yet.
  const unpaid = await portal.act('POST', '/runs', { kind: 'full' })
  expect([unpaid.status, Object.keys(unpaid.json)]).toEqual([422, ['payment']])
  await portal.sponsor()
  expect((await portal.act('POST', '/runs', { kind: 'full' })).status).toBe(201)
  const full = await portal.until('migration_completed')
  expect(full.items).toMatchObject({ tickets: 119, comments: 510, contacts: 80, attachments: 48 })
  // The sample already had this refused ticket, and it still counts once.
  expect(full.warnings).toContainEqual(expect.objectContaining({ code: 'refused', entity: 'tickets', count: 1 }))
  expect((await portal.act('POST', '/runs', { kind: 'undo' })).status).toBe(201)
  expect((await portal.until('migration_cleaned')).items).toEqual({})
}, 900_000)

test('a sponsored import starts by itself when both accounts are connected', async () => {
  const portal = await whole.openPortal({ start_full: true })
  await portal.connect()
  const done = await portal.until('migration_completed')
  expect(done.progress).toEqual({ done: 788, total: 788 })
}, 900_000)

test('a worker that is stopped in the middle passes its run to another', async () => {
  const portal = await whole.openPortal({ start_full: true })
  const leaving = await whole.start('worker')
  await portal.connect()
  await leaving.stop()
  const done = await portal.until('migration_completed')
  expect(done.items).toMatchObject({ tickets: 119, comments: 510, attachments: 48 })
}, 900_000)

test('if the partner has already given the destination, only the source is needed', async () => {
  const portal = await whole.openPortal({
    start_full: true,
    destination_instance_url: whole.harbour.baseUrl,
    destination_token: harbourToken,
  })
  await portal.act('PUT', '/accounts/source', { instance_url: whole.fernhill.url, token: deskKey })
  expect((await portal.until('migration_completed')).items).toMatchObject({ tickets: 119 })
}, 900_000)

test('the import moves on when both accounts are connected at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const portal = await whole.openPortal()
    await Promise.all([
      portal.act('PUT', '/accounts/source', { instance_url: whole.fernhill.url, token: deskKey }),
      portal.act('PUT', '/accounts/destination', { instance_url: whole.harbour.baseUrl, token: harbourToken }),
    ])
    await portal.until('waiting_to_start_sample_migration')
  }
}, 900_000)

test("the customer's input is checked, and nobody else can send it", async () => {
  const portal = await whole.openPortal()
  const wrong = await portal.act('PUT', '/accounts/source', { instance_url: whole.fernhill.url, token: 'wrong' })
  expect([wrong.status, Object.keys(wrong.json)]).toEqual([422, ['source']])
  expect((await portal.act('PUT', '/accounts/source', {})).json).toEqual({
    instance_url: ["can't be blank"],
    token: ["can't be blank"],
  })
  expect((await portal.act('PUT', '/accounts/source', { token: 5 })).status).toBe(422)
  expect((await portal.act('PUT', '/accounts/other', { token: 'x' })).status).toBe(404)
  expect((await portal.act('POST', '/runs', { kind: 'everything' })).status).toBe(422)
  expect((await portal.act('POST', '/runs', { kind: 'sample' })).status).toBe(422)
  expect((await portal.act('POST', '/resume', {})).status).toBe(422)
  const stranger = await fetch(`${whole.origin}/portal/imports/${portal.id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"sample"}',
  })
  expect(stranger.status).toBe(401)
})
