import { UnreadableAnswerError } from '../../../errors.ts'
import type { SideRecords } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { onceEach } from '../../kit/once.ts'
import { readAll } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import {
  findShelf,
  foundVersion,
  nameOfNowhere,
  nowhere,
  placeOf,
  type SideShelfRules,
  takeOnSide,
} from '../../kit/side-shelves.ts'
import { done, type HelpscoutApi, label, pageSize, requestsAtOnce } from './api.ts'
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

export const categoryKind = 'category_of_articles'
const collectionKind = 'collection_of_articles'
/** Notes of categories that stood inside another category before: Help Scout has two levels alone. */
export const flatKind = 'flat_category'
/** Help Scout makes one in every collection, for articles without a category. */
const uncategorized = 'Uncategorized'

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
  return `${collection === null ? 'c' : ''}${placedId(done(sent))}`
}

async function takeShelf(context: ShelfContext, kind: string, mark: string, parent: string | null, name: string) {
  const shelves = await shelvesNow(context)
  const isTop = kind === collectionKind
  return takeOnSide(context.sides, shelves, {
    ...{ kind, mark, parent, name },
    // People's categories are never used: each is a place by itself.
    isShared: isTop,
    isFit: (raw) => isTop || !isOpen(raw),
    isTaken: (one) => findShelf(inCollection(shelves, parent), one, '') !== undefined,
    make: async (free) => {
      const id = await makeShelf(context, parent, { name: free, readers: isTop ? 'public' : 'internal' })
      return { id, name: free, parent }
    },
  })
}
/** What stands in a collection, however deep it was, or all collections. Names are unique there. */
const inCollection = (shelves: readonly RawRecord[], collection: string | null): RawRecord[] =>
  shelves
    .filter(({ id, collectionId }) =>
      collection === null ? isCollection(String(id)) : `c${collectionId}` === collection,
    )
    .map((raw) => ({ ...raw, parent: '' }))

export type View = ReturnType<typeof shelfViews>
/** Each shelf is asked for once. */
export const shelfViews = ({ docs }: ShelfContext) =>
  onceEach((id: string) => docs.one(pathOf(id), isCollection(id) ? 'collection' : 'category'))

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
  return { collection, category: await takeShelf(context, categoryKind, mark, collection, name) }
}

async function collectionForNowhere(context: ShelfContext): Promise<string> {
  const known = (await context.sides.list(collectionKind)).find(({ mark }) => mark === nowhere)
  const id = known?.destinationId
  if (id && (await context.docs.one(pathOf(id), 'collection'))) return id
  return takeShelf(context, collectionKind, nowhere, null, nameOfNowhere)
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

/** Categories that we made on the side, and that of Help Scout itself, count as nothing while no article is there. */
async function isEmptyShelf(context: ShelfContext, id: string): Promise<boolean> {
  const { docs, sides } = context
  const { items } = await docs.list(`${pathOf(id)}/articles`, 'articles', { status: 'all' })(null, 1)
  if (items.length > 0) return false
  if (!isCollection(id)) return true
  const made = new Set((await sides.list(categoryKind)).map(({ destinationId }) => destinationId))
  const inside = await readAll(docs.list(`${pathOf(id)}/categories`, 'categories'), pageSize)
  return inside.every((raw) => raw.name === uncategorized || made.has(String(raw.id)))
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
