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
export async function findGone(api: ZendeskApi, entity: string, ids: readonly string[]): Promise<string[]> {
  const gone: string[] = []
  for (const id of ids) {
    const isSection = entity === 'categories' && !id.startsWith('c')
    const [path, suffix, name] = paths[isSection ? 'sections' : entity] ?? []
    if (path === undefined) continue
    const { status, json } = await api.http.look(`${path}${id.replace(/^c/, '')}${suffix}`, [403, 404, 410])
    const raw = status === 200 && name !== undefined ? api.one(json, name) : null
    const isDeleted = raw?.active === false || raw?.deleted === true || raw?.status === 'deleted'
    if (status === 404 || status === 410 || isDeleted) gone.push(id)
  }
  return gone
}
