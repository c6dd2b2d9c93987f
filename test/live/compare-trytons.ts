import { type Fact, type Facts, newFacts, ofTable, sortedTexts } from './facts.ts'
import type { LedgerRecord } from './pair-service.ts'

/**
 * Compares every field of every party, relation and deal, and reports lost and duplicate records. Returns the
 * differences.
 */
export function compareTrytons(source: Facts, before: Facts, now: Facts, records: readonly LedgerRecord[]): string[] {
  const made = newFacts(before, now)
  const wrong: string[] = []
  const same = (what: string, one: unknown, other: unknown) => {
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)]
    if (left !== right) wrong.push(`${what}: ${left?.slice(0, 300)} became ${right?.slice(0, 300)}`)
  }
  const idsOf = (...entities: string[]) =>
    new Map(
      records
        .filter(({ entity }) => entities.includes(entity))
        .map((row) => [row.source_id, String(row.destination_id)]),
    )
  const partyIds = idsOf('accounts', 'contacts')
  const partyOf = (id: unknown) => (id === null ? null : (partyIds.get(String(id)) ?? 'lost'))
  compareAll('parties', partyIds, comparePartys)
  compareAll('deals', idsOf('deals'), compareDeals)
  // A relation can be stated from both sides.
  const relation = (fact: Fact, toId: (id: unknown) => unknown) => {
    const told = [fact.type, toId(fact.from_), toId(fact.to)]
    const [first] = sortedTexts(fact.reverse ? [told, [fact.reverse, toId(fact.to), toId(fact.from_)]] : [told])
    return first
  }
  same(
    'relations',
    sortedTexts(ofTable(source, 'relations').map(([, fact]) => relation(fact, partyOf))),
    sortedTexts(ofTable(made, 'relations').map(([, fact]) => relation(fact, String))),
  )
  return wrong

  function compareAll(
    table: string,
    ids: ReadonlyMap<string, string>,
    compare: (what: string, one: Fact, other: Fact) => void,
  ) {
    const all = ofTable(source, table)
    const there = new Map(ofTable(made, table))
    same(`number of ${table}`, all.length, there.size)
    for (const [id, fact] of all) {
      const other = there.get(String(ids.get(id)))
      if (other) compare(`${table} ${id}`, fact, other)
      else wrong.push(`${table} ${id} is lost`)
    }
  }

  function comparePartys(
    what: string,
    { code, name, ...one }: Fact,
    { code: otherCode, name: otherName, ...other }: Fact,
  ) {
    // A code that is in use gets some more letters.
    if (String(otherCode).split('~')[0] !== code) wrong.push(`${what} code: ${code} became ${otherCode}`)
    // The substitute for a missing name.
    same(`${what} name`, name === null ? `[${code}]` : String(name).trim(), String(otherName ?? '').trim())
    for (const field of Object.keys(one)) same(`${what} ${field}`, one[field], other[field])
  }

  function compareDeals(what: string, { party, description, ...one }: Fact, { party: otherParty, ...other }: Fact) {
    same(`${what} description`, description ?? `Opportunity ${one.number}`, other.description)
    same(`${what} party`, partyOf(party), otherParty === null ? null : String(otherParty))
    for (const field of Object.keys(one)) same(`${what} ${field}`, one[field], other[field])
  }
}
