import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RetryableError } from '../../../errors.ts'
import {
  fromAddresses,
  fromReachable,
  loosened,
  sameAddress,
  sameMechanism,
  type TrytonAddress,
  toAddresses,
  toCountryCode,
  toMechanism,
  toReachable,
} from './contact-details.ts'
import { locateDatabase } from './follow-address.ts'
import {
  originOf,
  readValueInWords,
  sameAmount,
  storedDeal,
  storedParty,
  toDealWish,
  toFileWish,
  toPartyWish,
  withValueInWords,
} from './from-family.ts'
import { decodeBytes } from './notes.ts'
import { decideKind, type KindSigns, sortRelationTypes } from './party-kind.ts'
import { readDate, readDecimal, readMoment, toWireDate, toWireMoment } from './schema.ts'
import { stateFor } from './states.ts'
import { joinParts, kindInMarker, markerOf, readMarked, splitParts, withMarker } from './texts.ts'

describe('the address of a Tryton', () => {
  test.each([
    ['https://t.example/crm', 'https://t.example', 'crm'],
    ['https://t.example/crm/', 'https://t.example', 'crm'],
    ['https://t.example:8443/tryton/crm', 'https://t.example:8443/tryton', 'crm'],
    ['https://t.example/#crm', 'https://t.example', 'crm'],
    ['https://t.example/#crm/model/party.party/5;name="x"', 'https://t.example', 'crm'],
  ])('%s', (url, origin, database) => {
    expect(locateDatabase(url)).toEqual({ origin, database })
  })

  test.each([null, '', 'crm', 'ftp://t.example/crm', 'https://t.example', 'https://t.example/a b'])(
    '%s names no database, and the error says what is missing',
    (url) => {
      expect(() => locateDatabase(url)).toThrow(/database/)
    },
  )
})

describe('telling a person from an organisation', () => {
  const nobody: KindSigns = {
    name: 'Ada Lind',
    identifiers: [],
    categories: [],
    own: null,
    worksForSomeone: false,
    employsSomeone: false,
  }
  const marked = (kind: string) => [{ type: null, code: `wherry:imp_1/${kind}/7` }]

  test.each<[string, Partial<KindSigns>, string]>([
    ['nothing is known', {}, 'contacts'],
    ['it came as an account', { identifiers: marked('accounts') }, 'accounts'],
    ['it came as a contact, whatever else is said', { identifiers: marked('contacts'), name: 'X GmbH' }, 'contacts'],
    ['it is a company of this Tryton', { own: 'accounts' }, 'accounts'],
    ['a category says so', { categories: ['VIP', 'Organisation'], worksForSomeone: true }, 'accounts'],
    ['it employs someone', { employsSomeone: true, worksForSomeone: true }, 'accounts'],
    ['it works for someone', { worksForSomeone: true, name: 'X GmbH' }, 'contacts'],
    ['it has a VAT number', { identifiers: [{ type: 'eu_vat', code: 'BE0897290877' }] }, 'accounts'],
    ['it has a number that only people have', { identifiers: [{ type: 'es_dni', code: '1' }] }, 'contacts'],
    ['it has a number that both have', { identifiers: [{ type: 'pt_nif', code: '1' }] }, 'contacts'],
    ['it has a number of its own kind', { identifiers: [{ type: null, code: 'K-1' }] }, 'contacts'],
  ])('%s', (_about, signs, kind) => {
    expect(decideKind({ ...nobody, ...signs })).toBe(kind)
  })

  test.each([
    'Brücke GmbH & Co. KG',
    'Nordlicht AS 14',
    'Acme, Inc.',
    'Żubr Sp. z o.o.',
    'Ipek Tekstil A.Ş.',
    '田中株式会社',
    'ООО Огонёк',
    'Fiat S.p.A.',
  ])('%s is an organisation by its name', (name) => {
    expect(decideKind({ ...nobody, name })).toBe('accounts')
  })

  test.each(['AS', 'Se Ri Pak', 'Agnes', 'Marco Limitedes', '5', '', 'Ag Bei'])('%s is a person', (name) => {
    expect(decideKind({ ...nobody, name })).toBe('contacts')
  })
})

test('relation types are recognized by their own name or by the name of their reverse', () => {
  const types = sortRelationTypes([
    { id: 1, name: 'Works for', reverse: 2 },
    { id: 2, name: 'has on its payroll', reverse: 1 },
    { id: 3, name: 'beschäftigt', reverse: null },
    { id: 4, name: 'cousin of', reverse: 4 },
    { id: 5, name: 'subsidiary of', reverse: null },
  ])
  expect([[...types.worksFor], [...types.employs], [...types.partOf]]).toEqual([[1], [2, 3], [5]])
})

describe('texts joined from parts', () => {
  test('are split into the parts that were joined, with any content', () => {
    const part = fc.string({ unit: 'grapheme' }).map((text) => text.trim())
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const whole = splitParts(joinParts(parts))
        expect([...whole, ...parts.slice(whole.length).map(() => '')]).toEqual(parts)
      }),
    )
    expect(splitParts(joinParts(['a | b', '\\', '', '|']))).toEqual(['a | b', '\\', '', '|'])
  })

  test('a marker is found in the last line only, and the rest of the text stays the same', () => {
    const marker = markerOf('imp_1/notes/5')
    for (const text of ['', 'one', 'two\n\nlines', `— quoted · ${marker} inside`]) {
      expect(readMarked(withMarker(text, marker))).toEqual({ text, origin: null, marker })
      expect(readMarked(withMarker(text, marker, 'Ada, today'))).toEqual({ text, origin: 'Ada, today', marker })
    }
    expect(readMarked(`${marker}\n\nand more`)).toEqual({ text: `${marker}\n\nand more`, origin: null, marker: null })
    expect(readMarked(null).text).toBe('')
    expect([kindInMarker('wherry:imp_1/accounts/5'), kindInMarker('wherry:imp_1/deals/5')]).toEqual(['accounts', null])
  })
})

describe('contact mechanisms', () => {
  test('survive the conversion to the family and back', () => {
    const all = [
      { type: 'email', value: 'a@b.example', name: 'office', comment: '', active: true },
      { type: 'email', value: 'c@d.example', name: '', comment: 'on | mondays', active: true },
      { type: 'mobile', value: '+49 1511 2345678', name: 'on duty', comment: '', active: true },
      { type: 'fax', value: '1', name: '', comment: '', active: true },
      { type: 'website', value: 'https://x.example', name: '', comment: '', active: true },
      { type: 'jabber', value: 'x', name: '', comment: '', active: true },
      { type: 'phone', value: '9', name: '', comment: '', active: false },
    ]
    const { emails, phones, websites, others } = toReachable(all)
    expect(phones).toEqual([
      { number: '+49 1511 2345678', type: 'mobile' },
      { number: '1', type: 'fax' },
    ])
    const back = fromReachable({ emails, phones, websites, others })
    expect(back.map(sameMechanism).sort()).toEqual(all.map(sameMechanism).sort())
  })

  test('are read from tools with plain texts or other phone types', () => {
    const made = fromReachable({
      emails: ['b@x.example', { address: 'a@x.example', isPrimary: true }],
      phones: ['1', { number: '2', type: 'Work Mobile' }, { number: '3', type: 'home' }],
      websites: ['', ' '],
      others: ['carrier pigeon | Rosa'],
    })
    expect(made.map(({ type, value, name }) => [type, value, name])).toEqual([
      ['email', 'a@x.example', ''],
      ['email', 'b@x.example', ''],
      ['phone', '1', ''],
      ['mobile', '2', 'Work Mobile'],
      ['phone', '3', 'home'],
      ['other', 'Rosa', ''],
    ])
  })

  test('a phone number that Tryton considers invalid is stored as another kind and read back as a phone number', () => {
    const number = { type: 'mobile', value: '12', name: 'night', comment: '', active: true }
    const kept = loosened(number)
    expect(kept).toMatchObject({ type: 'other', name: 'mobile: night' })
    expect(toMechanism({ id: 1, ...kept })).toEqual(number)
  })
})

describe('addresses', () => {
  const plain: TrytonAddress = {
    party_name: '',
    name: '',
    street: '',
    postal_code: '',
    city: '',
    subdivision: '',
    country: '',
    invoice: false,
    delivery: false,
    active: true,
  }

  test('survive the conversion to the family and back', () => {
    const all = [
      {
        ...plain,
        party_name: 'Söhne',
        name: 'Haus B',
        street: 'Hafen 2\n3. Stock',
        city: 'Köln',
        country: 'DE',
        invoice: true,
        delivery: true,
      },
      { ...plain, street: 'Only a street', active: false },
      { ...plain, postal_code: '75011', city: 'Paris', subdivision: 'Île-de-France', country: 'FR' },
    ]
    const { addresses, parts } = toAddresses([...all, plain])
    expect(addresses[0]).toEqual({
      type: 'billing and shipping',
      line1: 'Söhne',
      line2: 'Haus B\nHafen 2\n3. Stock',
      city: 'Köln',
      country: 'DE',
    })
    expect(fromAddresses(addresses, parts)).toEqual(all)
  })

  test('a country is found by code or name, and an unknown country goes into the street', () => {
    expect(['DE', 'de', 'Germany', 'Deutschland', 'Allemagne', 'Japan', 'ZZ', 'Utopia', ''].map(toCountryCode)).toEqual(
      ['DE', 'DE', 'DE', 'DE', 'DE', 'JP', null, null, null],
    )
    const [address] = fromAddresses([{ line1: 'Main 1', country: 'Utopia' }], [])
    expect(address).toEqual({ ...plain, street: 'Main 1\nUtopia' })
  })

  test('count as equal wherever Tryton stores the region', () => {
    const known = { ...plain, city: 'Portland', subdivision: 'Oregon', country: 'US' }
    expect(sameAddress({ ...known, city: 'Portland, Oregon', subdivision: '' })).toBe(sameAddress(known))
    expect(sameAddress({ ...known, city: 'Salem' })).not.toBe(sameAddress(known))
  })
})

describe("Tryton's values in JSON", () => {
  test('dates and moments of any year are converted', () => {
    for (const date of ['0001-02-03', '1965-02-03', '2024-02-29', '9999-12-31'])
      expect(readDate(toWireDate(date))).toBe(date)
    const moment = '1969-12-31T23:59:59.007Z'
    expect(readMoment(toWireMoment(moment))).toBe(moment)
  })

  test.each([
    ['12.50', '12.50'],
    ['1E+3', '1000'],
    ['-1.5E-3', '-0.0015'],
    ['0E-2', '0.00'],
    ['1.25E+1', '12.5'],
    ['-7', '-7'],
  ])('the decimal %s is %s', (decimal, text) => {
    expect(readDecimal({ __class__: 'Decimal', decimal })).toBe(text)
  })

  test('the bytes of a file are decoded however the answer is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 400 }),
        fc.integer({ min: 1, max: 90 }),
        async (bytes, step) => {
          const base64 = Buffer.from(bytes)
            .toString('base64')
            .replace(/(.{76})/g, '$1\n')
          const answer = Buffer.from(
            JSON.stringify({ id: 0, result: [{ data: { __class__: 'bytes', base64: `${base64}\n` }, id: 5 }] }),
          )
          const chunks = Array.from({ length: Math.ceil(answer.length / step) }, (_, at) =>
            answer.subarray(at * step, (at + 1) * step),
          )
          const decoded = await buffer(Readable.from(decodeBytes(Readable.from(chunks), bytes.length)))
          expect(decoded.equals(Buffer.from(bytes))).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test.each([
    '{"id":0,"result":[{"data":{"base64":"aGVsbG8',
    '{"id":0,"error":["no",""]}',
    `{"x":"${'y'.repeat(9_000)}"}`,
  ])('an answer without the whole file is an error: %.30s', async (answer) => {
    await expect(buffer(Readable.from(decodeBytes(Readable.from([Buffer.from(answer)]), 5)))).rejects.toThrow(
      RetryableError,
    )
  })
})

describe('records converted for Tryton', () => {
  const content = (fields: Record<string, unknown>, custom: Record<string, unknown> = {}) => ({
    fields,
    customFields: Object.fromEntries(
      Object.entries(custom).map(([key, value]) => [key, { label: key, type: 'text' as const, value }]),
    ),
  })
  const to = (entity: string, destinationId: string) => ({ entity, key: 'k', destinationId })

  test('a VAT number is named once, with its type if that is certain', () => {
    const identifiers = (vat: string, others: string[] = []) =>
      toPartyWish(content({ name: 'x', vat_number: vat }, { identifiers: others })).identifiers
    expect(identifiers('BE 0897.290.877')).toEqual([{ code: 'BE 0897.290.877', type: 'eu_vat' }])
    expect(identifiers('US 12-3456')).toEqual([{ code: 'US 12-3456', type: null }])
    expect(identifiers('BE0897290877', ['BE 0897.290.877 | be_vat', 'wherry:imp_1/accounts/5'])).toEqual([
      { code: 'BE 0897.290.877', type: 'be_vat' },
    ])
  })

  test('values that a party has no field for become a text about the party', () => {
    const wish = toPartyWish(
      content({
        first_name: 'Ada',
        last_name: 'Lind',
        title: 'CFO',
        annual_revenue: { amount: '5', currency: 'EUR' },
        do_not_contact: true,
        description: 'Likes tea.\n',
      }),
    )
    expect(wish.name).toBe('Ada Lind')
    expect(wish.about).toBe('Likes tea.\n\nJob title: CFO\nAnnual revenue: 5 EUR\nDoes not want to be contacted')
  })

  test('the compared form does not depend on order', () => {
    const one = content({ name: 'x', emails: ['a@x', 'b@x'], tags: [to('tags', '2'), to('tags', '1')] })
    const two = content({ name: 'x', emails: ['b@x', 'a@x'], tags: [to('tags', '1'), to('tags', '2')] })
    expect(storedParty(toPartyWish(one))).toEqual(storedParty(toPartyWish(two)))
    expect(storedParty(toPartyWish(content({ name: 'y' })))).not.toEqual(
      storedParty(toPartyWish(content({ name: 'x' }))),
    )
  })

  test('a stage of another tool becomes the state of the same name or, without one, of its outcome', () => {
    expect([
      stateFor('LEAD', 'open'),
      stateFor('Negotiation', 'open'),
      stateFor('Closed', 'won'),
      stateFor('x', 'lost'),
    ]).toEqual(['lead', 'opportunity', 'won', 'lost'])
  })

  test('an amount in a foreign currency is kept in the comment and read back', () => {
    expect(readValueInWords(withValueInWords('words', { amount: '1.5', currency: 'USD' }))).toEqual({
      comment: 'words',
      value: { amount: '1.5', currency: 'USD' },
    })
    expect(['12.50', '0012', '0.00', '-0', '-01.10'].map(sameAmount)).toEqual(['12.5', '12', '0', '0', '-1.1'])
  })

  test('an open deal is a lead until its party and its employee are known', () => {
    const wish = (fields: Record<string, unknown>) => toDealWish(content({ name: 'x', ...fields })).state
    const owner = 'employee-5'
    expect(wish({ status: 'open' })).toBe('lead')
    expect(wish({ status: 'open', owner, account: to('accounts', '1') })).toBe('opportunity')
    expect(wish({ status: 'open', owner: 'user-1', account: to('accounts', '1') })).toBe('lead')
    expect(wish({ stage: to('stages', 'converted'), status: 'open' })).toBe('converted')
    expect(
      storedDeal(toDealWish(content({ name: 'x', account: to('accounts', '1'), contacts: to('contacts', '2') }))),
    ).toMatchObject({ party: 1, contact: 2 })
  })

  test('author and time become one short line', () => {
    const createdBy = { name: 'Ada\nLind', email: null, userId: null }
    expect(originOf({ createdBy, createdAt: '1998-01-12T09:30:59.000Z' })).toBe('Ada Lind, 1998-01-12 09:30 UTC')
    expect(originOf({ createdBy: null, createdAt: null })).toBeNull()
  })

  test('a link that was copied as a file becomes a link again', () => {
    expect(toFileWish(content({ file_name: 'page.url' }, { link: 'https://x.example' }))).toEqual({
      name: 'page',
      link: 'https://x.example',
      description: '',
    })
    expect(toFileWish(content({ file_name: 'page.url' }))).toEqual({ name: 'page.url', link: null, description: '' })
  })
})
