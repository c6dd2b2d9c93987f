import type { SideOutcome, SideRecord, SideRecords } from '../contract/contract.ts'
import type { Sent } from './http.ts'
import { digestOf } from './keys.ts'
import type { RawRecord } from './lens.ts'
import { RefusedError } from './outcomes.ts'

// A shelf is what an article belongs to: a category, section, folder or collection. Some articles need a shelf that no
// source record describes, such as articles without a category. We make such a side shelf, and an undo removes it once
// it is empty.

/** The mark and the name of the shelf for articles that had no place. */
export const nowhere = 'nowhere'
export const nameOfNowhere = 'Imported articles'
/** The version of a shelf that existed before the import. An undo leaves it. */
export const foundVersion = 'found'
const mostNames = 20

/** A digest that is equal for shelves with the same name and parent, in any case of letters. */
export const placeOf = (name: unknown, parent: unknown): string =>
  digestOf(`${parent ?? ''}\n${String(name).trim().toLowerCase()}`, 16)
export const findShelf = (shelves: readonly RawRecord[], name: unknown, parent: unknown) =>
  shelves.find((raw) => placeOf(raw.name, raw.parent) === placeOf(name, parent))

export interface WantedShelf {
  kind: string
  mark: string
  parent: string | null
  name: string
  /** Whether an existing shelf with this name may be used. Otherwise the next free name is used. */
  isShared: boolean
  /** Whether a shelf that we made is still usable: people may have opened it to others. */
  isFit?(raw: RawRecord): boolean
  isTaken?(name: string): boolean
  /** Makes the shelf and returns it. A refusal throws a RefusedError. */
  make(name: string): Promise<RawRecord>
}

/**
 * Returns the id of a side shelf. A shelf that we noted before making it is ours, even if the tool's answer was lost.
 */
export async function takeOnSide(sides: SideRecords, shelves: RawRecord[], wanted: WantedShelf): Promise<string> {
  const { kind, mark, parent, isFit = () => true, make } = wanted
  const [known] = await sides.list(kind, [mark])
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

/**
 * Whether the note belongs to this shelf. Until the tool has answered, the note holds only the place. No shelf of that
 * name existed when the note was written.
 */
const isNoted = ({ destinationId, version }: SideRecord, raw: RawRecord) =>
  destinationId === null ? placeOf(raw.name, raw.parent) === version : String(raw.id) === destinationId

/**
 * The original place of the articles on each side shelf, by the shelf's id. The shelf's mark begins with that place.
 */
export async function placesOf(sides: SideRecords, kind: string): Promise<ReadonlyMap<string, string | null>> {
  const placeIn = (mark: string) => (mark.split(' ')[0] === nowhere ? null : (mark.split(' ')[0] ?? null))
  return new Map((await sides.list(kind)).map(({ mark, destinationId }) => [String(destinationId), placeIn(mark)]))
}

/** Whether a shelf is empty. Empty side shelves inside it do not count. */
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
 * For `Writer.removeSides`. Empty shelves are removed. Fields stay, because people may now use them for their own
 * records. Every other side record is a note about a record, which the undo handles itself.
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
