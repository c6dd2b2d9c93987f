import { sourceIdOf } from './desk-of-harbour.ts'
import { type Fact, type Facts, keyOf, ofTable, sortedTexts, words } from './facts.ts'

// Compares Tryton's own database with the records in Harbour's.

interface Mechanism {
  type: string
  value: string
  active: boolean
}
const countryCodes: Record<string, string> = { Germany: 'DE', Japan: 'JP' }

const parsed = <Kind>(texts: unknown): Kind[] => (texts as string[]).map((text) => JSON.parse(text) as Kind)
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
/** Harbour stores these values as plain texts; other destinations store more. */
const plainOf = (values: unknown, field: string): string[] =>
  ((values as unknown[] | undefined) ?? []).map((one) => text(typeof one === 'object' ? (one as Fact)[field] : one))

/** Compares every field of the family, and reports lost and duplicate records. Returns the differences. */
export function comparePartiesInHarbour(source: Facts, there: Facts): string[] {
  const wrong: string[] = []
  const same = (what: string, one: unknown, other: unknown) => {
    const [left, right] = [JSON.stringify(one ?? null), JSON.stringify(other ?? null)]
    if (left !== right) wrong.push(`${what}: ${left.slice(0, 400)} became ${right.slice(0, 400)}`)
  }
  const all = (entity: string) => ofTable(there, entity)
  const hangingOn = (entity: string, id: string) => ({
    notes: all('notes')
      .filter(([, { related }]) => String(related).endsWith(`/${entity}/${id}`))
      .map(([, { body }]) => words(body, 'html'))
      .filter(Boolean)
      .sort(),
    files: all('attachments')
      .filter(([, { parent }]) => String(parent).endsWith(`/${entity}/${id}`))
      .map(([, { file_name }]) => text(file_name))
      .sort(),
  })
  const sameHanging = (what: string, fact: Fact, entity: string, id: string) => {
    const { notes, files } = hangingOn(entity, id)
    same(`${what} notes`, (fact.notes as string[]).map((note) => words(note, 'plain')).sort(), notes)
    const names = parsed<[name: string, type: string]>(fact.files)
    same(`${what} files`, names.map(([name, type]) => (type === 'link' ? `${name}.url` : name)).sort(), files)
  }

  const parties = ofTable(source, 'parties')
  for (const [id, party] of parties) {
    const what = `party ${id}`
    const entity = there.has(keyOf('accounts', id)) ? 'accounts' : 'contacts'
    const other = there.get(keyOf(entity, id))
    if (!other) {
      wrong.push(`${what} is lost`)
      continue
    }
    const wanted = text(party.name).trim() || `[${party.code}]`
    same(`${what} name`, wanted.slice(0, text(other.name).length || 1), text(other.name).trim())
    same(`${what} archived`, !party.active, other.is_archived ?? false)
    const mechanisms = parsed<Mechanism>(party.mechanisms).filter(({ active }) => active)
    const values = (...types: string[]) =>
      mechanisms
        .filter(({ type }) => types.includes(type))
        .map(({ value }) => value)
        .sort()
    same(`${what} emails`, values('email'), plainOf(other.emails, 'address').sort())
    same(`${what} phones`, values('phone', 'mobile', 'fax'), plainOf(other.phones, 'number').sort())
    same(`${what} websites`, values('website'), plainOf(other.websites, 'url').sort())
    const joined = (...parts: unknown[]) => parts.map(text).filter(Boolean).join('\n')
    const use = (one: Fact) => [one.invoice && 'billing', one.delivery && 'shipping'].filter(Boolean).join(' and ')
    same(
      `${what} addresses`,
      parsed<Fact>(party.addresses)
        .map((one) =>
          joined(
            ...[one.party_name, one.name, one.street, one.postal_code, one.city, one.subdivision],
            ...[countryCodes[text(one.country)], use(one)],
          ),
        )
        .filter(Boolean)
        .sort(),
      ((other.addresses as Fact[] | undefined) ?? [])
        .map((one) => joined(one.line1, one.line2, one.postal_code, one.city, one.region, one.country, one.type))
        .sort(),
    )
    same(
      `${what} tags`,
      parsed<{ path: string }>(party.categories)
        .map(({ path }) => path)
        .sort(),
      ((other.tags as unknown[] | undefined) ?? [])
        .map((tag) => there.get(keyOf('tags', sourceIdOf(tag)))?.name)
        .sort(),
    )
    same(`${what} code`, true, (other.custom as string[]).includes(JSON.stringify(['Party code', party.code])))
    sameHanging(what, party, entity, id)
  }
  same('number of parties', parties.length, all('accounts').length + all('contacts').length)

  for (const [id, deal] of ofTable(source, 'deals')) {
    const what = `deal ${id}`
    const other = there.get(keyOf('deals', id))
    if (!other) {
      wrong.push(`${what} is lost`)
      continue
    }
    same(`${what} name`, deal.description ?? `Opportunity ${deal.number}`, other.name)
    const { amount } = (other.value as { amount?: unknown } | undefined) ?? {}
    same(`${what} amount`, deal.amount, amount === undefined ? null : Number(amount))
    same(`${what} status`, { won: 'won', lost: 'lost', cancelled: 'lost' }[text(deal.state)] ?? 'open', other.status)
    same(
      `${what} stage`,
      text(deal.state),
      text(there.get(keyOf('stages', sourceIdOf(other.stage)))?.name).toLowerCase(),
    )
    same(`${what} lost reason`, text(deal.lost_reason), text(other.lost_reason))
    same(`${what} description`, words(deal.comment, 'plain'), words(other.description, 'plain'))
    const party = [other.account, ...((other.contacts as unknown[] | undefined) ?? [])].filter(Boolean)[0]
    same(`${what} party`, text(deal.party), party ? sourceIdOf(party) : '')
    sameHanging(what, deal, 'deals', id)
  }
  same('number of deals', ofTable(source, 'deals').length, all('deals').length)
  const ends = (one: unknown, other: unknown) => sortedTexts([text(one), text(other)].sort())
  same(
    'relations',
    sortedTexts(ofTable(source, 'relations').map(([, { from_, to }]) => ends(from_, to))),
    sortedTexts(all('relationships').map(([, { from, to }]) => ends(sourceIdOf(from), sourceIdOf(to)))),
  )
  return wrong
}
