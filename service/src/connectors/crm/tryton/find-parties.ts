import type { FoundRecord, SoughtRecord } from '../../contract/contract.ts'
import { versionOf } from '../../kit/version.ts'
import { findAboutNotes, findMarkedParties } from './find-marked.ts'
import { storedParty } from './from-family.ts'
import { linkedAccounts, loadPartiesById, loadPartyNames, type Party, type PartyNames } from './load-parties.ts'
import { isMarker } from './marker.ts'
import { toMechanism } from './mechanisms.ts'
import type { Kind } from './party-kind.ts'
import { toTrytonAddress } from './to-family.ts'
import type { Tryton } from './tryton.ts'
import { foundIn, type Wanted, wantedOf } from './write-tasks.ts'

export const findParties = async (tryton: Tryton, entity: Kind, sought: readonly SoughtRecord[]) =>
  readParties(tryton, entity, wantedOf(sought, await findMarkedParties(tryton, sought)))

/** Reads the current content of these parties. Deleted parties are left out. */
export async function readParties(tryton: Tryton, entity: Kind, wanted: readonly Wanted[]): Promise<FoundRecord[]> {
  if (wanted.length === 0) return []
  const ids = wanted.map(({ id }) => id)
  const parties = await loadPartiesById(tryton, ids)
  const [names, abouts] = await Promise.all([loadStoredNames(tryton, parties), findAboutNotes(tryton, wanted)])
  return foundIn(new Map(parties.map((party) => [party.row.id, party])), wanted, (party, id) => {
    const { row, addresses, mechanisms, identifiers } = party
    const about = abouts.get(id)?.text ?? ''
    return {
      url: tryton.urlOf('party.party', id),
      // The version changes with the party, its "about" note and its own rows, but not with its relations.
      version: versionOf(row, addresses, mechanisms, identifiers, ...(about === '' ? [] : [about])),
      fields: toStored(entity, party, names, about),
    }
  })
}

/** Reads countries afresh and not from the cached settings, because we may just have created some. */
export function loadStoredNames(tryton: Tryton, parties: readonly Party[]): Promise<PartyNames> {
  const used = new Set(parties.flatMap(({ addresses }) => addresses.flatMap(({ country }) => country ?? [])))
  return loadPartyNames(tryton, parties, async () => {
    const rows = await tryton.rowsIn('country.country', 'id', [...used])
    return new Map(rows.map(({ id, code }) => [id, code ?? '']))
  })
}

function toStored(entity: Kind, party: Party, names: PartyNames, about: string) {
  const { row, addresses, mechanisms, identifiers } = party
  const { worksFor, partOf } = names.types
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
    accountIds: entity === 'contacts' ? linkedAccounts(party, worksFor, names) : [],
    parentId: entity === 'accounts' ? (linkedAccounts(party, partOf, names)[0] ?? null) : null,
    about,
  })
}
