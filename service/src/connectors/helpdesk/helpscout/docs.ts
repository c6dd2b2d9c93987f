import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { inTurn } from '../../kit/nested-pages.ts'
import { anId, oddAt, withOdd } from '../../kit/odd-places.ts'
import { once } from '../../kit/once.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import type { Which } from '../../kit/read-lists.ts'
import { fixed, onlySince, through } from '../../kit/shape-walks.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type HelpscoutApi, pageSize, requestsAtOnce } from './api.ts'
import { addressAt, addressesIn, pictureAt, picturesIn } from './look-around.ts'

// Help Scout Docs has a separate API with its own key and answer format. Without this key we read no articles.

/** Lists may show a change only after this time, and Help Scout's clock may differ from ours. */
const lagMs = 5 * 60_000
export const earlier = (since: string): string => `${new Date(Date.parse(since) - lagMs).toISOString().slice(0, 19)}Z`

/** Both APIs name the time of the last change `updatedAt`. */
export const sinceThen = (walk: Walk<RawRecord>, since: string | undefined): Walk<RawRecord> =>
  since === undefined ? walk : onlySince(walk, earlier(since), ({ updatedAt }) => updatedAt)

/** We add `c` before a collection's id. An id has 24 characters, and may itself begin with `c`. */
export const isCollection = (id: string): boolean => /^c[0-9a-f]{24}$/i.test(id)

/** The category that Help Scout creates in every collection, for articles without one. No request names it. */
export const isNoCategory = ({ name }: RawRecord): boolean => name === 'Uncategorized'

export const inOrder = { order: 'asc', sort: 'number' }

/** Reads all collections, which have `c` before their ids, and the categories in them. */
export async function readShelves(docs: NonNullable<HelpscoutApi['docs']>): Promise<[RawRecord[], RawRecord[]]> {
  const collections = await readAll(docs.list('/collections', 'collections', inOrder), pageSize)
  const inside = await sideBySide(collections, requestsAtOnce, ({ id }) =>
    readAll(docs.list(`/collections/${id}/categories`, 'categories', inOrder), pageSize),
  )
  return [collections.map((raw) => ({ ...raw, id: `c${raw.id}`, parent: null })), inside.flat()]
}

/**
 * The files that an article shows or links to. Docs has no list of them. An id contains a digest of the address, because
 * places in a text change.
 */
function filesOf({ isHome, isAsset }: HelpscoutApi, { id, text }: RawRecord, is_private: boolean): RawRecord[] {
  const parent = { entity: 'articles', sourceId: String(id) }
  const fileAt = (address: string, is_inline: boolean): RawRecord => ({
    ...{ ...pictureAt(address), is_inline, is_private, parent },
    ...{ id: `a${id}-${digestOf(address, 16)}`, entry_url: addressAt(address)?.href ?? null },
  })
  const shown = picturesIn(text, isHome)
  const linked = addressesIn(text, 'a', 'href', isAsset).filter((address) => !shown.includes(address))
  return [...shown.map((address) => fileAt(address, true)), ...linked.map((address) => fileAt(address, false))]
}

export function openDocs(api: HelpscoutApi, usersOf: () => Promise<ReadonlySet<string>>) {
  const { docs } = api
  /** Collections contain categories. Both become categories of the family. */
  const shelves = once(async () => {
    if (!docs) return []
    const [collections, inside] = await readShelves(docs)
    // The documented list does not tell who may read a category. Then each category is requested alone.
    const told = await sideBySide(inside, requestsAtOnce, async (raw) =>
      raw.visibility === undefined ? ((await docs.one(`/categories/${raw.id}`, 'category')) ?? raw) : raw,
    )
    return [...collections, ...told.map((raw): RawRecord => ({ ...raw, parent: `c${raw.collectionId}` }))]
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
      const files = filesOf(api, raw, entry_visibility !== 'public' || raw.status !== 'published')
      const article = { ...raw, entry_author: author, entry_category, entry_visibility, files }
      return withOdd(article, oddAt(raw, { createdBy: anId }))
    })
  }
  const idsIn = (page: RawRecord[]) => wholeOf(page.map(({ id }) => String(id)))
  const articles = ({ since, ids }: Which): Walk<RawRecord> => {
    if (ids || !docs) return fixed(() => wholeOf(ids ?? []))
    return async (cursor, size) => {
      const shelved = await shelves()
      const tops = shelved.filter(({ parent }) => parent === null)
      return inTurn(tops, cursor, size, ({ id: top }) => {
        const path = `/collections/${String(top).slice(1)}/articles`
        const list = docs.list(path, 'articles', { ...inOrder, status: 'all' })
        // A collection or category that changed may show its articles to other readers now.
        const isChanged = shelved.some(
          ({ id, parent, updatedAt }) =>
            since !== undefined &&
            [id, parent].includes(top) &&
            Date.parse(String(updatedAt)) >= Date.parse(earlier(since)),
        )
        return through(isChanged ? list : sinceThen(list, since), idsIn)
      })
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
