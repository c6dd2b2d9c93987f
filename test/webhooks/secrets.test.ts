import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { rotateSecret } from '../../service/src/webhooks/rotate-secret.ts'
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { startWebhookService, type WebhookService } from './webhook-service.ts'

let service: WebhookService
let receiver: Receiver
beforeAll(async () => {
  service = await startWebhookService()
})
afterAll(() => service.close())
beforeEach(async () => {
  await service.startAnew()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const isStandard = ({ raw, headers }: Received, secret: string): boolean => {
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
const isPlain = ({ raw, headers }: Received, secret: string) =>
  createHmac('sha256', secret).update(raw).digest('hex') === headers['x-authorization-content-sha256']
const rotate = (partnerId: string, overlapHours: number) =>
  rotateSecret(service.db, service.keyRing, { partnerId, overlapHours })
/** Moves the rotation into the past. */
const age = (partnerId: string, hours: number) =>
  service.db
    .updateTable('webhook_secrets')
    .set({ expires_at: sql<Date>`expires_at - make_interval(hours => ${hours})` })
    .where('partner_id', '=', partnerId)
    .execute()

test('during a rotation both secrets verify, and the single-signature header uses the old secret until the end', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const old = partner.webhook_secret
  const sendOne = async (): Promise<Received> => {
    await partner.createImport()
    await service.deliverAll()
    return receiver.received.at(-1) as Received
  }
  const before = await sendOne()
  expect(String(before.headers['webhook-signature']).split(' ')).toHaveLength(1)
  const rotated = await rotate(partner.id, 24)
  expect(rotated.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(rotated.webhook_secret).not.toBe(old)
  const during = await sendOne()
  expect([isStandard(during, old), isStandard(during, rotated.webhook_secret)]).toEqual([true, true])
  expect([isPlain(during, old), isPlain(during, rotated.webhook_secret)]).toEqual([true, false])
  await age(partner.id, 25)
  const after = await sendOne()
  expect([isStandard(after, old), isStandard(after, rotated.webhook_secret)]).toEqual([false, true])
  expect([isPlain(after, old), isPlain(after, rotated.webhook_secret)]).toEqual([false, true])
})

test('without an overlap the old secret ends at once', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  const { webhook_secret: fresh } = await rotate(partner.id, 0)
  await partner.createImport()
  await service.deliverAll()
  const [message] = receiver.received as [Received]
  expect([isStandard(message, partner.webhook_secret), isStandard(message, fresh)]).toEqual([false, true])
  expect(isPlain(message, fresh)).toBe(true)
})

test('two rotations at once leave one permanent secret', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  await Promise.all([rotate(partner.id, 1), rotate(partner.id, 1)])
  const rows = await service.db
    .selectFrom('webhook_secrets')
    .select('expires_at')
    .where('partner_id', '=', partner.id)
    .execute()
  expect(rows).toHaveLength(3)
  expect(rows.filter((row) => row.expires_at === null)).toHaveLength(1)
})

test('secrets are stored only sealed, and are in no log', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  receiver.answerWith(() => 500)
  const { webhook_secret: fresh } = await rotate(partner.id, 24)
  await partner.createImport()
  await service.deliverAll()
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I', table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(service.db)
  expect(tables.length).toBeGreaterThan(10)
  for (const secret of [partner.webhook_secret, fresh]) {
    const core = secret.slice('whsec_'.length)
    for (const { name } of tables) {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from ${sql.raw(name)} t
        where strpos(t::text, ${core}) > 0
          or strpos(t::text, encode(decode(${core}, 'base64'), 'hex')) > 0
          or strpos(t::text, encode(${secret}::bytea, 'hex')) > 0`.execute(service.db)
      expect([name, rows[0]?.n]).toEqual([name, 0])
    }
    expect(service.log.join('')).not.toContain(core)
    expect(JSON.stringify(service.told)).not.toContain(core)
  }
})

test('a rotation with an invalid overlap is refused', async () => {
  const partner = await service.createPartnerWith(receiver.url)
  for (const hours of [-1, Number.NaN, 721]) {
    await expect(rotate(partner.id, hours)).rejects.toThrow('--overlap must be 0 to 720 hours')
  }
})
