import { goneAmong } from '../../kit/find-ids.ts'
import type { ZendeskApi } from './api.ts'

const paths: Readonly<Record<string, [path: string, suffix: string, name: string]>> = {
  groups: ['/groups/', '', 'group'],
  organizations: ['/organizations/', '', 'organization'],
  contacts: ['/users/', '', 'user'],
  tickets: ['/tickets/', '', 'ticket'],
  sections: ['/help_center/sections/', '.json', 'section'],
  categories: ['/help_center/categories/', '.json', 'category'],
  articles: ['/help_center/articles/', '.json', 'article'],
}

/** Finds deleted records. Zendesk still returns deleted users and groups, and marks them. */
export const findGone = (api: ZendeskApi, entity: string, ids: readonly string[]): Promise<string[]> =>
  goneAmong(ids, 1, async (id) => {
    const isSection = entity === 'categories' && !id.startsWith('c')
    const [path, suffix, name = ''] = paths[isSection ? 'sections' : entity] ?? []
    if (path === undefined) return false
    const { status, json } = await api.http.look(`${path}${id.replace(/^c/, '')}${suffix}`, [403, 404, 410])
    const raw = status === 200 ? api.one(json, name) : null
    const isDeleted = raw?.active === false || raw?.deleted === true || raw?.status === 'deleted'
    return isDeleted || status === 404 || status === 410
  })
