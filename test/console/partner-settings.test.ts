import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestPartner, type TestService } from '../support/service.ts'
import { type Browser, setUpOperator } from './console-client.ts'

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
let service: TestService
let partner: TestPartner
let owner: Browser
let support: Browser
beforeAll(async () => {
  service = await startTestService({ config: { rateLimit: 0 } })
  partner = await service.createPartner()
  owner = (await setUpOperator(service, 'Olga', 'owner')).browser
  support = (await setUpOperator(service, 'Sam', 'support')).browser
})
afterAll(() => service.close())

const show = async () => (await support.ask('GET', `/partners/${partner.id}`)).body
const put = (path: string, body: unknown) => owner.ask('PUT', `/partners/${partner.id}${path}`, body)

describe('a partner', () => {
  test('is created with some of the families of its destination', async () => {
    const given = { name: 'Blue', destination: 'open', families: ['crm'] }
    const { body } = await owner.ask('POST', '/partners', given)
    expect((await support.ask('GET', `/partners/${body.id}`)).body.families).toEqual(['crm'])
    const wrong = await owner.ask('POST', '/partners', { ...given, families: ['fish'] })
    expect([wrong.status, wrong.body.message]).toEqual([422, expect.stringMatching(/^Families must name families of/)])
  })

  test('gets colour and logo, each without touching the other', async () => {
    expect((await put('/brand', { accent: '#14638F' })).status).toBe(200)
    expect((await put('/brand', { logo: svg })).status).toBe(200)
    expect((await show()).brand).toEqual({ accent: '#14638f', logo_type: 'image/svg+xml' })
    expect((await put('/brand', { accent: null })).status).toBe(200)
    expect((await show()).brand).toEqual({ accent: null, logo_type: 'image/svg+xml' })
    const wrong = await put('/brand', { accent: 'blue' })
    expect([wrong.status, wrong.body.message]).toEqual([422, 'Accent must be a colour such as #14638f.'])
    expect((await put('/brand', { logo: Buffer.from('GIF89a').toString('base64') })).body.message).toBe(
      'Logo must be a PNG or an SVG file.',
    )
    expect(Object.keys((await put('/brand', { logo: '<svg>' })).body)).toEqual(['logo'])
  })

  test('gets an SVG that begins with comments, and a logo that is only comments is refused at once', async () => {
    const comments = '<?xml version="1.0"?>\n<!-- by Ana --><!-- a > b -->\n<!---->'
    const logo = (text: string) => ({ logo: Buffer.from(text).toString('base64') })
    expect((await put('/brand', logo(`\uFEFF${comments}<svg></svg>`))).status).toBe(200)
    for (const text of ['<!---->'.repeat(10_000), '<!--'.repeat(20_000), `${' '.repeat(90_000)}x`, '<?xml <svg>']) {
      const start = performance.now()
      expect((await put('/brand', logo(text))).body.message).toBe('Logo must be a PNG or an SVG file.')
      expect(performance.now() - start).toBeLessThan(10_000)
    }
  })

  test('keeps policy and retention when a request names no change', async () => {
    for (const path of ['/policy', '/retention']) {
      const { status, body } = await put(path, {})
      expect([path, status, body.message]).toEqual([path, 422, expect.stringMatching(/^Say what to change/)])
    }
  })

  test('gets another policy and retention', async () => {
    expect((await put('/policy', { policy: 'sponsor_up_to', limit: '500', beyond: 'customer_pays' })).status).toBe(200)
    expect((await put('/retention', { undo_days: '7', ledger_days: '30' })).status).toBe(200)
    expect(await show()).toMatchObject({
      policy: { policy: 'sponsor_up_to', policy_limit: 500, policy_beyond: 'customer_pays' },
      retention: { undo_days: 7, ledger_days: 30 },
    })
    const wrong = await put('/retention', { undo_days: 'soon' })
    expect([wrong.status, wrong.body.message]).toEqual([
      422,
      expect.stringMatching(/^Undo days must be a whole number/),
    ])
  })

  test('without a webhook target gets no test message, and is told why', async () => {
    const { status, body } = await support.ask('POST', `/partners/${partner.id}/webhook/test`, {})
    expect([status, body.message]).toEqual([422, expect.stringContaining('has no webhook target')])
  })
})

describe('money', () => {
  test('an owner sets prices; an owner who saw older prices gets a conflict', async () => {
    const { document, version } = (await owner.ask('GET', '/prices')).body
    const set = await owner.ask('PUT', '/prices', { document: { ...document, quote_days: 30 }, version })
    expect(set.status).toBe(200)
    expect((await owner.ask('GET', '/prices')).body.document.quote_days).toBe(30)
    const late = await owner.ask('PUT', '/prices', { document, version })
    expect([late.status, late.body.error]).toEqual([409, 'conflict'])
    const wrong = await owner.ask('PUT', '/prices', { document: { ...document, currency: 'shells' } })
    expect([wrong.status, wrong.body.message]).toEqual([422, expect.stringContaining('currency must be a code')])
  })

  test('of two owners who set prices at once, one gets a conflict', async () => {
    const { document, version } = (await owner.ask('GET', '/prices')).body
    const set = () => owner.ask('PUT', '/prices', { document, version })
    const answers = await Promise.all([set(), set(), set()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('is not shown to support, neither in payments nor in an import', async () => {
    const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    expect((await owner.ask('GET', `/imports/${json.id}`)).body.payments).toEqual([])
    expect((await support.ask('GET', `/imports/${json.id}`)).body).not.toHaveProperty('payments')
    for (const path of ['/payments', '/prices', '/payments/pay_x', '/mails/mai_x']) {
      expect((await support.ask('GET', path)).status, path).toBe(403)
    }
  })
})

describe('erasing an import', () => {
  test('is allowed for owners, lists the data that it would erase, and leaves a tombstone', async () => {
    const { json } = await partner.call('POST', '/api/v2.1/imports', { source_tool: 'fernhill' })
    expect((await support.ask('POST', `/imports/${json.id}/erase`, {})).status).toBe(403)
    expect((await owner.ask('GET', `/imports/${json.id}/erasure`)).status).toBe(200)
    expect((await owner.ask('POST', `/imports/${json.id}/erase`, {})).status).toBe(200)
    const { body } = await owner.ask('GET', `/imports/${json.id}`)
    expect([body.ended_as, body.erased_at]).toEqual(['archived', expect.any(String)])
  })
})
