import type { OutgoingRecord, SettledOutcome, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { findAboutNotes, findMarkedParties } from './find-marked.ts'
import { loadStoredNames, readParties } from './find-parties.ts'
import { toPartyWish } from './from-family.ts'
import { loadPartiesById } from './load-parties.ts'
import type { Destination } from './look-up.ts'
import { aboutMarkerOf, markerOf, withMarker } from './marker.ts'
import type { Kind } from './party-kind.ts'
import { chooseCodes } from './party-numbers.ts'
import { createPartyValues } from './party-values.ts'
import type { Tryton } from './tryton.ts'
import { isNew, knownId, type Task, type Wanted, writeTasks } from './write-tasks.ts'

/** Creates or updates a batch of parties. */
export async function writeParties(
  tryton: Destination,
  entity: Kind,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const marked = await findMarkedParties(tryton, records.filter(isNew))
  const wishes = records.map((record) => {
    const wish = toPartyWish(record)
    return { key: record.key, id: knownId(record, marked), wish, code: wish.code }
  })
  const fresh = wishes.filter(({ id }) => id === null)
  const codes = await chooseCodes(tryton, fresh)
  const knownIds = wishes.flatMap(({ id }) => id ?? [])
  const parties = knownIds.length === 0 ? [] : await loadPartiesById(tryton, knownIds)
  const allWishes = wishes.map(({ wish }) => wish)
  const toValues = await createPartyValues(tryton, allWishes, await loadStoredNames(tryton, parties))
  const tasks = wishes.map(async ({ key, id, wish }): Promise<Task | SettledOutcome> => {
    const party = parties.find(({ row }) => row.id === id) ?? null
    if (id !== null && !party) return refused(key, 'refused', 'It is no longer in Tryton.')
    const task = { wish, party, marker: markerOf(key), code: codes.get(key) ?? null }
    return { key, id, values: await toValues(task, false), looser: () => toValues(task, true) }
  })
  const abouts = new Map(wishes.map(({ key, wish }) => [key, wish.about]))
  return writeTasks(tryton, 'party.party', await Promise.all(tasks), async (written) => {
    await writeAbout(tryton, written, abouts)
    return readParties(tryton, entity, written)
  })
}

/** Writes the note with values that a party has no field for. */
async function writeAbout(tryton: Tryton, parties: readonly Wanted[], abouts: ReadonlyMap<string, string>) {
  const there = await findAboutNotes(tryton, parties)
  const missing: Record<string, string>[] = []
  const changed: { id: number; message: string }[] = []
  const gone: number[] = []
  for (const { key, id } of parties) {
    const about = abouts.get(key) ?? ''
    const note = there.get(id)
    const message = withMarker(about, aboutMarkerOf(key))
    if (!note && about !== '') missing.push({ resource: `party.party,${id}`, message })
    else if (note && about === '') gone.push(note.id)
    else if (note && note.text !== about) changed.push({ id: note.id, message })
  }
  if (missing.length > 0) await tryton.create('ir.note', missing)
  for (const { id, message } of changed) await tryton.write('ir.note', [id], { message })
  if (gone.length > 0) await tryton.remove('ir.note', gone)
}
