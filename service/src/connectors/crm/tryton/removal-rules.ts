import type { RemovableRecord } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { readResource } from './deals-to-family.ts'
import { all, type Directory } from './directory.ts'
import { findAboutNotes } from './find-marked.ts'
import { loadRelations } from './load-parties.ts'
import { isMarker, markerOf } from './marker.ts'
import { takeRow } from './schema.ts'

// Tryton deletes a party although others use it: opportunities lose it, notes and files hang in the air. So what people
// have hung on a record of ours since keeps it.

type Reasons = Map<number, string>

export async function reasonsToKeepParties(
  api: TrytonApi,
  directory: Directory,
  records: readonly RemovableRecord[],
  ids: readonly number[],
): Promise<Reasons> {
  const models = await directory.models()
  const reasons: Reasons = new Map()
  const abouts = await findAboutNotes(api, toParties(records))
  await addChildren(api, 'party.party', ids, new Set([...abouts.values()].map(({ id }) => id)), reasons)
  if (models.has('sale.opportunity')) {
    const used = ['OR', ['party', 'in', ids], ['contact.party', 'in', ids]]
    for (const { party, contact } of await all(api, 'sale.opportunity', used, ['party', 'contact'])) {
      const owner = ids.includes(party ?? -1) ? party : await partyOfContact(api, contact)
      if (owner) reasons.set(owner, 'An opportunity uses it.')
    }
  }
  for (const model of ['company.company', 'company.employee'] as const) {
    if (!models.has(model)) continue
    for (const { party } of await all(api, model, [['party', 'in', ids]], ['party'])) {
      if (party !== undefined) reasons.set(party, 'It is a company or an employee of this Tryton.')
    }
  }
  // From both sides: a type without a reverse is seen from one only.
  const relations = await loadRelations(api, directory, ids, ['from_', 'to'])
  const sides = relations.flatMap(({ from_, to }) =>
    from_ === undefined || to === undefined
      ? []
      : ([
          [from_, to],
          [to, from_],
        ] as const),
  )
  const pairs = sides.filter(([own, other]) => ids.includes(own) && !ids.includes(other))
  const others = [...new Set(pairs.map(([, other]) => other))]
  const marks =
    others.length === 0 ? [] : await all(api, 'party.identifier', [['party', 'in', others]], ['party', 'code'])
  const ours = new Set(marks.filter(({ code = '' }) => isMarker(code)).map(({ party }) => party))
  for (const [own, other] of pairs) {
    if (!ours.has(other)) reasons.set(own, 'Someone has related it to a party that was not imported.')
  }
  return reasons
}

/** The note about a party goes with it; Tryton would leave it behind. */
export async function removeAboutNotes(
  api: TrytonApi,
  records: readonly RemovableRecord[],
  ids: readonly number[],
): Promise<void> {
  const notes = await findAboutNotes(
    api,
    toParties(records).filter(({ id }) => ids.includes(id)),
  )
  if (notes.size > 0) {
    await api.remove(
      'ir.note',
      [...notes.values()].map(({ id }) => id),
    )
  }
}

export async function reasonsToKeepDeals(
  api: TrytonApi,
  records: readonly RemovableRecord[],
  ids: readonly number[],
): Promise<Reasons> {
  const reasons: Reasons = new Map()
  const own = await markerNotes(api, records, ids)
  await addChildren(api, 'sale.opportunity', ids, new Set(own), reasons)
  const rows = await api.search('sale.opportunity', [['id', 'in', ids]], { fields: ['sales'] })
  for (const raw of rows) {
    const { sales } = raw as { sales?: unknown }
    if (Array.isArray(sales) && sales.length > 0) reasons.set(raw.id, 'There are sales that came of it.')
  }
  return reasons
}

/** Only what is cancelled can be deleted, and Tryton cancels only what is still open. */
export async function prepareDealsToGo(
  api: TrytonApi,
  records: readonly RemovableRecord[],
  ids: readonly number[],
): Promise<void> {
  const closed = [
    ['id', 'in', ids],
    ['state', 'in', ['converted', 'won', 'lost']],
  ]
  const rows = await api.search('sale.opportunity', closed, { fields: ['state'] })
  if (rows.length > 0) {
    await api.write(
      'sale.opportunity',
      rows.map(({ id }) => id),
      { state: 'cancelled' },
    )
  }
  const notes = await markerNotes(api, records, ids)
  if (notes.length > 0) await api.remove('ir.note', notes)
}

async function markerNotes(
  api: TrytonApi,
  records: readonly RemovableRecord[],
  ids: readonly number[],
): Promise<number[]> {
  const markers = records
    .filter(({ destinationId }) => ids.includes(Number(destinationId)))
    .map(({ key }) => markerOf(key))
  const domain = [
    ['message', 'in', markers],
    ['resource', 'in', ids.map((id) => `sale.opportunity,${id}`)],
  ]
  return (await api.search('ir.note', domain, { fields: ['resource'] })).map(({ id }) => id)
}

async function addChildren(
  api: TrytonApi,
  model: string,
  ids: readonly number[],
  ownNotes: ReadonlySet<number>,
  reasons: Reasons,
): Promise<void> {
  const domain = [['resource', 'in', ids.map((id) => `${model},${id}`)]]
  const note = 'There are notes on it.'
  const file = 'There are files on it.'
  for (const [child, reason] of [
    ['ir.note', note],
    ['ir.attachment', file],
  ] as const) {
    for (const raw of await api.search(child, domain, { fields: ['resource'] })) {
      const owner = readResource(takeRow(child, raw).row.resource)
      if (owner && !ownNotes.has(child === 'ir.note' ? raw.id : -1)) reasons.set(owner.id, reason)
    }
  }
}

async function partyOfContact(api: TrytonApi, contact: number | null | undefined): Promise<number | null> {
  if (!contact) return null
  const [mechanism] = await all(api, 'party.contact_mechanism', [['id', '=', contact]], ['party'])
  return mechanism?.party ?? null
}

const toParties = (records: readonly RemovableRecord[]) =>
  records.map(({ key, destinationId }) => ({ key, id: Number(destinationId) }))
