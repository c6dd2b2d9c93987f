import { UnreadableAnswerError } from '../../../errors.ts'
import type { SideRecord, SideRecords } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type HelpscoutApi, label, pageSize, requestsAtOnce } from './api.ts'
import { isCollection } from './docs.ts'
import type { Readers } from './lenses.ts'

// Shelves are collections, and categories in them. Collection and category together decide who reads an article: one for
// agents that would stand in the open gets a private category on the side.

export interface ShelfContext {
  docs: NonNullable<HelpscoutApi['docs']>
  sides: SideRecords
  /** The site that new collections belong to. */
  siteId: string
}

const categoryKind = 'category_of_articles'
const collectionKind = 'collection_of_articles'
/** Notes of categories that stood inside another category before: Help Scout has two levels alone. */
export const flatKind = 'flat_category'
export const isSideShelf = ({ kind }: Pick<SideRecord, 'kind'>) => kind === categoryKind || kind === collectionKind
/** The mark of what is for articles that stand nowhere. */
const nowhere = 'nowhere'
const nameOfNowhere = 'Imported articles'
/** The version of a shelf that was there before us: an undo leaves it. */
const foundVersion = 'found'
const mostNames = 20
/** Help Scout makes one in every collection, for articles without a category. */
const uncategorized = 'Uncategorized'

export class ShelfRefusedError extends Error {
  readonly sent: Extract<Sent, { result: 'refused' }>
  constructor(sent: Extract<Sent, { result: 'refused' }>) {
    super(sent.message)
    this.sent = sent
  }
}

export const pathOf = (id: string) =>
  isCollection(id) ? `/collections/${id.slice(1)}` : `/categories/${encodeURIComponent(id)}`

/** The id of what was made: it stands at the end of a header. */
export function placedId({ headers }: Extract<Sent, { result: 'done' }>): string {
  const id = /\/([\w-]+)\/?$/.exec(String(headers.location ?? ''))?.[1]
  if (id === undefined) throw new UnreadableAnswerError('Help Scout answered with no Location')
  return id
}

/** Collections and categories, each with what it stands in. */
export async function shelvesNow({ docs, sides }: ShelfContext): Promise<RawRecord[]> {
  const all = { order: 'asc', sort: 'number' }
  const collections = await readAll(docs.list('/collections', 'collections', all), pageSize)
  const inside = await sideBySide(collections, requestsAtOnce, ({ id }) =>
    readAll(docs.list(`/collections/${id}/categories`, 'categories', all), pageSize),
  )
  const flat = (await sides.list(flatKind)).map(({ destinationId, version }) => {
    const [place, parent] = (version ?? '').split(' ')
    return { destinationId, place, parent }
  })
  // Also of one whose answer was lost.
  const aboveOf = ({ id, name, collectionId }: RawRecord) =>
    flat.find(({ destinationId, place }) =>
      destinationId === null ? place === placeOf(name, `c${collectionId}`) : destinationId === String(id),
    )?.parent ?? `c${collectionId}`
  return [
    ...collections.map((raw): RawRecord => ({ ...raw, id: `c${raw.id}`, parent: null })),
    ...inside.flat().map((raw): RawRecord => ({ ...raw, parent: aboveOf(raw) })),
  ]
}

/** The same key for shelves of one name at one place, in any case of letters. */
export const placeOf = (name: unknown, parent: unknown): string =>
  digestOf(`${parent ?? ''}\n${String(name).trim().toLowerCase()}`, 16)

/** The collection that a place is, or is in. */
export const collectionOf = (shelves: readonly RawRecord[], place: string): string =>
  isCollection(place) ? place : `c${shelves.find(({ id }) => String(id) === place)?.collectionId}`

export async function makeShelf(
  { docs, siteId }: ShelfContext,
  collection: string | null,
  { name, readers }: { name: unknown; readers: Readers },
): Promise<string> {
  const body = { name, visibility: readers === 'public' ? 'public' : 'private' }
  const sent =
    collection === null
      ? await docs.send('POST', '/collections', { json: { siteId, ...body } })
      : await docs.send('POST', '/categories', { json: { collectionId: collection.slice(1), ...body } })
  if (sent.result === 'refused') throw new ShelfRefusedError(sent)
  return `${collection === null ? 'c' : ''}${placedId(sent)}`
}

/**
 * A shelf that we noted before creating it is ours, even if the answer was lost. People's categories are never used:
 * each is a place by itself.
 */
async function takeOnSide(
  context: ShelfContext,
  { kind, mark, parent, name: given }: { kind: string; mark: string; parent: string | null; name: string },
): Promise<string> {
  const { sides } = context
  const shelves = await shelvesNow(context)
  const known = (await sides.list(kind)).find((one) => one.mark === mark)
  const lost = known?.destinationId === null ? known.version : null
  const ours = shelves.find(
    (raw) => placeOf(raw.name, raw.parent) === lost && (kind === collectionKind || !isOpen(raw)),
  )
  const there =
    kind === collectionKind ? shelves.find((raw) => placeOf(raw.name, raw.parent) === placeOf(given, null)) : undefined
  if (ours || there) {
    const id = String((ours ?? there)?.id)
    await sides.note({ kind, mark, destinationId: id, version: ours ? lost : foundVersion })
    return id
  }
  const names = [given, ...Array.from({ length: mostNames }, (_, at) => `${given} ${at + 2}`)]
  const isFree = (one: string) =>
    !shelves.some((raw) => isIn(raw, parent) && placeOf(raw.name, '') === placeOf(one, ''))
  const name = names.find(isFree) ?? given
  const side = { kind, mark, destinationId: null, version: placeOf(name, parent) }
  await sides.note(side)
  const readers = kind === collectionKind ? 'public' : 'internal'
  const id = await makeShelf(context, parent, { name, readers }).catch(async (error) => {
    if (error instanceof ShelfRefusedError) await sides.forget(side)
    throw error
  })
  await sides.note({ ...side, destinationId: id })
  return id
}
/** Whether a category is in the collection; without one, whether it is a collection itself. */
export const isIn = (raw: RawRecord, collection: string | null) =>
  collection === null ? isCollection(String(raw.id)) : `c${raw.collectionId}` === collection

export type View = (id: string) => Promise<RawRecord | null>
/** Each shelf is asked for once. */
export function shelfViews({ docs }: ShelfContext): View {
  const seen = new Map<string, Promise<RawRecord | null>>()
  return (id) => {
    const view = seen.get(id) ?? docs.one(pathOf(id), isCollection(id) ? 'collection' : 'category')
    seen.set(id, view)
    return view
  }
}

export const isOpen = (shelf: RawRecord | null): boolean => shelf?.visibility === 'public'

/** The target of an article. Help Scout puts an article without a category into one of its own. */
export interface Spot {
  collection: string
  category: string | null
}

/** The spot for articles of a place. Those for agents never stand in the open. Null when the place is not there any more. */
export async function spotFor(
  context: ShelfContext,
  view: View,
  place: string | null,
  readers: Readers,
): Promise<Spot | null> {
  const { docs, sides } = context
  const category = place !== null && !isCollection(place) ? await view(place) : null
  if (place !== null && !isCollection(place) && !category) return null
  const collection = category ? `c${category.collectionId}` : (place ?? (await collectionForNowhere(context)))
  const shelf = await view(collection)
  if (!shelf) return null
  const here = { collection, category: category && String(category.id) }
  if (readers === 'public' || !isOpen(shelf) || (category && !isOpen(category))) return here
  const mark = `${place ?? nowhere} ${readers}`
  const known = (await sides.list(categoryKind)).find((one) => one.mark === mark)
  const made = known?.destinationId ? await docs.one(pathOf(known.destinationId), 'category') : null
  // People may have deleted our category, or opened it to all.
  if (made && !isOpen(made)) return { collection, category: String(made.id) }
  const name = `${category?.name ?? shelf.name} (${readers})`
  return { collection, category: await takeOnSide(context, { kind: categoryKind, mark, parent: collection, name }) }
}

async function collectionForNowhere(context: ShelfContext): Promise<string> {
  const known = (await context.sides.list(collectionKind)).find(({ mark }) => mark === nowhere)
  const id = known?.destinationId
  if (id && (await context.docs.one(pathOf(id), 'collection'))) return id
  return takeOnSide(context, { kind: collectionKind, mark: nowhere, parent: null, name: nameOfNowhere })
}

/** The category that Help Scout chose for articles of a place without one: that is not where they came from. */
export const noteChosen = (
  { sides }: ShelfContext,
  place: string | null,
  readers: Readers,
  category: string,
): Promise<void> =>
  sides.note({
    ...{ kind: categoryKind, mark: `${place ?? nowhere} ${readers}` },
    ...{ destinationId: category, version: foundVersion },
  })

/** A substitute shelf stands for the articles' original place. */
export async function placesOf({ sides }: ShelfContext): Promise<ReadonlyMap<string, string | null>> {
  const made = await sides.list(categoryKind)
  const placeIn = (mark: string) => mark.split(' ')[0] ?? nowhere
  return new Map(
    made.map(({ mark, destinationId }) => [String(destinationId), placeIn(mark) === nowhere ? null : placeIn(mark)]),
  )
}

/** Categories that we made on the side, and that of Help Scout itself, count as nothing while no article is there. */
export async function isEmptyShelf(context: ShelfContext, id: string): Promise<boolean> {
  const { docs, sides } = context
  const { items } = await docs.list(`${pathOf(id)}/articles`, 'articles', { status: 'all' })(null, 1)
  if (items.length > 0) return false
  if (!isCollection(id)) return true
  const made = new Set((await sides.list(categoryKind)).map(({ destinationId }) => destinationId))
  const inside = await readAll(docs.list(`${pathOf(id)}/categories`, 'categories'), pageSize)
  return inside.every((raw) => raw.name === uncategorized || made.has(String(raw.id)))
}

/** Why a shelf that we made on the side stays, and its id; null when there is none any more. */
export async function removeSideShelf(
  context: ShelfContext,
  { destinationId, version }: SideRecord,
): Promise<{ id: string; url: string | null; message: string } | null> {
  if (version === foundVersion) return null
  // Also one whose answer never came: there was none of its name before we noted it.
  const raw = (await shelvesNow(context)).find((one) =>
    destinationId === null ? placeOf(one.name, one.parent) === version : String(one.id) === destinationId,
  )
  if (!raw) return null
  const id = String(raw.id)
  const kept = { id, url: typeof raw.publicUrl === 'string' ? raw.publicUrl : null }
  if (!(await isEmptyShelf(context, id))) return { ...kept, message: 'It is not empty.' }
  const sent = await context.docs.send('DELETE', pathOf(id))
  if (sent.result === 'done' || sent.status === 404) return null
  return { ...kept, message: `${label} does not delete it: ${sent.message}` }
}
