import { afterAll, describe, expect, test } from 'vitest'
import { createRecords, type LiveTryton, textField } from './tryton-accounts.ts'
import { readEntity } from './tryton-move.ts'

/** Tests of single records with odd values, and of Tryton's objections to them. */
export function describeSingleRecords(live: LiveTryton): void {
  describe('single records', () => {
    const { open, outgoing, write, writeOne, findOne, removeAll } = createRecords(live)
    afterAll(removeAll)

    test.each([
      ['tabs and newlines', 'a\tb\nc\r\nd'],
      ['NUL and half a character', 'a\0b\ud83dc'],
      ['right to left', '‮שלום عربى'],
      ['emoji', '👩‍🚀👨‍👩‍👧‍👦 𝒳'],
      ['markup', '<b>x</b> *y* _z_ h1. [a](b) "q" &amp; %s \\'],
      ['very long', 'ü'.repeat(50_000)],
      ['spaces', '  spaces  '],
    ])('%s in every text are stored as asStored says', async (name, odd) => {
      const party = outgoing('contacts', `odd ${name}`, {
        name: odd,
        emails: [{ address: odd, type: odd }],
        addresses: [{ line1: odd, city: odd, region: odd, country: odd }],
        websites: [odd],
        description: odd,
      })
      party.customFields = {
        ...textField('identifiers', [odd]),
        ...textField('contact_mechanisms', [`skype | ${odd}`]),
      }
      const { destinationId } = await writeOne('contacts', party)
      expect((await findOne('contacts', party))?.fields).toEqual((await open().asStored('contacts', party)).fields)
      const related = { entity: 'contacts', key: party.key, destinationId }
      const note = outgoing('notes', `odd ${name}`, { related, title: odd, body: odd })
      await writeOne('notes', note)
      expect((await findOne('notes', note))?.fields).toEqual((await open().asStored('notes', note)).fields)
      const deal = outgoing('deals', `odd ${name}`, {
        name: odd,
        description: odd,
        lost_reason: odd,
        source: odd,
        status: 'lost',
      })
      deal.customFields = textField('reference', odd)
      await writeOne('deals', deal)
      expect((await findOne('deals', deal))?.fields).toEqual((await open().asStored('deals', deal)).fields)
    })

    test('one that is refused does not take the others down', async () => {
      const records = Array.from({ length: 9 }, (_, index) =>
        outgoing('contacts', `batch ${index}`, {
          name: `Batch ${index}`,
          ...(index === 4 ? { tags: [{ entity: 'tags', key: 'x', destinationId: '999999' }] } : {}),
        }),
      )
      const outcomes = await write('contacts', ...records)
      expect(outcomes.map(({ result }) => result)).toEqual(
        records.map((_, index) => (index === 4 ? 'refused' : 'written')),
      )
      expect(outcomes[4]).toMatchObject({ result: 'refused', message: expect.stringMatching(/\w{3}/) })
      expect(await findOne('contacts', { key: 'imp_one/contacts/batch 4' })).toBeUndefined()
    })

    test('a VAT number and a phone number that Tryton finds invalid are kept nevertheless', async () => {
      const account = outgoing('accounts', 'unbelievable', {
        name: 'Unbelievable Ltd',
        vat_number: 'BE123',
        phones: [
          { number: '12', type: 'mobile' },
          { number: '+49 221 1002003', type: 'work' },
        ],
      })
      await writeOne('accounts', account)
      expect((await findOne('accounts', account))?.fields).toEqual((await open().asStored('accounts', account)).fields)
      const [read] = (await readEntity(live.copyReader(), 'accounts')).filter(
        ({ fields }) => fields.name === 'Unbelievable Ltd',
      )
      expect(read?.fields.phones).toContainEqual({ number: '12', type: 'mobile' })
      expect(read?.customFields?.identifiers?.value).toEqual(['BE123'])
    })

    test('a code that is taken gets letters after it, and the numbering of parties moves on', async () => {
      const [first, second, third] = ['one', 'two', 'three'].map((name) =>
        outgoing('contacts', `code ${name}`, { name }),
      )
      if (!first || !second || !third) throw new Error('three')
      first.customFields = textField('code', '700001')
      second.customFields = textField('code', '700001')
      const ids = (await write('contacts', first, second, third)).map((outcome) =>
        Number(outcome.result === 'written' ? outcome.destinationId : 0),
      )
      const codes = await live.there().read<{ id: number; code: string }>('party.party', [['id', 'in', ids]], ['code'])
      expect(codes[0]?.code).toBe('700001')
      expect(codes[1]?.code).toMatch(/^700001~[0-9a-f]{6}$/)
      expect(codes[2]?.code).toBe('700002')
    })

    test('money of another currency, or finer than it is counted, is said in words', async () => {
      const usd = outgoing('deals', 'usd', {
        name: 'Dollars',
        status: 'lost',
        value: { amount: '12.50', currency: 'USD' },
      })
      const fine = outgoing('deals', 'fine', {
        name: 'Fine',
        status: 'lost',
        value: { amount: '0.125', currency: 'EUR' },
        description: 'x',
      })
      for (const deal of [usd, fine]) {
        await writeOne('deals', deal)
        expect((await findOne('deals', deal))?.fields).toEqual((await open().asStored('deals', deal)).fields)
      }
      const rows = await live
        .there()
        .read<{ amount: unknown; comment: string }>(
          'sale.opportunity',
          [['description', 'in', ['Dollars', 'Fine']]],
          ['amount', 'comment'],
        )
      expect(rows.map(({ amount, comment }) => [amount, comment])).toEqual([
        [null, 'Value: 12.50 USD'],
        [null, 'x\n\nValue: 0.125 EUR'],
      ])
    })

    test('a deal that was won needs an owner, an open one becomes a lead', async () => {
      const [won, lead] = await write(
        'deals',
        outgoing('deals', 'won', { name: 'Won', status: 'won' }),
        outgoing('deals', 'open', { name: 'Open', status: 'open' }),
      )
      expect(won).toMatchObject({ result: 'refused', message: expect.stringContaining('employee') })
      expect(lead?.result).toBe('written')
      expect((await findOne('deals', { key: 'imp_one/deals/open' }))?.fields.state).toBe('lead')
    })
  })
}
