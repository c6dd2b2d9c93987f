import { createHash } from 'node:crypto'
import type { FoundRecord, SoughtRecord } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { all, type Directory } from './directory.ts'
import { findAboutNotes, findMarkedParties } from './find-marked.ts'
import { storedParty } from './from-family.ts'
import { loadKinds, loadParties, type Party, partyFields } from './load-parties.ts'
import { isMarker } from './marker.ts'
import { toMechanism } from './mechanisms.ts'
import type { Kind } from './party-kind.ts'
import { toTrytonAddress } from './to-family.ts'

/** By our key, or by the id when someone has taken the key away. */
export async function findParties(
  api: TrytonApi,
  directory: Directory,
  entity: Kind,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const marked = await findMarkedParties(
    api,
    sought.map(({ key }) => key),
  )
  const wanted = sought.flatMap(({ key, destinationId }) => {
    const ids = marked.get(key) ?? (destinationId === null ? [] : [Number(destinationId)])
    return ids.map((id) => ({ key, id }))
  })
  return readParties(api, directory, entity, wanted)
}

/** These parties as they are now; those that are gone are left out. */
export async function readParties(
  api: TrytonApi,
  directory: Directory,
  entity: Kind,
  wanted: readonly { key: string; id: number }[],
): Promise<FoundRecord[]> {
  if (wanted.length === 0) return []
  const ids = wanted.map(({ id }) => id)
  const parties = await loadParties(
    api,
    directory,
    await api.search('party.party', [['id', 'in', ids]], { fields: partyFields }),
  )
  const [names, abouts] = await Promise.all([loadStoredNames(api, directory, parties), findAboutNotes(api, wanted)])
  const byId = new Map(parties.map((party) => [party.row.id, party]))
  return wanted.flatMap(({ key, id }) => {
    const party = byId.get(id)
    if (!party) return []
    return {
      key,
      destinationId: String(id),
      url: api.urlOf('party.party', id),
      version: versionOf(party, abouts.get(id)?.text ?? ''),
      fields: toStored(entity, party, names, abouts.get(id)?.text ?? ''),
      customFields: {},
      createdAt: null,
      updatedAt: null,
    }
  })
}

/** Changes with the party, the note about it and everything of its own, but not with what others relate to it. */
function versionOf({ row, addresses, mechanisms, identifiers }: Party, about: string): string {
  return createHash('sha256')
    .update(JSON.stringify([row, addresses, mechanisms, identifiers, ...(about === '' ? [] : [about])]))
    .digest('hex')
    .slice(0, 32)
}

export interface StoredNames {
  languages: ReadonlyMap<number, string>
  countries: ReadonlyMap<number, string>
  subdivisions: ReadonlyMap<number, string>
  worksFor: ReadonlySet<number>
  partOf: ReadonlySet<number>
  /** Of the organisations that these belong to. */
  kinds: ReadonlyMap<number, Kind>
}

export async function loadStoredNames(
  api: TrytonApi,
  directory: Directory,
  parties: readonly Party[],
): Promise<StoredNames> {
  const used = new Set(parties.flatMap(({ addresses }) => addresses.flatMap(({ country }) => country ?? [])))
  const subdivisionIds = parties.flatMap(({ addresses }) => addresses.flatMap(({ subdivision }) => subdivision ?? []))
  const types = (await directory.models()).has('party.relation.all') ? await directory.relationTypes() : null
  const isLink = (type = -1) => types?.worksFor.has(type) || types?.partOf.has(type)
  const linked = parties.flatMap(({ relations }) =>
    relations.filter(({ type }) => isLink(type)).map(({ to }) => to ?? 0),
  )
  const [languages, countries, subdivisions, kinds] = await Promise.all([
    directory.languages(),
    // Not from the directory: some may have been made just now.
    used.size === 0 ? [] : all(api, 'country.country', [['id', 'in', [...used]]]),
    subdivisionIds.length === 0 ? [] : all(api, 'country.subdivision', [['id', 'in', subdivisionIds]]),
    loadKinds(api, directory, linked),
  ])
  return {
    languages,
    countries: new Map(countries.map(({ id, code }) => [id, code ?? ''])),
    subdivisions: new Map(subdivisions.map(({ id, name }) => [id, name ?? ''])),
    worksFor: types?.worksFor ?? new Set(),
    partOf: types?.partOf ?? new Set(),
    kinds,
  }
}

function toStored(entity: Kind, party: Party, names: StoredNames, about: string) {
  const { row, addresses, mechanisms, identifiers, relations } = party
  const related = (types: ReadonlySet<number>) => [
    ...new Set(
      relations
        .filter(({ type = -1, to = -1 }) => types.has(type) && names.kinds.get(to) === 'accounts')
        .flatMap(({ to }) => to ?? []),
    ),
  ]
  return storedParty({
    name: row.name ?? '',
    language: names.languages.get(row.lang ?? -1) ?? null,
    isArchived: row.active === false,
    tagIds: row.categories ?? [],
    mechanisms: mechanisms.map(toMechanism),
    addresses: addresses.map((address) => toTrytonAddress(address, names)),
    identifiers: identifiers
      .map(({ code = '', type = null }) => ({ code, type }))
      .filter(({ code }) => !isMarker(code)),
    accountIds: entity === 'contacts' ? related(names.worksFor) : [],
    parentId: entity === 'accounts' ? (related(names.partOf)[0] ?? null) : null,
    about,
  })
}
