import { readResource } from './deals-to-family.ts'
import { loadRelations } from './load-parties.ts'
import { isMarker } from './marker.ts'
import type { Tryton } from './tryton.ts'

// Tryton deletes a party even if other records use it: opportunities lose their party, notes and files their parent.
// So we keep a party or deal that people have used since the import.

/** Reasons by the id of the party or deal. */
type Reasons = Map<number, string>

export async function reasonsToKeepParties(tryton: Tryton, ids: readonly number[], ownNotes: readonly number[]) {
  const reasons = await reasonsBelow(tryton, 'party.party', ids, ownNotes)
  if (await tryton.has('sale.opportunity')) {
    const used = ['OR', ['party', 'in', ids], ['contact.party', 'in', ids]]
    const deals = await tryton.rows('sale.opportunity', used, ['party', 'contact'])
    const contactIds = deals.flatMap(({ contact }) => contact ?? [])
    const contacts = await tryton.rowsIn('party.contact_mechanism', 'id', contactIds, ['party'])
    for (const { party } of [...deals, ...contacts]) if (party) reasons.set(party, 'An opportunity uses it.')
  }
  for (const model of ['company.company', 'company.employee'] as const) {
    for (const { party } of (await tryton.has(model)) ? await tryton.rowsIn(model, 'party', ids, ['party']) : []) {
      if (party !== undefined) reasons.set(party, 'It is a company or an employee of this Tryton.')
    }
  }
  // Relations are loaded from both sides, because a type without a reverse is visible from one side only.
  const relations = await loadRelations(tryton, ids, ['from_', 'to'])
  const pairs = relations.flatMap(({ from_ = 0, to = 0 }) => [
    { own: from_, other: to },
    { own: to, other: from_ },
  ])
  const outwards = pairs.filter(({ own, other }) => ids.includes(own) && other !== 0 && !ids.includes(other))
  const others = outwards.map(({ other }) => other)
  const marks = await tryton.rowsIn('party.identifier', 'party', others, ['party', 'code'])
  const ours = new Set(marks.filter(({ code = '' }) => isMarker(code)).map(({ party }) => party))
  for (const { own, other } of outwards) {
    if (!ours.has(other)) reasons.set(own, 'Someone has related it to a party that was not imported.')
  }
  return reasons
}

export async function reasonsToKeepDeals(tryton: Tryton, ids: readonly number[], ownNotes: readonly number[]) {
  const reasons = await reasonsBelow(tryton, 'sale.opportunity', ids, ownNotes)
  for (const raw of await tryton.search('sale.opportunity', [['id', 'in', ids]], ['sales'])) {
    const { sales } = raw as { sales?: unknown }
    if (Array.isArray(sales) && sales.length > 0) reasons.set(raw.id, 'Sales were made from it.')
  }
  return reasons
}

/** Finds notes and files of these records, except our own notes. */
async function reasonsBelow(tryton: Tryton, model: string, ids: readonly number[], ownNotes: readonly number[]) {
  const resources = ids.map((id) => `${model},${id}`)
  const reasons: Reasons = new Map()
  const note = (resource: string | null | undefined, reason: string) =>
    reasons.set(readResource(resource)?.id ?? -1, reason)
  for (const { id, resource } of await tryton.rowsIn('ir.note', 'resource', resources, ['resource'])) {
    if (!ownNotes.includes(id)) note(resource, 'There are notes on it.')
  }
  for (const { resource } of await tryton.rowsIn('ir.attachment', 'resource', resources, ['resource'])) {
    note(resource, 'There are files on it.')
  }
  return reasons
}
