import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetOldKeys } from '../../service/src/imports/forget-old-keys.ts'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'

let service: TestService
let partner: TestPartner
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
})
afterAll(() => service.close())

const post = (key: string, body: unknown = { source_tool: 'fernhill' }, caller = partner) =>
  caller.call('POST', '/api/v2.1/imports', body, { 'idempotency-key': key })

const countImports = async () => {
  const { count } = await service.db
    .selectFrom('imports')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('a repeated request with the same key returns the first answer and creates nothing', async () => {
  const first = await post('key-1')
  const before = await countImports()
  const second = await post('key-1')
  expect([second.status, second.text, second.headers.location]).toEqual([201, first.text, first.headers.location])
  expect(await countImports()).toBe(before)
})

test('the same key with another body is refused', async () => {
  await post('key-2')
  const other = await post('key-2', { source_tool: 'fernhill', start_full: true })
  expect([other.status, Object.keys(other.json)]).toEqual([422, ['idempotency_key']])
})

test('the same content in another order and spacing is the same body', async () => {
  const first = await post('key-order', { source_tool: 'fernhill', start_full: false, x: { b: 1, a: [1, 2] } })
  const again = await partner.call(
    'POST',
    '/api/v2.1/imports',
    '{ "x": {"a":[1.0,2],"b":1e0},  "start_full":false, "source_tool":"fernhill" }',
    { 'idempotency-key': 'key-order' },
  )
  expect([again.status, again.text]).toEqual([201, first.text])
  const other = await post('key-order', { source_tool: 'fernhill', start_full: false, x: { b: 1, a: [2, 1] } })
  expect(other.status).toBe(422)
})

test('a body that is nested too deeply is a 400, not a 500', async () => {
  const body = `{"source_tool":"fernhill","x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  const { status } = await partner.call('POST', '/api/v2.1/imports', body, { 'idempotency-key': 'key-deep' })
  expect([201, 400]).toContain(status)
})

test('twenty requests at once with one key create one import and one event', async () => {
  const before = await countImports()
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('key-3')))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  expect(await countImports()).toBe(before + 1)
  const events = await service.db
    .selectFrom('events')
    .select('id')
    .where('import_id', '=', answers[0]?.json.id)
    .execute()
  expect(events).toHaveLength(1)
})

test('a refused request does not use up its key', async () => {
  expect((await post('key-4', { source_tool: 'nothing' })).status).toBe(422)
  expect((await post('key-4')).status).toBe(201)
})

test('two partners can use the same key', async () => {
  const other = await service.createPartner()
  const mine = await post('key-5')
  const theirs = await post('key-5', undefined, other)
  expect(theirs.status).toBe(201)
  expect(theirs.json.id).not.toBe(mine.json.id)
})

test('after 24 hours a key can be used again, and housekeeping deletes it', async () => {
  const age = (key: string, hours: number) =>
    service.db
      .updateTable('idempotency_keys')
      .set({ created_at: sql`now() - make_interval(hours => ${hours})` })
      .where('key', '=', key)
      .execute()
  const first = await post('key-6')
  await age('key-6', 23)
  expect((await post('key-6')).json.id).toBe(first.json.id)
  await age('key-6', 25)
  const second = await post('key-6')
  expect(second.json.id).not.toBe(first.json.id)
  expect((await post('key-6')).json.id).toBe(second.json.id)
  await age('key-6', 25)
  expect(await forgetOldKeys(service.db)).toBe(1)
})

test('a key that is too long or empty is refused', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const answer = await post(key)
    expect([answer.status, Object.keys(answer.json)]).toEqual([422, ['idempotency_key']])
  }
})
