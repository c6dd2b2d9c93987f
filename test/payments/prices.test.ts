import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decimalAmount, formatAmount, parseAmount } from '../../service/src/currency.ts'
import { languages } from '../../service/src/languages.ts'
import { setPrices } from '../../service/src/payments/set-prices.ts'
import { fromStripeAmount, toStripeAmount } from '../../service/src/payments/stripe/stripe-amount.ts'
import { readPriceList, standardPrices } from '../../service/src/price-list.ts'
import { type PayingService, startPayingService } from './paying-service.ts'

const packages = (currency: string, ...prices: string[]) => ({
  ...standardPrices,
  currency,
  families: Object.fromEntries(
    Object.keys(standardPrices.families).map((family) => [
      family,
      {
        packages: prices.map((price, index) => ({
          name: `P${index}`,
          price,
          up_to: index === prices.length - 1 ? null : (index + 1) * 100,
        })),
      },
    ]),
  ),
})

describe('money', () => {
  test('each currency has its own smallest unit', () => {
    expect([
      parseAmount('49.00', 'EUR'),
      parseAmount('49.5', 'EUR'),
      parseAmount('4900', 'JPY'),
      parseAmount('15.250', 'KWD'),
    ]).toEqual([4900, 4950, 4900, 15250])
    for (const wrong of ['49.001', '-1', '1e3', '', '4,9', '.5', '12345678901'])
      expect(parseAmount(wrong, 'EUR')).toBeNull()
    expect(parseAmount('49.5', 'JPY')).toBeNull()
    expect([decimalAmount(5, 'EUR'), decimalAmount(4900, 'JPY'), decimalAmount(15250, 'KWD')]).toEqual([
      '0.05',
      '4900',
      '15.250',
    ])
    expect(formatAmount(149050, 'EUR', 'de')).toBe('1.490,50\u00a0€')
    expect(formatAmount(4900, 'JPY', 'en')).toBe('JP¥4,900')
  })

  test('amounts for Stripe have Stripe’s number of digits', () => {
    const there = [
      [4900, 'EUR'],
      [4900, 'JPY'],
      [15250, 'KWD'],
      [500, 'ISK'],
      [500, 'UGX'],
    ] as const
    expect(there.map(([amount, currency]) => toStripeAmount(amount, currency))).toEqual([
      4900, 4900, 15250, 50000, 50000,
    ])
    for (const [amount, currency] of there)
      expect(fromStripeAmount(toStripeAmount(amount, currency), currency)).toBe(amount)
  })

  test('the tax note is in English, and in every other language that the operator gives', () => {
    const withNote = (tax_note: unknown) => readPriceList({ ...standardPrices, tax_note }).taxNote
    expect(withNote({ en: 'Net.' })).toEqual({ en: 'Net.' })
    const all = { en: 'Net.', de: 'Netto.', es: 'Neto.', fr: 'Hors taxes.' }
    expect(withNote(all)).toEqual(all)
    expect(Object.keys(standardPrices.tax_note)).toEqual([...languages])
    for (const wrong of [{ fr: 'Hors taxes.' }, { en: 'Net.', it: 'Netto.' }, { en: 'Net.', es: ' ' }, { en: 1 }]) {
      expect(() => withNote(wrong)).toThrow(
        'tax_note must be an object with the text "en" and, if you like, "de", "es", "fr"',
      )
    }
  })

  test('a wrong price list is refused with every field named', () => {
    const wrong = {
      currency: 'euro',
      quote_days: 0,
      tax_note: 'VAT',
      families: { helpdesk: { packages: [] }, gardening: {} },
      colour: 'red',
    }
    expect(() => readPriceList(wrong)).toThrow(
      /colour.*\n.*currency.*\n.*quote_days.*\n.*tax_note.*\n.*families\.gardening.*\n.*families\.helpdesk\.packages.*\n.*families\.project/,
    )
    expect(() => readPriceList(packages('EUR', '10.00', '9.00'))).toThrow(
      'families.helpdesk.packages[1].price must not be less',
    )
    expect(() => readPriceList(packages('JPY', '10.50'))).toThrow('such as "49"')
    expect(() => readPriceList(packages('KWD', '10.255'))).toThrow('must end in 0')
    expect(() => readPriceList([])).toThrow('JSON object')
    const noEnd = structuredClone(packages('EUR', '1', '2')) as {
      families: Record<string, { packages: { up_to: number | null }[] }>
    }
    ;(noEnd.families.crm?.packages[1] as { up_to: number | null }).up_to = 500
    expect(() => readPriceList(noEnd)).toThrow('families.crm.packages[1].up_to must be null')
  })
})

describe('quotes', () => {
  let service: PayingService
  beforeAll(async () => {
    service = await startPayingService()
  })
  afterAll(() => service?.close())

  test('a quote is computed from the plan before the sample, and lists its parts', async () => {
    const imp = await service.createImport({ tickets: 501 })
    expect((await imp.act('GET', '/quote')).json).toMatchObject({
      state: 'ready',
      providers: ['stripe', 'invoice'],
      quote: {
        currency: 'EUR',
        amount: '149.00',
        package: { name: 'Medium', up_to: 5000 },
        records: 501,
        counted: [{ entity: 'tickets', records: 501 }],
        is_estimated: false,
        holds_until: null,
        holds_days: 14,
      },
    })
    await service.setPlan(imp.id, 500)
    expect((await imp.act('GET', '/quote')).json.quote).toMatchObject({ amount: '49.00', package: { name: 'Small' } })
  })

  test('a changed filter lowers the price only after the next plan', async () => {
    const imp = await service.createImport({ tickets: 800 })
    const mapping = { entities: { tickets: { created_after: '2024-01-01' } } }
    await service.db
      .insertInto('mappings')
      .values({ import_id: imp.id, version: 1, changes: JSON.stringify(mapping) })
      .execute()
    expect((await imp.act('GET', '/quote')).json.quote).toMatchObject({ records: 800, has_uncounted_filters: true })
    await service.db.updateTable('runs').set({ mapping_version: 1 }).where('import_id', '=', imp.id).execute()
    await service.db.updateTable('plan_entities').set({ wanted: 90 }).where('import_id', '=', imp.id).execute()
    expect((await imp.act('GET', '/quote')).json.quote).toMatchObject({
      records: 90,
      amount: '49.00',
      has_uncounted_filters: false,
      is_estimated: false,
    })
    await service.db
      .updateTable('plan_entities')
      .set({ total: 8_000, looked_at: 800 })
      .where('import_id', '=', imp.id)
      .execute()
    expect((await imp.act('GET', '/quote')).json.quote).toMatchObject({ records: 900, is_estimated: true })
    const none = { entities: { tickets: { include: false } } }
    await service.db
      .insertInto('mappings')
      .values({ import_id: imp.id, version: 2, changes: JSON.stringify(none) })
      .execute()
    expect((await imp.act('GET', '/quote')).json.quote.records).toBe(0)
  })

  test('a fixed quote ignores a growing plan and rising prices until it expires', async () => {
    const imp = await service.createImport({ tickets: 400 })
    await imp.checkOut()
    await service.setPlan(imp.id, 520)
    await setPrices(service.db, packages('EUR', '70.00', '200.00'))
    const held = (await imp.act('GET', '/quote')).json.quote
    expect(held).toMatchObject({ amount: '49.00', records: 400, holds_until: expect.any(String) })
    await imp.checkOut()
    expect(await imp.payments()).toHaveLength(1)
    await service.db.updateTable('quotes').set({ expires_at: new Date() }).where('import_id', '=', imp.id).execute()
    expect((await imp.act('GET', '/quote')).json.quote).toMatchObject({
      amount: '200.00',
      records: 520,
      holds_until: null,
    })
    const session = await imp.checkOut()
    expect(session.amount_total).toBe(20_000)
    expect((await imp.payments()).map(({ state, reason }) => [state, reason])).toEqual([
      ['cancelled', 'new_quote'],
      ['open', null],
    ])
  })

  test('the rest can be paid once, in another currency than the first payment', async () => {
    await setPrices(service.db, packages('EUR', '10.00', '49.00'))
    const imp = await service.createImport({ tickets: 60 })
    await service.sendEvent(service.stripe.pay((await imp.checkOut()).id))
    await setPrices(service.db, packages('USD', '12.00', '60.00'))
    await service.setPlan(imp.id, 4_000)
    const session = await imp.checkOut()
    expect([session.currency, session.amount_total]).toEqual(['usd', 6_000])
    await service.sendEvent(service.stripe.pay(session.id))
    expect((await imp.payments()).map(({ state, reason }) => [state, reason])).toEqual([
      ['paid', null],
      ['paid', null],
    ])
    expect((await imp.act('GET', '/quote')).json.state).toBe('settled')
  })

  test('amounts in yen and dinars reach Stripe in its units, and are read back unchanged', async () => {
    for (const [currency, price, amount] of [
      ['JPY', '4900', 4900],
      ['KWD', '15.250', 15250],
      ['ISK', '7000', 700000],
    ] as const) {
      await setPrices(service.db, packages(currency, price))
      const imp = await service.createImport()
      const session = await imp.checkOut()
      expect([session.currency, session.amount_total]).toEqual([currency.toLowerCase(), amount])
      await service.sendEvent(service.stripe.pay(session.id))
      expect(await imp.unlocks()).toEqual([1, 1])
    }
  })
})
