import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWherry } from '../audit/run-wherry.ts'
import { startTestService, type TestService, testKeys } from '../support/service.ts'

const second = `k2:${Buffer.alloc(32, 9).toString('base64')}`
const ring = { WHERRY_KEYS: `${second},${testKeys}` }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('a value that does not open is named at the end, and the rotation seals all others', async () => {
  const [damaged, ...others] = await Promise.all([1, 2, 3].map(() => service.createPartner()))
  const secretOf = (partnerId: string) =>
    service.db
      .selectFrom('webhook_secrets')
      .select(['id', 'sealed_secret'])
      .where('partner_id', '=', partnerId)
      .executeTakeFirstOrThrow()
  const { id, sealed_secret: whole } = await secretOf(String(damaged?.id))
  const broken = Buffer.from(whole)
  broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
  const store = (sealed_secret: Buffer) =>
    service.db.updateTable('webhook_secrets').set({ sealed_secret }).where('id', '=', id).execute()
  await store(broken)

  const { code, stdout, stderr } = await runWherry(service.databaseUrl, ['keys', 'rotate', '--json'], ring)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({
    key: 'k2',
    resealed: expect.any(Number),
    unreadable: [{ value: `webhook_secrets.sealed_secret/${id}`, key: 'k1', reason: expect.any(String) }],
  })
  expect(stderr).toContain('1 value does not open')
  for (const { id: partnerId } of others) {
    expect((await secretOf(partnerId)).sealed_secret.subarray(2, 4).toString()).toBe('k2')
  }
  expect((await secretOf(String(damaged?.id))).sealed_secret).toEqual(broken)

  // After the value is restored from a backup, the next rotation seals it.
  await store(whole)
  const again = await runWherry(service.databaseUrl, ['keys', 'rotate', '--json'], ring)
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { key: 'k2', resealed: 1, unreadable: [] }])
})
