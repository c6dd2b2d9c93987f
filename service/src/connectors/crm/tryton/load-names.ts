import type { TrytonApi } from './api.ts'
import { type DealNames, readResource } from './deals-to-family.ts'
import { all, type Directory } from './directory.ts'
import { groupBy, loadKinds } from './load-parties.ts'
import { indexPeople } from './map-record.ts'
import type { Row } from './schema.ts'

/** More than so many are not counted one by one; it only helps to choose a good sample. */
const mostCounted = 5_000

/** How many notes and files hang on each. */
export async function countChildren(
  api: TrytonApi,
  model: 'party.party' | 'sale.opportunity',
  ids: readonly number[],
): Promise<Map<number, Record<string, number>>> {
  const counts = new Map<number, Record<string, number>>()
  if (ids.length === 0) return counts
  const domain = [['resource', 'in', ids.map((id) => `${model},${id}`)]]
  for (const [entity, child] of [
    ['notes', 'ir.note'],
    ['attachments', 'ir.attachment'],
  ] as const) {
    const rows = await api.search(child, domain, { fields: ['resource'], limit: mostCounted })
    for (const raw of rows) {
      const id = readResource((raw as { resource?: string }).resource)?.id
      if (id === undefined) continue
      const own = counts.get(id) ?? {}
      counts.set(id, { ...own, [entity]: (own[entity] ?? 0) + 1 })
    }
  }
  return counts
}

export async function resourceKinds(
  api: TrytonApi,
  directory: Directory,
  resources: readonly (string | null | undefined)[],
) {
  const found = resources.map(readResource)
  return loadKinds(
    api,
    directory,
    found.flatMap((resource) => (resource?.model === 'party.party' ? [resource.id] : [])),
  )
}

/** What the ids in these opportunities mean. */
export async function loadDealNames(
  api: TrytonApi,
  directory: Directory,
  rows: readonly Row<'sale.opportunity'>[],
): Promise<DealNames> {
  const idsOf = (field: 'contact' | 'address' | 'payment_term') => [...new Set(rows.flatMap((row) => row[field] ?? []))]
  const named = async (model: string, ids: readonly number[], field: string) => {
    if (ids.length === 0) return new Map<number, string>()
    const found = await api.search(model, [['id', 'in', ids]], { fields: [field] })
    return new Map(found.map((raw) => [raw.id, textIn(raw, field)]))
  }
  const contactIds = idsOf('contact')
  const [mechanisms, addresses, paymentTerms, lines, currencies, people, childCounts] = await Promise.all([
    contactIds.length === 0 ? [] : all(api, 'party.contact_mechanism', [['id', 'in', contactIds]], ['party', 'value']),
    named('party.address', idsOf('address'), 'full_address'),
    named('account.invoice.payment_term', idsOf('payment_term'), 'rec_name'),
    loadLines(
      api,
      rows.flatMap(({ lines: ids }) => ids ?? []),
    ),
    directory.currencies(),
    directory.people(),
    countChildren(
      api,
      'sale.opportunity',
      rows.map(({ id }) => id),
    ),
  ])
  const parties = [...rows.flatMap(({ party }) => party ?? []), ...mechanisms.flatMap(({ party }) => party ?? [])]
  return {
    kinds: await loadKinds(api, directory, parties),
    currencies,
    mechanisms: new Map(mechanisms.map(({ id, value, party }) => [id, { value: value ?? '', party: party ?? -1 }])),
    addresses,
    paymentTerms,
    lines,
    people: indexPeople(people),
    childCounts,
    urlOf: (id) => api.urlOf('sale.opportunity', id),
  }
}

/** "3 Piece × Rake": products do not move, but what was asked for is worth reading. */
async function loadLines(api: TrytonApi, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const fields = ['opportunity', 'quantity', 'unit.rec_name', 'product.rec_name']
  const rows = (await api.search('sale.opportunity.line', [['id', 'in', ids]], { fields })) as (Record<
    string,
    unknown
  > & {
    id: number
  })[]
  const byDeal = groupBy(rows, ({ opportunity }) => (typeof opportunity === 'number' ? opportunity : undefined))
  return new Map(
    [...byDeal].map(([deal, own]) => [
      deal,
      own.map((line) => {
        const quantity = typeof line.quantity === 'number' ? String(line.quantity) : ''
        return `${quantity} ${textIn(line['unit.'], 'rec_name')} × ${textIn(line['product.'], 'rec_name')}`.trim()
      }),
    ]),
  )
}

function textIn(value: unknown, field: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : null
  return typeof found === 'string' ? found : ''
}
