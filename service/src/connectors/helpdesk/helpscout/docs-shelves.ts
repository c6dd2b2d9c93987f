import { UnreadableAnswerError } from '../../../errors.ts'
import type { SideRecords } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { onceEach } from '../../kit/once.ts'
import { readAll } from '../../kit/pages.ts'
import {
  findShelf,
  foundVersion,
  nameOfNowhere,
  nowhere,
  placeOf,
  type SideShelfRules,
  takeOnSide,
} from '../../kit/side-shelves.ts'
import { done, type HelpscoutApi, label, pageSize } from './api.ts'
import { isCollection, isNoCategory, readShelves } from './docs.ts'
import type { Readers } from './lenses.ts'

// "Shelf" means a collection or a category in it. Collection and category together decide who may read an article. An
// internal article that would be public in its place gets an extra private category.

export interface ShelfContext {
  docs: NonNullable<HelpscoutApi['docs']>
  sides: SideRecords
  /** The site for new collections. */
  siteId: string
}

export const categoryKind = 'category_of_articles'
const collectionKind = 'collection_of_articles'
/** Notes about categories that were inside another category in the source. Help Scout has only two levels. */
export const flatKind = 'flat_category'
export const pathOf = (id: string) =>
  isCollection(id) ? `/collections/${id.slice(1)}` : `/categories/${encodeURIComponent(id)}`

/** The id of a new record, from the end of the Location header. */
export function placedId({ headers }: Extract<Sent, { result: 'done' }>): string {
  const id = /\/([\w-]+)\/?$/.exec(String(headers.location ?? ''))?.[1]
  if (id === undefined) throw new UnreadableAnswerError('Help Scout answered with no Location')
  return id
}

/** Reads all collections and categories, each with its parent. */
export async function shelvesNow({ docs, sides }: ShelfContext): Promise<RawRecord[]> {
  const [collections, inside] = await readShelves(docs)
  const flat = (await sides.list(flatKind)).map(({ destinationId, version }) => {
    const [place, parent] = (version ?? '').split(' ')
    return { destinationId, place, parent }
  })
  // A note without an id belongs to a category whose answer was lost: the name and collection identify it.
  const aboveOf = ({ id, name, collectionId }: RawRecord) =>
    flat.find(({ destinationId, place }) =>
      destinationId === null ? place === placeOf(name, `c${collectionId}`) : destinationId === String(id),
    )?.parent ?? `c${collectionId}`
  return [...collections, ...inside.map((raw): RawRecord => ({ ...raw, parent: aboveOf(raw) }))]
}

/** The id of the collection that is `place`, or that contains `place`. */
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
  return `${collection === null ? 'c' : ''}${placedId(done(sent))}`
}

async function takeShelf(context: ShelfContext, kind: string, mark: string, parent: string | null, name: string) {
  const shelves = await shelvesNow(context)
  const isTop = kind === collectionKind
  return takeOnSide(context.sides, shelves, {
    ...{ kind, mark, parent, name },
    // A category that people made never becomes our extra category.
    isShared: isTop,
    isFit: (raw) => isTop || !isOpen(raw),
    isTaken: (one) => findShelf(inCollection(shelves, parent), one, '') !== undefined,
    make: async (free) => {
      const id = await makeShelf(context, parent, { name: free, readers: isTop ? 'public' : 'internal' })
      return { id, name: free, parent }
    },
  })
}
/** The categories of a collection, or all collections. Names are unique among them, so all get the same parent. */
const inCollection = (shelves: readonly RawRecord[], collection: string | null): RawRecord[] =>
  shelves
    .filter(({ id, collectionId }) =>
      collection === null ? isCollection(String(id)) : `c${collectionId}` === collection,
    )
    .map((raw) => ({ ...raw, parent: '' }))

export type View = ReturnType<typeof shelfViews>
/** Requests each shelf only once. */
export const shelfViews = ({ docs }: ShelfContext) =>
  onceEach((id: string) => docs.one(pathOf(id), isCollection(id) ? 'collection' : 'category'))

export const isOpen = (shelf: RawRecord | null): boolean => shelf?.visibility === 'public'

/** The place for an article. Help Scout moves an article without a category into "Uncategorized". */
export interface Spot {
  collection: string
  category: string | null
}

/**
 * Finds or creates the spot for articles of `place`. Internal articles never get a public spot. Null if the place no
 * longer exists.
 */
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
  const here = { collection, category: category && !isNoCategory(category) ? String(category.id) : null }
  if (readers === 'public' || !isOpen(shelf) || (category && !isOpen(category))) return here
  const mark = `${place ?? nowhere} ${readers}`
  const [known] = await sides.list(categoryKind, [mark])
  const made = known?.destinationId ? await docs.one(pathOf(known.destinationId), 'category') : null
  // People may have deleted our category, or made it public.
  if (made && !isOpen(made)) return { collection, category: String(made.id) }
  const name = `${category?.name ?? shelf.name} (${readers})`
  return { collection, category: await takeShelf(context, categoryKind, mark, collection, name) }
}

async function collectionForNowhere(context: ShelfContext): Promise<string> {
  const [known] = await context.sides.list(collectionKind, [nowhere])
  const id = known?.destinationId
  if (id && (await context.docs.one(pathOf(id), 'collection'))) return id
  return takeShelf(context, collectionKind, nowhere, null, nameOfNowhere)
}

/**
 * Notes the category that Help Scout chose for articles without one, so that reading back reports their original place.
 */
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

/**
 * Whether a shelf is empty. Extra categories of ours and "Uncategorized" do not count while they have no articles.
 */
async function isEmptyShelf(context: ShelfContext, id: string): Promise<boolean> {
  const { docs, sides } = context
  const { items } = await docs.list(`${pathOf(id)}/articles`, 'articles', { status: 'all' })(null, 1)
  if (items.length > 0) return false
  if (!isCollection(id)) return true
  const made = new Set((await sides.list(categoryKind)).map(({ destinationId }) => destinationId))
  const inside = await readAll(docs.list(`${pathOf(id)}/categories`, 'categories'), pageSize)
  return inside.every((raw) => isNoCategory(raw) || made.has(String(raw.id)))
}

export const urlOf = ({ publicUrl }: RawRecord) => (typeof publicUrl === 'string' ? publicUrl : null)

export const shelfRules = (context: ShelfContext): SideShelfRules => ({
  label,
  isShelf: (kind) => kind === categoryKind || kind === collectionKind,
  now: () => shelvesNow(context),
  isEmpty: (id) => isEmptyShelf(context, id),
  remove: (id) => context.docs.send('DELETE', pathOf(id)),
  urlOf,
})
