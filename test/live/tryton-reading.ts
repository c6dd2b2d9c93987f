import { describe, expect, test } from 'vitest'
import type { FamilyRecord } from '../../service/src/families/record.ts'
import { readAll } from '../connectors/reader-contract.ts'
import type { LiveTryton } from './tryton-accounts.ts'
import { readEntity } from './tryton-move.ts'
import { oddText, signIn } from './tryton-seed.ts'

/** Tests how the seed of a source is read. */
export function describeReading(live: LiveTryton): void {
  describe('reading', () => {
    let parties: FamilyRecord[] | null = null
    const byCode = async (code: string): Promise<FamilyRecord> => {
      parties ??= [...(await readEntity(live.reader(), 'accounts')), ...(await readEntity(live.reader(), 'contacts'))]
      const party = parties.find(({ customFields }) => customFields?.code?.value === code)
      if (!party) throw new Error(`no party ${code}`)
      return party
    }

    test('people and organisations are told apart by what the data say', async () => {
      const kinds: Record<string, string> = {}
      for (const code of ['OWN', 'E-1', 'S-01', 'S-02', 'S-03', 'S-04', 'S-05', 'S-09', 'S-10']) {
        kinds[code] = (await byCode(code)).entity
      }
      expect(kinds).toEqual({
        OWN: 'accounts',
        'E-1': 'contacts',
        'S-01': 'accounts',
        'S-02': 'contacts',
        'S-03': 'contacts',
        'S-04': 'accounts',
        'S-05': 'contacts',
        'S-09': 'accounts',
        'S-10': 'contacts',
      })
    })

    test('an organisation comes with everything that is its own', async () => {
      const { fields, customFields } = await byCode('S-01')
      expect(fields).toEqual({
        name: 'Brücke & Söhne',
        emails: [
          { address: 'info@bruecke.example', type: 'Büro', isPrimary: true },
          { address: 'zweite@bruecke.example', isPrimary: false },
        ],
        phones: [
          { number: '+49 221 1002003', type: 'phone' },
          { number: '+49 221 1002004', type: 'fax' },
        ],
        addresses: [
          {
            type: 'billing',
            line1: 'Große Straße 1',
            line2: '2. Etage',
            postalCode: '80331',
            city: 'München',
            region: 'Bayern',
            country: 'DE',
          },
          { type: 'shipping', line1: 'Söhne', line2: 'Haus B\nHafen 2', city: 'Köln', country: 'DE' },
          { city: 'Nirgendwo' },
        ],
        websites: ['https://bruecke.example/ü'],
        tags: [expect.anything(), expect.anything()],
        is_archived: false,
        language: 'de',
        vat_number: 'BE0897290877',
        parent_account: null,
      })
      expect(Object.fromEntries(Object.entries(customFields ?? {}).map(([key, { value }]) => [key, value]))).toEqual({
        code: 'S-01',
        identifiers: ['BE0897290877 | eu_vat', 'KD-1'],
        contact_mechanisms: [
          'email | zweite@bruecke.example |  | nur \\| montags \\\\ vormittags',
          'fax | +49 221 1002004 | Lager',
          'skype | bruecke.soehne',
          'email | alt@bruecke.example |  |  | inactive',
        ],
        address_parts: ['2 | Söhne | Haus B', '3 |  |  | inactive'],
      })
    })

    test('employments are known, written from either side', async () => {
      const employer = { entity: 'accounts', sourceId: (await byCode('S-01')).sourceId }
      expect((await byCode('S-02')).fields.accounts).toEqual([employer])
      expect((await byCode('S-03')).fields.accounts).toEqual([employer])
      expect((await byCode('S-04')).fields).toMatchObject({ parent_account: employer, is_archived: true })
      const relationships = await readEntity(live.reader(), 'relationships')
      expect(relationships.map(({ fields }) => [fields.type, fields.reverse_type]).sort()).toEqual([
        ['beschäftigt', 'ist angestellt bei'],
        ['ist angestellt bei', 'beschäftigt'],
        ['knows of', null],
        ['subsidiary of', 'parent company of'],
      ])
    })

    test('deals keep amounts, old dates and what was said', async () => {
      const deals = new Map((await readEntity(live.reader(), 'deals')).map((deal) => [deal.fields.name, deal]))
      const crane = deals.get('Crane 👩‍🚀')
      expect(crane?.fields).toMatchObject({
        value: { amount: '12345.67', currency: 'EUR' },
        status: 'open',
        probability: 50,
        account: { entity: 'accounts' },
        contacts: [{ entity: 'contacts' }],
        description: oddText,
      })
      expect(crane?.customFields?.contact?.value).toBe('+49 1511 2345678')
      expect(deals.get('Keel')?.fields).toMatchObject({ status: 'won', closed_at: '1965-02-03T00:00:00.000Z' })
      expect(deals.get('Mast')?.fields).toMatchObject({ status: 'lost', lost_reason: 'Preis – „leider“' })
      expect(deals.get('Nobody’s')?.customFields?.start_date?.value).toBe('1969-12-31')
      expect(deals.get('Opportunity N-77')?.fields.stage).toEqual({ entity: 'stages', sourceId: 'cancelled' })
    })

    test('a note of a former user keeps its author, and a note without a parent is left out', async () => {
      const users = await readAll((cursor) => live.reader().users(cursor))
      const gwen = users.find(({ name }) => name === 'Gone Gwen')
      expect(gwen).toMatchObject({ email: 'gwen@werft.example', isActive: false })
      const notes = await readEntity(live.reader(), 'notes')
      expect(notes[0]?.createdBy).toEqual({ userId: gwen?.id })
      expect(notes[0]?.fields.body).toEqual({ format: 'plain', body: oddText })
      expect(notes.map(({ fields }) => (fields.body as { body: string }).body)).not.toContain('orphan')
    })

    test('some are read by their ids, or by their parents', async () => {
      const read = live.reader(20)
      const { sourceId } = await byCode('S-03')
      const some = await read.readSome?.('contacts', { ids: [sourceId, '999999', 'nonsense'] }, null)
      expect(some?.items.map((record) => record.sourceId)).toEqual([sourceId])
      // The party is a person, so it is no account.
      expect((await read.readSome?.('accounts', { ids: [sourceId] }, null))?.items).toEqual([])
      const parents = [{ entity: 'contacts', sourceId }]
      const notes = await readAll(async (cursor) => (await read.readSome?.('notes', { parents }, cursor)) as never)
      expect(notes).toHaveLength(30)
      const relations = await read.readSome?.(
        'relationships',
        { parents: [{ entity: 'contacts', sourceId: (await byCode('S-02')).sourceId }] },
        null,
      )
      expect(relations?.items).toHaveLength(2)
    })

    test('a new address of a party is a change of that party', async () => {
      const here = await signIn(live.source())
      const { sourceId } = await byCode('T-22')
      const since = new Date().toISOString()
      await here.create('party.address', { party: Number(sourceId), city: `City ${since}` })
      const changed = await readAll((cursor) => live.reader().read('contacts', cursor, { since }))
      expect(changed.map((record) => record.sourceId)).toEqual([sourceId])
    })
  })
}
