import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import type { Which } from '../../kit/read-lists.ts'
import { fixed, onlySince, through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type HelpscoutApi, pageSize, requestsAtOnce } from './api.ts'

// Help Scout Docs has a separate API with its own key and answer format. Without this key we read no articles.

/** Both APIs name the time of the last change `updatedAt`. */
export const sinceThen = (walk: Walk<RawRecord>, since: string | undefined): Walk<RawRecord> =>
  onlySince(walk, since, ({ updatedAt }) => updatedAt)

/** We add `c` before a collection's id. An id has 24 characters, and may itself begin with `c`. */
export const isCollection = (id: string): boolean => /^c[0-9a-f]{24}$/i.test(id)

/** The category that Help Scout creates in every collection, for articles without one. No request names it. */
export const isNoCategory = ({ name }: RawRecord): boolean => name === 'Uncategorized'

const all = { order: 'asc', sort: 'number' }

export function openDocs({ docs }: HelpscoutApi, usersOf: () => Promise<ReadonlySet<string>>) {
  /** Collections contain categories. Both become categories of the family. */
  const shelves = once(async () => {
    if (!docs) return []
    const collections = await readAll(docs.list('/collections', 'collections', all), pageSize)
    const inside = await sideBySide(collections, requestsAtOnce, ({ id }) =>
      readAll(docs.list(`/collections/${id}/categories`, 'categories', all), pageSize),
    )
    // The documented list does not tell who may read a category. Then each category is requested alone.
    const told = await sideBySide(inside.flat(), requestsAtOnce, async (raw) =>
      raw.visibility === undefined ? ((await docs.one(`/categories/${raw.id}`, 'category')) ?? raw) : raw,
    )
    return [
      ...collections.map((raw) => ({ ...raw, id: `c${raw.id}`, parent: null })),
      ...told.map((raw): RawRecord => ({ ...raw, parent: `c${raw.collectionId}` })),
    ] as RawRecord[]
  })
  const categories = ({ since, ids }: Which) =>
    sinceThen(
      fixed(async () =>
        (await shelves()).filter((raw) => !isNoCategory(raw) && (!ids || ids.includes(String(raw.id)))),
      ),
      since,
    )

  /** Requests each article by id, because lists omit texts. */
  const wholeOf = async (refs: readonly string[]): Promise<RawRecord[]> => {
    const [shelved, users] = [await shelves(), await usersOf()]
    const shelfOf = (id: unknown) => shelved.find((one) => one.id === id)
    const isOpen = (id: unknown) => shelfOf(id)?.visibility === 'public'
    const isCategory = (id: unknown) => !isNoCategory(shelfOf(id) ?? { id: '' })
    const found = await sideBySide(refs, requestsAtOnce, async (id) =>
      docs ? docs.one(`/articles/${id}`, 'article') : null,
    )
    return found.flatMap((raw) => {
      if (!raw) return []
      const places = [`c${raw.collectionId}`, ...(Array.isArray(raw.categories) ? raw.categories : [])]
      const author = users.has(String(raw.createdBy)) ? raw.createdBy : null
      const entry_visibility = places.every(isOpen) ? 'public' : 'private'
      const entry_category = places.slice(1).find(isCategory) ?? places[0]
      return { ...raw, entry_author: author, entry_category, entry_visibility }
    })
  }
  const idsIn = (page: RawRecord[]) => wholeOf(page.map(({ id }) => String(id)))
  const articles = ({ since, ids }: Which): Walk<RawRecord> => {
    if (ids) return fixed(() => wholeOf(ids))
    return async (cursor, size) => {
      const shelved = (await shelves()).filter(({ parent }) => parent === null)
      const [turn, after] = (cursor === null ? [0, null] : JSON.parse(cursor)) as [number, string | null]
      const shelf = shelved[turn]
      if (!docs || !shelf) return { items: [], next: null }
      const path = `/collections/${String(shelf.id).slice(1)}/articles`
      const list = sinceThen(docs.list(path, 'articles', { ...all, status: 'all' }), since)
      const { items, next } = await through(list, idsIn)(after, size)
      const isMore = turn + 1 < shelved.length
      return {
        items,
        next: next !== null ? JSON.stringify([turn, next]) : isMore ? JSON.stringify([turn + 1, null]) : null,
      }
    }
  }
  /** Whether the record no longer exists. Only a 404 tells this. */
  const isGone = async (entity: string, id: string): Promise<boolean> => {
    if (!docs) return false
    if (entity === 'articles') return (await docs.one(`/articles/${id}`, 'article')) === null
    const [path, name] = isCollection(id) ? ['/collections', 'collection'] : ['/categories', 'category']
    return (await docs.one(`${path}/${isCollection(id) ? id.slice(1) : id}`, name)) === null
  }
  return { categories, articles, isGone }
}
