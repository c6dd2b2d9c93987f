import type { OutgoingRecord, RemovableRecord, SettledOutcome } from '../../contract/contract.ts'
import type { FindRules } from '../../kit/find.ts'
import { once } from '../../kit/once.ts'
import { refused } from '../../kit/outcomes.ts'
import { versionOf } from '../../kit/version.ts'
import { type FoundRow, knownIds, rulesOf } from './find-rows.ts'
import { type PartyWish, storedParty, toIdentifier, toPartyWish } from './from-family.ts'
import { linkedAccounts, loadPartiesById, loadPartyNames, type Party, type PartyNames } from './load-parties.ts'
import type { Destination } from './look-up.ts'
import { aboutMarkerOf, isMarker, markerOf, readMarked, withMarker } from './marker.ts'
import { toMechanism } from './mechanisms.ts'
import type { Kind } from './party-kind.ts'
import { chooseCodes } from './party-numbers.ts'
import { createPartyValues } from './party-values.ts'
import { reasonsToKeepParties } from './removal-rules.ts'
import { removeRows } from './remove-rows.ts'
import { toTrytonAddress } from './to-family.ts'
import type { Tryton } from './tryton.ts'
import { type Task, type Wanted, writeRows } from './write-rows.ts'

type Keyed = readonly { key: string }[]

/** Finds parties by the identifier that holds our key. */
export const partyRules = (tryton: Tryton, entity: Kind, records: Keyed): FindRules<FoundRow> =>
  rulesOf(
    (ids) => readParties(tryton, entity, ids, records),
    async (sought) => {
      const markers = sought.map(({ key }) => markerOf(key))
      const rows = await tryton.rowsIn('party.identifier', 'code', markers, ['code', 'party'])
      return rows.map(({ code = '', party }) => [code, party])
    },
  )

/** Reads the current content of these parties. Deleted parties are left out. */
async function readParties(tryton: Tryton, entity: Kind, ids: number[], records: Keyed): Promise<FoundRow[]> {
  const parties = await loadPartiesById(tryton, ids)
  const [names, abouts] = await Promise.all([loadStoredNames(tryton, parties), findAboutNotes(tryton, ids, records)])
  return parties.map((party) => {
    const { row, addresses, mechanisms, identifiers } = party
    const about = abouts.get(row.id)?.text ?? ''
    return {
      id: row.id,
      url: tryton.urlOf('party.party', row.id),
      // The version changes with the party, its "about" note and its own rows, but not with its relations.
      version: versionOf(row, addresses, mechanisms, identifiers, ...(about === '' ? [] : [about])),
      fields: storedParty(toStoredWish(entity, party, names, about)),
    }
  })
}

/** Reads countries afresh and not from the cached settings, because we may just have created some. */
function loadStoredNames(tryton: Tryton, parties: readonly Party[]): Promise<PartyNames> {
  const used = parties.flatMap(({ addresses }) => addresses.flatMap(({ country }) => country ?? []))
  return loadPartyNames(tryton, parties, async () => {
    const rows = await tryton.rowsIn('country.country', 'id', used)
    return new Map(rows.map(({ id, code }) => [id, code ?? '']))
  })
}

function toStoredWish(entity: Kind, party: Party, names: PartyNames, about: string): Omit<PartyWish, 'code'> {
  const { row, addresses, mechanisms, identifiers } = party
  const { worksFor, partOf } = names.types
  return {
    name: row.name ?? '',
    language: names.languages.get(row.lang ?? -1) ?? null,
    isArchived: row.active === false,
    tagIds: row.categories ?? [],
    mechanisms: mechanisms.map(toMechanism),
    addresses: addresses.map((address) => toTrytonAddress(address, names)),
    identifiers: identifiers.map(toIdentifier).filter(({ code }) => !isMarker(code)),
    accountIds: entity === 'contacts' ? linkedAccounts(party, worksFor, names) : [],
    parentId: entity === 'accounts' ? (linkedAccounts(party, partOf, names)[0] ?? null) : null,
    about,
  }
}

/** Creates or updates a batch of parties. */
export async function writeParties(tryton: Destination, entity: Kind, records: readonly OutgoingRecord[]) {
  const rules = partyRules(tryton, entity, records)
  const known = await knownIds(rules, records)
  const wishes = records.map((record) => ({
    key: record.key,
    id: known.get(record.key) ?? null,
    ...toPartyWish(record),
  }))
  const codes = await chooseCodes(
    tryton,
    wishes.filter(({ id }) => id === null),
  )
  const parties = await loadPartiesById(tryton, [...known.values()])
  const toValues = await createPartyValues(tryton, wishes, await loadStoredNames(tryton, parties))
  const tasks = wishes.map(async ({ key, id, ...wish }): Promise<Task | SettledOutcome> => {
    const party = parties.find(({ row }) => row.id === id) ?? null
    if (id !== null && !party) return refused(key, 'refused', 'It is no longer in Tryton.')
    const task = { wish, party, marker: markerOf(key), code: codes.get(key) ?? null }
    return { key, id, values: await toValues(task, false), looser: () => toValues(task, true) }
  })
  const abouts = new Map(wishes.map(({ key, about }) => [key, about]))
  return writeRows(tryton, 'party.party', rules, await Promise.all(tasks), {
    finish: (written) => writeAbout(tryton, written, abouts),
  })
}

export function removeParties(tryton: Tryton, entity: Kind, records: RemovableRecord[]) {
  const ids = records.map(({ destinationId }) => Number(destinationId))
  const ownNotes = async (some: number[]) =>
    [...(await findAboutNotes(tryton, some, records)).values()].map(({ id }) => id)
  const reasons = once(async () => reasonsToKeepParties(tryton, ids, await ownNotes(ids)))
  const removal = {
    ...partyRules(tryton, entity, records),
    model: 'party.party',
    findNeed: async ({ id }: FoundRow) => (await reasons()).get(id) ?? null,
    // Tryton would leave the "about" notes behind.
    before: async (going: number[]) => tryton.remove('ir.note', await ownNotes(going)),
  }
  return removeRows(tryton, removal, records)
}

/** The "about" note of each party: the note with values that a party has no field for. */
async function findAboutNotes(tryton: Tryton, ids: readonly number[], records: Keyed) {
  const found = new Map<number, { id: number; text: string }>()
  if (ids.length === 0) return found
  const markers = new Set<string | null>(records.map(({ key }) => aboutMarkerOf(key)))
  const domain = [
    ['resource', 'in', ids.map((id) => `party.party,${id}`)],
    ['message', 'like', '%/about'],
  ]
  for (const { id, message, resource } of await tryton.rows('ir.note', domain, ['message', 'resource'])) {
    const { text, marker } = readMarked(message)
    if (markers.has(marker)) found.set(Number(resource?.split(',')[1]), { id, text })
  }
  return found
}

async function writeAbout(tryton: Tryton, parties: readonly Wanted[], abouts: ReadonlyMap<string, string>) {
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
