import Type from 'typebox'
import { Check } from 'typebox/value'
import type { Skipped } from '../../contract/contract.ts'
import { countSkippedEach } from '../../kit/count-skipped.ts'
import { objectsIn, valueAt } from '../../kit/lens.ts'
import { largestPage, type Query, type WordpressApi } from './api.ts'

const typesSchema = Type.Record(
  Type.String(),
  Type.Object({ slug: Type.String(), rest_base: Type.String({ pattern: '^[\\w-]+$' }) }),
)
/** Number of pages of texts whose revisions are counted. More would take as long as reading everything. */
const mostPagesLookedAt = 50
/** WordPress' own types, and types that are counted separately. */
const ownTypes = new Set(['post', 'page', 'attachment', 'nav_menu_item', 'wp_block'])

/** Counts kinds that `reader.ts` never reads. https://developer.wordpress.org/rest-api/reference/comments/ */
export function countSkipped(api: WordpressApi): Promise<Skipped> {
  const total = async (route: string, query: Query = {}) =>
    (await api.look(`/wp/v2/${route}`, { ...query, per_page: 1, _fields: 'id' }))?.total ?? 0
  return countSkippedEach({
    spam_comments: () => total('comments', { status: 'spam' }),
    trashed_comments: () => total('comments', { status: 'trash' }),
    pingbacks: async () =>
      (await total('comments', { status: 'all', type: 'pingback' })) +
      (await total('comments', { status: 'all', type: 'trackback' })),
    trashed_posts: () => total('posts', { status: 'trash' }),
    trashed_pages: () => total('pages', { status: 'trash' }),
    menu_items: () => total('menu-items', { status: 'any' }),
    reusable_blocks: () => total('blocks', { status: 'any' }),
    async custom_posts() {
      const types = await api.look('/wp/v2/types', {})
      if (!Check(typesSchema, types?.body)) return null
      const others = Object.values(types.body).filter(({ slug }) => !ownTypes.has(slug) && !slug.startsWith('wp_'))
      let sum = 0
      for (const { rest_base } of others) sum += await total(rest_base, { status: 'any' })
      return sum
    },
    revisions: async () => (await countRevisions(api, 'posts')) + (await countRevisions(api, 'pages')),
  })
}

/** Counts revisions. Each text links to its revisions and states their number. */
async function countRevisions(api: WordpressApi, name: 'posts' | 'pages'): Promise<number> {
  let sum = 0
  for (let page = 1; page <= mostPagesLookedAt; page += 1) {
    const query = { status: 'any', orderby: 'id', order: 'asc', per_page: largestPage, page, _fields: 'id,_links' }
    const listed = await api.look(`/wp/v2/${name}`, query)
    for (const text of objectsIn(listed?.body)) {
      const count = valueAt(text, '_links.version-history.0.count')
      if (typeof count === 'number') sum += count
    }
    if (!listed || page * largestPage >= listed.total) return sum
  }
  return sum
}
