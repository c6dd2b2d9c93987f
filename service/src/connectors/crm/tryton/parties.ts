import type { OutgoingRecord, SettledOutcome } from '../../contract/contract.ts'
import { matched, refused } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { versionOf } from '../../kit/version.ts'
import { storedParty, storedRelationship, textOf, toPartyWish } from './from-family.ts'
import { loadOwn, loadPartiesById, loadRelations } from './load-names.ts'
import { findNotesAndFiles } from './notes.ts'
import type { Kind } from './party-kind.ts'
import { chooseCodes, createPartyValues } from './party-values.ts'
import { type FoundRow, knownIds, type RowRules, rowActs, rulesOf, type Task, writeRows } from './rows.ts'
import { aboutMarkerOf, cleanLine, isMarker, markerOf, readMarked, withMarker } from './texts.ts'
import type { Destination, Tryton } from './tryton.ts'

type Keyed = readonly { key: string }[]

export function partyActs(tryton: Destination, entity: Kind) {
  const look = (records: Keyed) =>
    rulesOf({
      model: 'party.party',
      read: (ids) => readParties(tryton, entity, ids, records),
      async findMarks(sought) {
        const markers = sought.map(({ key }) => markerOf(key))
        const rows = await tryton.rowsIn('party.identifier', 'code', markers, ['code', 'party'])
        return rows.map(({ code = '', party }) => [code, party])
      },
      ownNotes: async (ids) => [...(await findAboutNotes(tryton, ids, records)).values()].map(({ id }) => id),
      reasons: (ids, ownNotes) => reasonsToKeep(tryton, ids, ownNotes),
    })
  return rowActs(tryton, look, (records) => writeParties(tryton, look(records), records))
}

async function readParties(tryton: Tryton, entity: Kind, ids: number[], records: Keyed): Promise<FoundRow[]> {
  const [parties, abouts] = await Promise.all([loadPartiesById(tryton, ids), findAboutNotes(tryton, ids, records)])
  return parties.map(({ row, parts, language, mechanisms, addresses, identifiers, worksFor, partOf }) => {
    const about = abouts.get(row.id)?.text ?? ''
    return {
      id: row.id,
      url: tryton.urlOf('party.party', row.id),
      // The version changes with the party, its "about" note and its own rows, but not with its relations.
      version: versionOf(row, ...parts, ...(about === '' ? [] : [about])),
      fields: storedParty({
        name: row.name ?? '',
        is_archived: row.active === false,
        tags: row.categories ?? [],
        ...{ language, mechanisms, addresses, about },
        identifiers: identifiers.filter(({ code }) => !isMarker(code)),
        accounts: entity === 'contacts' ? worksFor : [],
        parent_account: entity === 'accounts' ? (partOf[0] ?? null) : null,
        code: null,
      }),
    }
  })
}

async function writeParties(tryton: Destination, rules: RowRules, records: readonly OutgoingRecord[]) {
  const known = await knownIds(rules, records)
  const wishes = records.map((record) => {
    return { key: record.key, id: known.get(record.key) ?? null, ...toPartyWish(record) }
  })
  const fresh = wishes.filter(({ id }) => id === null)
  const codes = await chooseCodes(tryton, fresh)
  const parties = await loadPartiesById(tryton, [...known.values()])
  const toValues = await createPartyValues(tryton, wishes)
  const tasks = wishes.map(async ({ key, id, ...wish }): Promise<Task | SettledOutcome> => {
    const party = parties.find(({ row }) => row.id === id) ?? null
    if (id !== null && !party) return refused(key, 'refused', 'It is no longer in Tryton.')
    const task = { wish, party, marker: markerOf(key), code: codes.get(key) ?? null }
    return { key, id, values: await toValues(task, false), looser: () => toValues(task, true) }
  })
  const abouts = new Map(wishes.map(({ key, about }) => [key, about]))
  return writeRows(tryton, rules, await Promise.all(tasks), (written) => writeAbout(tryton, written, abouts))
}

/** The "about" note of each party: the note with values that a party has no field for. */
async function findAboutNotes(tryton: Tryton, ids: readonly number[], records: Keyed) {
  const found = new Map<number, { id: number; text: string }>()
  if (ids.length === 0) return found
  const markers = new Set<string | null>(records.map(({ key }) => aboutMarkerOf(key)))
  const resources = ids.map((id) => `party.party,${id}`)
  const domain = ['AND', ['resource', 'in', resources], ['message', 'like', '%/about']]
  for (const { id, message, resource } of await tryton.rows('ir.note', domain, ['message', 'resource'])) {
    const { text, marker } = readMarked(message)
    if (markers.has(marker)) found.set(Number(resource?.split(',')[1]), { id, text })
  }
  return found
}

async function writeAbout(tryton: Tryton, parties: { key: string; id: number }[], abouts: ReadonlyMap<string, string>) {
  const ids = parties.map(({ id }) => id)
  const there = await findAboutNotes(tryton, ids, parties)
  const missing: Record<string, string>[] = []
  const gone: number[] = []
  for (const { key, id } of parties) {
    const about = abouts.get(key) ?? ''
    const note = there.get(id)
    const message = withMarker(about, aboutMarkerOf(key))
    if (!note && about !== '') missing.push({ resource: `party.party,${id}`, message })
    else if (note && about === '') gone.push(note.id)
    else if (note && note.text !== about) await tryton.write('ir.note', [note.id], { message })
  }
  if (missing.length > 0) await tryton.create('ir.note', missing)
  await tryton.remove('ir.note', gone)
}

/**
 * Tryton deletes a party even if other records use it: opportunities lose their party, notes and files their parent. So
 * we keep a party that people have used since the import.
 */
async function reasonsToKeep(tryton: Tryton, ids: number[], ownNotes: number[]): Promise<Map<number, string>> {
  const reasons = await findNotesAndFiles(tryton, 'party.party', ids, ownNotes)
  const used = ['OR', ['party', 'in', ids], ['contact.party', 'in', ids]]
  const deals = await tryton.rows('sale.opportunity', used, ['party', 'contact'])
  const contactIds = deals.flatMap(({ contact }) => contact ?? [])
  const contacts = await tryton.rowsIn('party.contact_mechanism', 'id', contactIds, ['party'])
  for (const { party } of [...deals, ...contacts]) if (party) reasons.set(party, 'An opportunity uses it.')
  for (const party of (await loadOwn(tryton, ids)).keys()) {
    if (party) reasons.set(party, 'It is a company or an employee of this Tryton.')
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

// A relation consists of two parties and a type. It is found by these three, so it is never created twice. Tryton lists
// each relation from both sides: the stored side has twice the relation's id, the other side one more.

const factor = 2
const toDestinationId = (rowId: number): number => Math.floor(rowId / factor)

export function relationshipActs(tryton: Destination) {
  const read = async (ids: number[]) => {
    const { byId } = await tryton.relationTypes()
    const rowIds = ids.map((id) => id * factor)
    const rows = await tryton.rowsIn('party.relation.all', 'id', rowIds)
    return rows.map(({ id, from_, to, type, write_date, create_date }) => ({
      id: toDestinationId(id),
      version: JSON.stringify([from_, to, type, write_date ?? create_date]),
      fields: { from: from_ ?? null, to: to ?? null, type: byId.get(type ?? -1)?.name ?? '' },
    }))
  }
  const rules = rulesOf({ model: 'party.relation.all', factor, hasTimestamps: false, read })
  const write = async (records: OutgoingRecord[]) => writeRows(tryton, rules, await toTasks(tryton, records))
  return rowActs(tryton, () => rules, write)
}

async function toTasks(tryton: Destination, records: readonly OutgoingRecord[]): Promise<(SettledOutcome | Task)[]> {
  const tasks = await sideBySide(records, 1, async ({ key, fields, destinationId }) => {
    const { type: name, from: from_, to } = storedRelationship(fields)
    if (name.trim() === '' || from_ === null || to === null) {
      return refused(key, 'blank', 'A relationship needs two parties and a type.')
    }
    const type = await tryton.relationType(name, cleanLine(textOf(fields.reverse_type)) || null)
    return { key, id: destinationId === null ? null : Number(destinationId) * factor, values: { from_, to, type } }
  })
  const { worksFor, employs, partOf, wholeOf } = await tryton.relationTypes()
  const from = tasks.flatMap((task) => ('result' in task ? [] : [task.values.from_]))
  const there = await loadRelations(tryton, [...new Set(from)])
  return sideBySide(tasks, 1, async (task) => {
    if ('result' in task || task.id !== null) return task
    const { key, values } = task
    const between = there.filter(({ from_, to }) => from_ === values.from_ && to === values.to)
    // A contact's account or an account's parent may have created this relation with another type of the same meaning.
    // Tryton lists it from both sides.
    const alike = [worksFor, employs, partOf, wholeOf].find((types) => types.has(values.type))
    const known = between.find(({ type }) => type === values.type) ?? between.find(({ type }) => alike?.has(type ?? -1))
    if (!known) return task
    if (known.type !== values.type) await tryton.write('party.relation.all', [known.id], { type: values.type })
    return matched(key, toDestinationId(known.id), null)
  })
}
