import Type from 'typebox'
import type { RawRecord } from '../../kit/lens.ts'
import { underParents } from '../../kit/nested-pages.ts'
import { oddAt, withOdd } from '../../kit/odd-places.ts'
import type { Walk } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type FreshdeskApi, requestsAtOnce } from './api.ts'

// The knowledge base: categories contain folders, and folders contain folders and articles. 403 or 404: the account has
// no knowledge base.

const closed = [403, 404]
const urlOf = ({ site }: FreshdeskApi, place: string, id: unknown) => `${site}/support/solutions/${place}${id}`

export async function hasSolutions(api: FreshdeskApi): Promise<boolean> {
  const { status } = await api.http.look('/solutions/categories', closed, { per_page: 1 })
  return status === 200
}

/**
 * Categories and folders both become categories of the family. A Freshdesk category gets the prefix `c` before its id.
 * Writers omit 403 from `missing`, because a hidden record still exists.
 */
export async function readFolders(api: FreshdeskApi, missing: readonly number[] = closed): Promise<RawRecord[]> {
  const categories = await api.all('/solutions/categories', {}, missing)
  const folders = new Map<unknown, RawRecord>()
  // Lists of folders do not name the category.
  const note = async (category_id: unknown, path: string, above: string | number): Promise<void> => {
    for (const raw of await api.all(path, {}, missing)) {
      if (folders.has(raw.id)) continue
      const parent = typeof raw.parent_folder_id === 'number' ? raw.parent_folder_id : above
      folders.set(raw.id, { ...raw, category_id, parent, html_url: urlOf(api, 'folders/', raw.id) })
      if (raw.sub_folders_count !== 0) await note(category_id, `/solutions/folders/${raw.id}/subfolders`, raw.id)
    }
  }
  for (const { id } of categories) await note(id, `/solutions/categories/${id}/folders`, `c${id}`)
  const top = categories.map((raw) => ({ ...raw, id: `c${raw.id}`, parent: null, html_url: urlOf(api, '', raw.id) }))
  return [...top, ...folders.values()]
}

type Folders = () => Promise<RawRecord[]>

export const categoryList =
  (folders: Folders): Walk<RawRecord> =>
  async () => ({ items: await folders(), next: null })

/** A folder inside a folder that only some people can read has no more readers than that one. */
function visibilityIn(shelves: readonly RawRecord[], folder: RawRecord | undefined, depth = 0): unknown {
  const own = folder?.visibility ?? null
  const outer = shelves.find(({ id }) => id === folder?.parent)
  return own !== 1 || outer?.visibility === undefined || depth > 20 ? own : visibilityIn(shelves, outer, depth + 1)
}

const hierarchy = Type.Array(Type.Object({ data: Type.Object({ language: Type.Optional(Type.Unknown()) }) }))

/** Adds the readers of the article's folder and the language of its hierarchy. */
async function withFolder(api: FreshdeskApi, folders: Folders, raw: RawRecord): Promise<RawRecord> {
  const shelves = await folders()
  const folder = shelves.find(({ id }) => id === raw.folder_id)
  const places = Array.isArray(raw.hierarchy) ? (raw.hierarchy as { data?: { language?: unknown } }[]) : []
  const locale = places.at(-1)?.data?.language ?? null
  const article = { ...raw, visibility: visibilityIn(shelves, folder), locale }
  return withOdd({ ...article, html_url: urlOf(api, 'articles/', raw.id) }, oddAt(raw, { hierarchy }))
}

export async function viewArticle(api: FreshdeskApi, folders: Folders, id: string | number): Promise<RawRecord[]> {
  const raw = await api.view('/solutions/articles', id)
  return raw ? [await withFolder(api, folders, raw)] : []
}

/** Requests each article by id, because lists omit labels and files. */
export function articleList(api: FreshdeskApi, folders: Folders): Walk<RawRecord> {
  const ids: Walk<string> = async () => {
    const all = await folders()
    return { items: all.flatMap(({ id }) => (typeof id === 'number' ? String(id) : [])), next: null }
  }
  const inFolder = (id: string): Walk<RawRecord> => api.list(`/solutions/folders/${id}/articles`, {}, closed)
  const all = underParents(ids, inFolder, 20, requestsAtOnce)
  return async (cursor, size) => {
    const { items, next } = await all(cursor, size)
    const seen = await sideBySide(items, requestsAtOnce, ({ id }) => viewArticle(api, folders, id))
    return { items: seen.flat(), next }
  }
}
