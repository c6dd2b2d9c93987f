import type { Reader, Skipped } from '../../contract/contract.ts'
import { countSkippedEach, uncounted } from '../../kit/count-skipped.ts'
import type { Query } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { type FreshdeskApi, isOfPlan, largestPage, readLanguages, requestsAtOnce } from './api.ts'
import { beginning } from './list-tickets.ts'
import { hasSolutions } from './solutions.ts'

// Numbers for the plan: records that no run copies, and lists that Freshdesk does not open to us.

type Folders = () => Promise<RawRecord[]>

export const openCounts = (
  api: FreshdeskApi,
  folders: Folders,
): Required<Pick<Reader, 'countSkipped' | 'countWithheld'>> => ({
  countSkipped: () => countSkipped(api, folders),
  countWithheld: () => findWithheld(api, folders),
})

function countSkipped(api: FreshdeskApi, folders: Folders): Promise<Skipped> {
  const count = (path: string, query: Query) => () => countOf(api, path, query)
  return countSkippedEach({
    article_translations: () => countTranslations(api, folders),
    deleted_tickets: count('/tickets', { filter: 'deleted', updated_since: beginning }),
    forum_topics: () => countTopics(api),
    satisfaction_ratings: count('/surveys/satisfaction_ratings', { created_since: beginning }),
    spam_tickets: count('/tickets', { filter: 'spam', updated_since: beginning }),
    time_entries: count('/time_entries', { executed_after: beginning }),
  })
}

/** A page beyond this number is never asked for. */
const farthestPage = 2 ** 20

/**
 * The length of a list whose pages are numbered. The last page is searched by halves, because the list may have
 * thousands of pages. Null if the account does not have the list, or may not see it.
 */
async function countOf(api: FreshdeskApi, path: string, query: Query = {}): Promise<number | null> {
  const lengthAt = async (page: number) => {
    const { status, json } = await api.http.look(path, uncounted, { ...query, per_page: largestPage, page })
    return status === 200 && Array.isArray(json) ? json.length : null
  }
  const first = await lengthAt(1)
  if (first !== largestPage) return first
  let [full, end] = [1, 2]
  while ((await lengthAt(end)) === largestPage) {
    if (end >= farthestPage) return null
    ;[full, end] = [end, end * 2]
  }
  while (end - full > 1) {
    const middle = Math.floor((full + end) / 2)
    if ((await lengthAt(middle)) === largestPage) full = middle
    else end = middle
  }
  return full * largestPage + ((await lengthAt(end)) ?? 0)
}

/** The list of a language has the articles that were translated into it. */
async function countTranslations(api: FreshdeskApi, folders: Folders): Promise<number | null> {
  const others = (await readLanguages(api)).slice(1)
  if (others.length === 0) return 0
  const filled = (await folders()).filter(({ id, articles_count: count }) => typeof id === 'number' && count !== 0)
  const paths = filled.flatMap(({ id }) => others.map((language) => `/solutions/folders/${id}/articles/${language}`))
  const counts = await sideBySide(paths, requestsAtOnce, (path) => countOf(api, path))
  const known = counts.filter((count) => count !== null)
  return known.length === 0 && counts.length > 0 ? null : known.reduce((sum, count) => sum + count, 0)
}

async function countTopics(api: FreshdeskApi): Promise<number | null> {
  const { status, json } = await api.http.look('/discussions/categories', uncounted, { per_page: largestPage })
  if (status !== 200) return null
  const lists = await sideBySide(api.recordsIn(json), requestsAtOnce, ({ id }) =>
    api.all(`/discussions/categories/${id}/forums`, {}, uncounted),
  )
  return lists.flat().reduce((sum, { topics_count: count }) => sum + (Number(count) || 0), 0)
}

const plainLists: Readonly<Record<string, string>> = {
  groups: '/groups',
  organizations: '/companies',
  contacts: '/contacts',
}

/** Entities with a list that Freshdesk does not open. Nobody knows how many records it has. */
async function findWithheld(api: FreshdeskApi, folders: Folders): Promise<Record<string, null>> {
  const found: Record<string, null> = {}
  for (const [entity, path] of Object.entries(plainLists)) {
    const { status, json } = await api.http.look(path, [403], { per_page: 1 })
    if (status === 403 && isOfPlan(json)) found[entity] = null
  }
  if (!(await hasSolutions(api))) return { ...found, categories: null, articles: null }
  // A shelf that was deleted meanwhile answers 404, and withholds nothing.
  const isClosed = async (path: string) => (await api.http.look(path, [403, 404], { per_page: 1 })).status === 403
  await sideBySide(await folders(), requestsAtOnce, async ({ id, articles_count, sub_folders_count }) => {
    const inner = typeof id === 'number' ? `/solutions/folders/${id}` : `/solutions/categories/${String(id).slice(1)}`
    const shelves = typeof id === 'number' ? `${inner}/subfolders` : `${inner}/folders`
    const isShut = sub_folders_count !== 0 && (await isClosed(shelves))
    if (isShut) found.categories = null
    const hasArticles = typeof id === 'number' && articles_count !== 0
    if (isShut || (hasArticles && (await isClosed(`${inner}/articles`)))) found.articles = null
  })
  return found
}
