import { readResource } from './deals-to-family.ts'
import { indexPeople } from './list-people.ts'
import { loadKinds } from './load-parties.ts'
import type { Row } from './schema.ts'
import type { Tryton } from './tryton.ts'

/** At most this many children are counted. The counts only help to choose a good sample. */
const mostCounted = 5_000

/** Counts the notes and files of each record. */
export async function countChildren(
  tryton: Tryton,
  model: 'party.party' | 'sale.opportunity',
  rows: readonly { id: number }[],
): Promise<Map<number, Record<string, number>>> {
  const counts = new Map<number, Record<string, number>>()
  if (rows.length === 0) return counts
  const domain = [['resource', 'in', rows.map(({ id }) => `${model},${id}`)]]
  for (const [entity, child] of Object.entries({ notes: 'ir.note', attachments: 'ir.attachment' })) {
    for (const raw of await tryton.search(child, domain, ['resource'], mostCounted)) {
      const id = readResource(textIn(raw, 'resource'))?.id
      if (id === undefined) continue
      const own = counts.get(id) ?? {}
      counts.set(id, { ...own, [entity]: (own[entity] ?? 0) + 1 })
    }
  }
  return counts
}

export type ChildNames = Awaited<ReturnType<typeof loadChildNames>>
export type DealNames = Awaited<ReturnType<typeof loadDealNames>>

/** Loads the names that notes and files refer to. */
export async function loadChildNames(tryton: Tryton, rows: readonly { resource?: string | null }[]) {
  const places = rows.map(({ resource }) => readResource(resource))
  const parties = places.flatMap((place) => (place?.model === 'party.party' ? [place.id] : []))
  return { kinds: await loadKinds(tryton, parties), people: indexPeople(await tryton.people()) }
}

/** Loads the names that these opportunities refer to. */
export async function loadDealNames(tryton: Tryton, rows: readonly Row<'sale.opportunity'>[]) {
  const idsOf = (field: 'contact' | 'address' | 'payment_term') => [...new Set(rows.flatMap((row) => row[field] ?? []))]
  const named = async (model: string, ids: readonly number[], field: string) => {
    const found = ids.length === 0 ? [] : await tryton.search(model, [['id', 'in', ids]], [field])
    return new Map(found.map((raw) => [raw.id, textIn(raw, field)]))
  }
  const lineIds = rows.flatMap(({ lines }) => lines ?? [])
  const [mechanisms, addresses, paymentTerms, lines, currencies, people, childCounts] = await Promise.all([
    tryton.rowsIn('party.contact_mechanism', 'id', idsOf('contact'), ['party', 'value']),
    named('party.address', idsOf('address'), 'full_address'),
    named('account.invoice.payment_term', idsOf('payment_term'), 'rec_name'),
    lineIds.length === 0 ? new Map<number, string[]>() : loadLines(tryton, lineIds),
    tryton.currencies(),
    tryton.people(),
    countChildren(tryton, 'sale.opportunity', rows),
  ])
  const parties = [...rows, ...mechanisms].flatMap(({ party }) => party ?? [])
  return {
    kinds: await loadKinds(tryton, parties),
    currencies,
    /** Value and party of each contact mechanism. */
    mechanisms: new Map(mechanisms.map(({ id, value, party }) => [id, { value: value ?? '', party: party ?? -1 }])),
    addresses,
    paymentTerms,
    /** Product lines by opportunity. */
    lines,
    people: indexPeople(people),
    childCounts,
    urlOf: (id: number) => tryton.urlOf('sale.opportunity', id),
  }
}

/** Describes product lines in words, such as "3 Piece × Rake", because products are not copied. */
async function loadLines(tryton: Tryton, ids: readonly number[]): Promise<Map<number, string[]>> {
  const fields = ['opportunity', 'quantity', 'unit.rec_name', 'product.rec_name']
  const byDeal = new Map<number, string[]>()
  for (const raw of await tryton.search('sale.opportunity.line', [['id', 'in', ids]], fields)) {
    const line = raw as { opportunity?: unknown; quantity?: unknown; 'unit.'?: unknown; 'product.'?: unknown }
    const deal = typeof line.opportunity === 'number' ? line.opportunity : -1
    const quantity = typeof line.quantity === 'number' ? String(line.quantity) : ''
    const text = `${quantity} ${textIn(line['unit.'], 'rec_name')} × ${textIn(line['product.'], 'rec_name')}`.trim()
    byDeal.set(deal, [...(byDeal.get(deal) ?? []), text])
  }
  return byDeal
}

function textIn(value: unknown, field: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : null
  return typeof found === 'string' ? found : ''
}
