import type { OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { createEach } from './create-each.ts'
import type { Directory } from './directory.ts'
import { findAboutNotes, findMarkedParties } from './find-marked.ts'
import { loadStoredNames, readParties } from './find-parties.ts'
import { type PartyWish, toPartyWish } from './from-family.ts'
import { loadParties, partyFields } from './load-parties.ts'
import type { LookUp } from './look-up.ts'
import { aboutMarkerOf, markerOf, withMarker } from './marker.ts'
import { writtenOutcomes } from './outcomes.ts'
import type { Kind } from './party-kind.ts'
import { chooseCodes } from './party-numbers.ts'
import { createPartyValues, valuesOfChange, valuesOfNew } from './party-values.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

interface Task {
  key: string
  wish: PartyWish
  /** Null while it has to be created. */
  id: number | null
}

type Result = number | TrytonRefusal

/** Creates or updates a batch of parties; each is looked for before, so that none is made twice. */
export async function writeParties(
  api: TrytonApi,
  directory: Directory,
  lookUp: LookUp,
  entity: Kind,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const marked = await findMarkedParties(
    api,
    records.filter(({ destinationId }) => destinationId === null).map(({ key }) => key),
  )
  const tasks = records.map((record): Task => {
    const id = record.destinationId === null ? marked.get(record.key)?.[0] : Number(record.destinationId)
    return { key: record.key, wish: toPartyWish(record), id: id ?? null }
  })
  const values = await createPartyValues(
    directory,
    lookUp,
    tasks.map(({ wish }) => wish),
  )
  const results = new Map<string, Result>()

  const fresh = tasks.filter(({ id }) => id === null)
  const codes = await chooseCodes(
    api,
    fresh.map(({ key, wish }) => ({ key, code: wish.code })),
  )
  const items = await Promise.all(
    fresh.map(async ({ key, wish }) => {
      const about = { marker: markerOf(key), code: codes.get(key) ?? null }
      return {
        values: await valuesOfNew(wish, values, { ...about, isLoose: false }),
        looser: await valuesOfNew(wish, values, { ...about, isLoose: true }),
      }
    }),
  )
  const created = await createEach(api, 'party.party', items)
  for (const [index, { key }] of fresh.entries()) results.set(key, created[index] as Result)

  const known = tasks.filter((task): task is Task & { id: number } => task.id !== null)
  for (const [key, result] of await changeParties(api, directory, known, values)) results.set(key, result)

  const written = tasks.flatMap(({ key, wish }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, id, about: wish.about }] : []
  })
  await writeAbout(api, written)
  const found = await readParties(api, directory, entity, written)
  return writtenOutcomes(records, results, found)
}

async function changeParties(
  api: TrytonApi,
  directory: Directory,
  tasks: readonly (Task & { id: number })[],
  values: Awaited<ReturnType<typeof createPartyValues>>,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>()
  if (tasks.length === 0) return results
  const ids = tasks.map(({ id }) => id)
  const rows = await api.search('party.party', [['id', 'in', ids]], { fields: partyFields })
  const parties = await loadParties(api, directory, rows)
  const names = await loadStoredNames(api, directory, parties)
  const linkTypes = new Set([...names.worksFor, ...names.partOf])
  for (const { key, wish, id } of tasks) {
    const party = parties.find(({ row }) => row.id === id)
    if (!party) {
      results.set(key, new TrytonRefusal('refused', 'It is not in Tryton any more.'))
      continue
    }
    const change = (isLoose: boolean) =>
      valuesOfChange(wish, party, values, { ...names, linkTypes }, { marker: markerOf(key), isLoose })
    try {
      await api.write('party.party', [id], await change(false))
      results.set(key, id)
    } catch (error) {
      if (!(error instanceof TrytonRefusal)) throw error
      results.set(key, await changeLoosely(api, id, await change(true), error))
    }
  }
  return results
}

async function changeLoosely(
  api: TrytonApi,
  id: number,
  values: Record<string, unknown>,
  refusal: TrytonRefusal,
): Promise<Result> {
  try {
    await api.write('party.party', [id], values)
    return id
  } catch (error) {
    if (error instanceof TrytonRefusal) return refusal
    throw error
  }
}

/** The note that holds what a party has no field for. */
async function writeAbout(
  api: TrytonApi,
  parties: readonly { key: string; id: number; about: string }[],
): Promise<void> {
  const there = await findAboutNotes(api, parties)
  const missing = parties.filter(({ id, about }) => about !== '' && !there.has(id))
  const gone = parties.filter(({ about }) => about === '').flatMap(({ id }) => there.get(id)?.id ?? [])
  if (missing.length > 0) {
    await api.create(
      'ir.note',
      missing.map(({ key, id, about }) => ({
        resource: `party.party,${id}`,
        message: withMarker(about, aboutMarkerOf(key)),
      })),
    )
  }
  for (const { key, id, about } of parties) {
    const note = there.get(id)
    if (!note || about === '' || note.text === about) continue
    await api.write('ir.note', [note.id], { message: withMarker(about, aboutMarkerOf(key)) })
  }
  if (gone.length > 0) await api.remove('ir.note', gone)
}
