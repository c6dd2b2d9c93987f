import type { RawRecord } from '../../kit/lens.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { through } from '../../kit/shape-walks.ts'
import { largestPage, type ZendeskApi } from './api.ts'

// Lists of the Help Center. Their paths end with `.json`.

export async function articleFiles(api: ZendeskApi, { id, user_segment_id, draft }: RawRecord): Promise<RawRecord[]> {
  const path = `/help_center/articles/${id}/attachments.json`
  const files = await readAll(api.list(path, 'article_attachments', {}, [404]), largestPage)
  const parent = { entity: 'articles', sourceId: String(id) }
  const is_private = user_segment_id !== null || draft !== false
  return files.map((file) => ({ ...file, id: `a${id}-${file.id}`, parent, is_private }))
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
