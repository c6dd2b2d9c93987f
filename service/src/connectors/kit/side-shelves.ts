import type { SideOutcome, SideRecord, SideRecords } from '../contract/contract.ts'
import type { Sent } from './http.ts'
import { digestOf } from './keys.ts'
import type { RawRecord } from './lens.ts'
import { RefusedError } from './outcomes.ts'

// Shelves are what articles stand in: categories, sections, folders, collections. Some articles need one that no record
// asks for, such as articles that stood nowhere. It is made on the side, and an undo removes it once it is empty.

/** The mark of what is for articles that stand nowhere, and the name that people see. */
export const nowhere = 'nowhere'
export const nameOfNowhere = 'Imported articles'
/** The version of a shelf that was there before us: an undo leaves it. */
export const foundVersion = 'found'
const mostNames = 20

/** The same text for shelves of one name at one place, in any case of letters. */
export const placeOf = (name: unknown, parent: unknown): string =>
  digestOf(`${parent ?? ''}\n${String(name).trim().toLowerCase()}`, 16)
export const findShelf = (shelves: readonly RawRecord[], name: unknown, parent: unknown) =>
  shelves.find((raw) => placeOf(raw.name, raw.parent) === placeOf(name, parent))

export interface WantedShelf {
  kind: string
  mark: string
  parent: string | null
  name: string
  /** Whether one of people with this name will do. Otherwise the next free name is taken. */
  isShared: boolean
  /** Whether one that we made is still of use: people may have opened it to others. */
  isFit?(raw: RawRecord): boolean
  isTaken?(name: string): boolean
  /** Makes it, and answers it. A refusal throws a RefusedError. */
  make(name: string): Promise<RawRecord>
}

/** The id of a shelf on the side. One that we noted before we made it is ours, though the answer was lost. */
export async function takeOnSide(sides: SideRecords, shelves: RawRecord[], wanted: WantedShelf): Promise<string> {
  const { kind, mark, parent, isFit = () => true, make } = wanted
  const known = (await sides.list(kind)).find((one) => one.mark === mark)
  const own = known && shelves.find((raw) => isNoted(known, raw) && isFit(raw))
  const there = own ?? (wanted.isShared ? findShelf(shelves, wanted.name, parent) : undefined)
  if (there) {
    const version = own ? (known?.version ?? null) : foundVersion
    await sides.note({ kind, mark, destinationId: String(there.id), version })
    return String(there.id)
  }
  const isTaken = wanted.isTaken ?? ((name) => findShelf(shelves, name, parent) !== undefined)
  const names = [wanted.name, ...Array.from({ length: mostNames }, (_, at) => `${wanted.name} ${at + 2}`)]
  const name = names.find((one) => !isTaken(one)) ?? wanted.name
  const side = { kind, mark, destinationId: null, version: placeOf(name, parent) }
  await sides.note(side)
  const made = await make(name).catch(async (error: unknown) => {
    if (error instanceof RefusedError) await sides.forget(side)
    throw error
  })
  shelves.push(made)
  await sides.note({ ...side, destinationId: String(made.id) })
  return String(made.id)
}

/** Until the answer is there, only the place tells which one it is: there was none of its name before we noted it. */
const isNoted = ({ destinationId, version }: SideRecord, raw: RawRecord) =>
  destinationId === null ? placeOf(raw.name, raw.parent) === version : String(raw.id) === destinationId

/** Shelves on the side stand for the original place of their articles, which their mark begins with. */
export async function placesOf(sides: SideRecords, kind: string): Promise<ReadonlyMap<string, string | null>> {
  const placeIn = (mark: string) => (mark.split(' ')[0] === nowhere ? null : (mark.split(' ')[0] ?? null))
  return new Map((await sides.list(kind)).map(({ mark, destinationId }) => [String(destinationId), placeIn(mark)]))
}

/** Whether nothing stands in a shelf. Those that we made on the side count as nothing while they are empty. */
export async function isEmptyShelf(
  id: string,
  shelves: readonly RawRecord[],
  made: readonly SideRecord[],
  hasArticles: (id: string) => Promise<boolean>,
): Promise<boolean> {
  for (const inner of shelves.filter(({ parent }) => String(parent ?? '') === id)) {
    const isMade = made.some(
      ({ destinationId, version }) => destinationId === String(inner.id) && version !== foundVersion,
    )
    if (!isMade || !(await isEmptyShelf(String(inner.id), shelves, made, hasArticles))) return false
  }
  return !(await hasArticles(id))
}

export interface SideShelfRules {
  label: string
  isShelf(kind: string): boolean
  now(): Promise<RawRecord[]>
  isEmpty(id: string, shelves?: readonly RawRecord[]): Promise<boolean>
  remove(id: string): Promise<Sent>
  urlOf(raw: RawRecord): string | null
}

/** Removes a shelf that we made, unless people have put something into it. */
async function removeShelf(rules: SideShelfRules, side: SideRecord): Promise<SideOutcome> {
  const { kind, mark, version } = side
  const shelves = version === foundVersion ? [] : await rules.now()
  const raw = shelves.find((one) => isNoted(side, one))
  if (!raw) return { kind, mark, result: 'removed' }
  const id = String(raw.id)
  const kept = { kind, mark, result: 'kept' as const, destinationId: id, url: rules.urlOf(raw) }
  if (!(await rules.isEmpty(id, shelves))) return { ...kept, message: 'It is not empty.' }
  const sent = await rules.remove(id)
  if (sent.result === 'done' || sent.status === 404) return { kind, mark, result: 'removed' }
  return { ...kept, message: `${rules.label} does not delete it: ${sent.message}` }
}

/**
 * For `Writer.removeSides`. Shelves go while they are empty. Fields stay: people may have come to use one for their own
 * records, and only they can tell. Everything else is a note about a record, which an undo removes as such.
 */
export async function removeShelvesAndFields(
  records: readonly SideRecord[],
  shelves: SideShelfRules | null,
  fields: { isField(kind: string): boolean; url: string } | null,
): Promise<SideOutcome[]> {
  const outcomes: SideOutcome[] = []
  for (const side of records) {
    const { kind, mark, destinationId } = side
    const message = 'Other records of this account may use this field.'
    if (shelves?.isShelf(kind)) outcomes.push(await removeShelf(shelves, side))
    else if (destinationId === null || !fields?.isField(kind)) outcomes.push({ kind, mark, result: 'removed' })
    else outcomes.push({ kind, mark, result: 'kept', destinationId, url: fields.url, message })
  }
  return outcomes
}
