import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { billing, type PayingService, startPayingService } from '../payments/paying-service.ts'
import { secretKey, webhookSecret } from '../payments/stripe-server.ts'
import { run } from '../support/program.ts'
import { testKeys } from '../support/service.ts'

/** Every command starts a process. */
const slow = { timeout: 900_000 }

let service: PayingService
let folder: string
beforeAll(async () => {
  service = await startPayingService()
  folder = mkdtempSync(join(tmpdir(), 'wherry-payments-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service?.close()
})

const wherry = (...args: string[]) =>
  run(process.execPath, [join(checkoutDir, 'service/bin/wherry.mjs'), ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: service.databaseUrl,
      WHERRY_KEYS: testKeys,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: service.stripe.origin,
      WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
  })
const wherryJson = async (...args: string[]) => {
  const { code, stdout, stderr } = await wherry(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const fileOf = (name: string, content: unknown) => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('prices are shown, set, and refused with every problem named', slow, async () => {
  const { version, document } = await wherryJson('prices', 'show')
  expect([version, document.currency]).toEqual([null, 'EUR'])
  const wrong = await wherry(
    'prices',
    'set',
    '--file',
    fileOf('wrong.json', { ...document, currency: 'euro', colour: 'red' }),
  )
  expect([wrong.code, wrong.stdout]).toEqual([1, ''])
  expect(wrong.stderr).toMatch(/colour is not known\n.*currency must be a code/)
  expect((await wherry('prices', 'set', '--file', fileOf('no.json', '{'))).stderr).toContain('is no JSON')
  expect((await wherry('prices', 'set', '--file', join(folder, 'none.json'))).stderr).toContain('cannot be read')
  const set = await wherryJson('prices', 'set', '--file', fileOf('right.json', { ...document, quote_days: 7 }))
  expect((await wherryJson('prices', 'show')).document.quote_days).toBe(7)
  expect(set).toEqual({ version: 1 })
})

test('a partner’s policy is shown and set', slow, async () => {
  const { id } = await service.createPartner()
  expect(await wherryJson('partner', 'policy', id)).toMatchObject({
    policy: 'ask',
    policy_limit: null,
    full_page_url: null,
  })
  const set = await wherryJson(
    'partner',
    'policy',
    id,
    'sponsor_up_to',
    '--limit',
    '500',
    '--beyond',
    'customer_pays',
    '--page',
    'https://acme.example/full',
  )
  expect(set).toMatchObject({
    policy: 'sponsor_up_to',
    policy_limit: 500,
    policy_beyond: 'customer_pays',
    full_page_url: 'https://acme.example/full',
  })
  expect((await wherry('partner', 'policy', id, 'always')).stderr).toContain('must be one of')
  expect((await wherry('partner', 'policy', 'prt_none', 'ask')).stderr).toContain('There is no partner')
})

test('invoices are listed, shown, written to a file, marked as paid and cancelled', slow, async () => {
  await wherryJson(
    'invoice',
    'issuer',
    '--file',
    fileOf('issuer.json', { name: 'Wherry GmbH', address: ['Hafen 1'], payment: ['IBAN'], prefix: 'W-' }),
  )
  const [one, two] = [await service.createImport(), await service.createImport()]
  for (const imp of [one, two]) await imp.act('POST', '/purchase', { provider: 'invoice', billing })
  const list = await wherryJson('invoice', 'list', '--open')
  expect(list.map(({ number, state, amount }: Record<string, string>) => [number, state, amount])).toEqual([
    ['W-000002', 'open', '49.00'],
    ['W-000001', 'open', '49.00'],
  ])
  const pdf = join(folder, 'one.pdf')
  expect(await wherryJson('invoice', 'show', 'W-000001', '--pdf', pdf)).toMatchObject({
    import_id: one.id,
    billing: { country: 'HU' },
  })
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-')
  expect(await wherryJson('invoice', 'paid', '1')).toMatchObject({ state: 'paid' })
  expect((await one.look()).status_code).toBe('in_preparation')
  expect(await wherryJson('invoice', 'cancel', 'W-000002')).toMatchObject({ state: 'cancelled', reason: 'operator' })
  expect((await wherry('invoice', 'paid', '99')).stderr).toContain('There is no invoice 99')
  expect(await wherryJson('import', 'show', one.id)).toMatchObject({ payments: [{ state: 'paid', amount: '49.00' }] })
})

test('the operator refunds a card payment, once', slow, async () => {
  const imp = await service.createImport()
  await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
  const [payment] = await wherryJson('payment', 'list', '--import', imp.id)
  expect(payment).toMatchObject({ state: 'paid', provider: 'stripe', amount: '49.00' })
  expect(await wherryJson('payment', 'refund', payment.id)).toMatchObject({ state: 'refunded', reason: 'operator' })
  expect((await wherry('payment', 'refund', payment.id)).stderr).toContain('no money to send back')
  await service.work()
  expect(service.stripe.refunds).toHaveLength(1)
  expect(await imp.look()).toMatchObject({ status_code: 'sample_migration_completed', is_paid: false })
  expect((await imp.act('POST', '/runs', { kind: 'full' })).status).toBe(422)
})
