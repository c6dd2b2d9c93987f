import { ObstacleError } from '../../../errors.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { through } from '../../kit/shape-walks.ts'
import { largestPage, type ZendeskApi } from './api.ts'
import { readersOf } from './entities.ts'

// Lists of the Help Center. Their paths end with `.json`.

/** Entities with lists of the Help Center. */
const lists = { categories: '/help_center/categories.json', articles: '/help_center/articles.json' }

/** Whether Zendesk refused a single list, and the account itself still answers. */
export async function isOnlyThis({ http }: ZendeskApi, error: unknown): Promise<boolean> {
  if (!(error instanceof ObstacleError) || error.code !== 'authorization_lost') return false
  const me = (await http.ask('/users/me')).json as Record<string, unknown>
  return typeof valueAt(me, 'user.id') === 'number'
}

/** Reads a list that Zendesk does not open as empty. Only for a source: a destination would write records twice. */
export const unlessClosed =
  (api: ZendeskApi, walk: Walk<RawRecord>): Walk<RawRecord> =>
  async (cursor, size) => {
    try {
      return await walk(cursor, size)
    } catch (error) {
      if (await isOnlyThis(api, error)) return { items: [], next: null }
      throw error
    }
  }

/** Entities whose lists Zendesk does not open, for `Reader.countWithheld`. Nobody knows how many records they have. */
export async function findWithheld({ http }: ZendeskApi): Promise<Record<string, null>> {
  const found: Record<string, null> = {}
  for (const [entity, path] of Object.entries(lists)) {
    if ((await http.look(path, [403, 404], { 'page[size]': 1 })).status !== 200) found[entity] = null
  }
  return found
}

export async function articleFiles(api: ZendeskApi, article: RawRecord): Promise<RawRecord[]> {
  const { id, draft } = article
  const path = `/help_center/articles/${id}/attachments.json`
  const files = await readAll(api.list(path, 'article_attachments', {}, [404]), largestPage)
  const parent = { entity: 'articles', sourceId: String(id) }
  const is_private = readersOf(article) !== 'public' || draft !== false
  return files.map((file) => ({ ...file, id: `a${id}-${file.id}`, parent, is_private }))
}

/** The number of comments on an article. Zendesk lists comments article by article only. */
export async function countComments(api: ZendeskApi, { id }: RawRecord): Promise<number> {
  const path = `/help_center/articles/${id}/comments.json`
  const { items, json } = await api.page(path, 'comments', { per_page: largestPage }, [403, 404])
  return Number.isSafeInteger(json.count) ? Number(json.count) : items.length
}

/** The user segments of the staff. Empty if the account does not open them. */
export async function readStaffSegments(api: ZendeskApi): Promise<ReadonlySet<unknown>> {
  const list = api.list('/help_center/user_segments.json', 'user_segments', {}, [403, 404])
  const segments = await readAll(list, largestPage)
  return new Set(segments.flatMap(({ id, user_type }) => (user_type === 'staff' ? [id] : [])))
}

/** Marks articles that customers could read, but not everybody: the family knows only everybody and the staff. */
export async function withLostReaders(
  articles: RawRecord[],
  readStaff: () => Promise<ReadonlySet<unknown>>,
): Promise<RawRecord[]> {
  const closed = articles.filter((article) => readersOf(article) === 'internal')
  if (closed.length === 0) return articles
  const staff = await readStaff()
  const isForStaff = ({ user_segment_id: one, user_segment_ids: several }: RawRecord) =>
    (Array.isArray(several) && several.length > 0 ? several : [one]).every((id) => staff.has(id))
  return articles.map((article) => ({ ...article, has_lost_readers: closed.includes(article) && !isForStaff(article) }))
}

/** The most content tags of a page. Unlike the lists of the Help Center, their path does not end with `.json`. */
const tagsAtOnce = 30

/** The names of content tags by their ids. Empty if the account does not open them. */
export async function readContentTags(api: ZendeskApi): Promise<ReadonlyMap<unknown, string>> {
  const tags = await readAll(api.list('/guide/content_tags', 'records', {}, [403, 404]), tagsAtOnce)
  return new Map(tags.map(({ id, name }) => [id, String(name)]))
}

/** Adds the names of content tags to articles, and the id of a tag whose name is not known. */
export async function withContentTags(
  articles: RawRecord[],
  read: () => Promise<ReadonlyMap<unknown, string>>,
): Promise<RawRecord[]> {
  const idsOf = ({ content_tag_ids: ids }: RawRecord): unknown[] => (Array.isArray(ids) ? ids : [])
  if (!articles.some((article) => idsOf(article).length > 0)) return articles
  const names = await read()
  return articles.map((article) => ({
    ...article,
    content_tags: idsOf(article).map((id) => names.get(id) ?? String(id)),
  }))
}

/**
 * Lists categories or sections. Sections are inside categories or other sections. Both become categories of the family.
 */
export function categoryList(api: ZendeskApi, name: string): Walk<RawRecord> {
  const list = api.list(`/help_center/${name}.json`, name, { sort_by: 'created_at', sort_order: 'asc' }, [404])
  return through(list, (page) =>
    page.map((raw) => {
      if (name === 'categories') return { ...raw, id: `c${raw.id}`, parent: null }
      return { ...raw, parent: raw.parent_section_id ?? (raw.category_id ? `c${raw.category_id}` : null) }
    }),
  )
}
