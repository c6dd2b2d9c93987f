import { readResource } from './deals-to-family.ts'
import { findAboutNotes } from './find-marked.ts'
import { loadRelations } from './load-parties.ts'
import { isMarker, markerOf } from './marker.ts'
import type { Tryton } from './tryton.ts'
import type { Wanted } from './write-tasks.ts'

// Tryton deletes a party even if other records use it: opportunities lose their party, notes and files their parent.
// So we keep a party or deal that people have used since the import.

type Reasons = Map<number, string>

export async function reasonsToKeepParties(tryton: Tryton, parties: readonly Wanted[]): Promise<Reasons> {
  const models = await tryton.models()
  const ids = parties.map(({ id }) => id)
  const abouts = await findAboutNotes(tryton, parties)
  const own = [...abouts.values()].map(({ id }) => id)
  const reasons = await reasonsBelow(tryton, 'party.party', ids, own)
  if (models.has('sale.opportunity')) {
    const used = ['OR', ['party', 'in', ids], ['contact.party', 'in', ids]]
    const deals = await tryton.rows('sale.opportunity', used, ['party', 'contact'])
    const foreign = deals.filter(({ party }) => !ids.includes(party ?? -1)).flatMap(({ contact }) => contact ?? [])
    const contacts = await tryton.rowsIn('party.contact_mechanism', 'id', foreign, ['party'])
    for (const { party } of [...deals, ...contacts]) if (party) reasons.set(party, 'An opportunity uses it.')
  }
  for (const model of ['company.company', 'company.employee'] as const) {
    for (const { party } of models.has(model) ? await tryton.rowsIn(model, 'party', ids, ['party']) : []) {
      if (party !== undefined) reasons.set(party, 'It is a company or an employee of this Tryton.')
    }
  }
  // Relations are loaded from both sides, because a type without a reverse is visible from one side only.
  const relations = await loadRelations(tryton, ids, ['from_', 'to'])
  const whole = relations.filter(({ from_, to }) => from_ !== undefined && to !== undefined)
  const sides = whole.flatMap(({ from_ = 0, to = 0 }) => [
    { own: from_, other: to },
    { own: to, other: from_ },
  ])
  const pairs = sides.filter(({ own, other }) => ids.includes(own) && !ids.includes(other))
  const others = [...new Set(pairs.map(({ other }) => other))]
  const marks = await tryton.rowsIn('party.identifier', 'party', others, ['party', 'code'])
  const ours = new Set(marks.filter(({ code = '' }) => isMarker(code)).map(({ party }) => party))
  for (const { own, other } of pairs) {
    if (!ours.has(other)) reasons.set(own, 'Someone has related it to a party that was not imported.')
  }
  return reasons
}

/** Removes the "about" note of each party, because Tryton would leave it behind. */
export async function removeAboutNotes(tryton: Tryton, parties: readonly Wanted[]): Promise<void> {
  const notes = [...(await findAboutNotes(tryton, parties)).values()].map(({ id }) => id)
  if (notes.length > 0) await tryton.remove('ir.note', notes)
}

export async function reasonsToKeepDeals(tryton: Tryton, deals: readonly Wanted[]): Promise<Reasons> {
  const ids = deals.map(({ id }) => id)
  const reasons = await reasonsBelow(tryton, 'sale.opportunity', ids, await markerNotes(tryton, deals))
  for (const raw of await tryton.search('sale.opportunity', [['id', 'in', ids]], { fields: ['sales'] })) {
    const { sales } = raw as { sales?: unknown }
    if (Array.isArray(sales) && sales.length > 0) reasons.set(raw.id, 'Sales were made from it.')
  }
  return reasons
}

/** Tryton deletes only cancelled opportunities, and cancels only open ones. */
export async function prepareDealsToGo(tryton: Tryton, deals: readonly Wanted[]): Promise<void> {
  const domain = [
    ['id', 'in', deals.map(({ id }) => id)],
    ['state', 'in', ['converted', 'won', 'lost']],
  ]
  const closed = (await tryton.search('sale.opportunity', domain, { fields: ['state'] })).map(({ id }) => id)
  if (closed.length > 0) await tryton.write('sale.opportunity', closed, { state: 'cancelled' })
  const notes = await markerNotes(tryton, deals)
  if (notes.length > 0) await tryton.remove('ir.note', notes)
}

async function markerNotes(tryton: Tryton, deals: readonly Wanted[]): Promise<number[]> {
  const domain = [
    ['message', 'in', deals.map(({ key }) => markerOf(key))],
    ['resource', 'in', deals.map(({ id }) => `sale.opportunity,${id}`)],
  ]
  return (await tryton.search('ir.note', domain, { fields: ['resource'] })).map(({ id }) => id)
}

/** Finds notes and files of these records, except our own notes. */
async function reasonsBelow(tryton: Tryton, model: string, ids: readonly number[], ownNotes: readonly number[]) {
  const resources = ids.map((id) => `${model},${id}`)
  const notes = await tryton.rowsIn('ir.note', 'resource', resources, ['resource'])
  const files = await tryton.rowsIn('ir.attachment', 'resource', resources, ['resource'])
  const reasons: Reasons = new Map()
  const note = (resource: string | null | undefined, reason: string) =>
    reasons.set(readResource(resource)?.id ?? -1, reason)
  for (const { id, resource } of notes) if (!ownNotes.includes(id)) note(resource, 'There are notes on it.')
  for (const { resource } of files) note(resource, 'There are files on it.')
  return reasons
}
