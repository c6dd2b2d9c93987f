import type { IntercomApi } from './api.ts'
import { lacking } from './look-around.ts'

// Lists that the workspace does not open to us, for example because its plan does not include them.

/** The lists of each entity. Companies are read by a scroll, but a workspace has only one, so their list is asked. */
const lists: Readonly<Record<string, readonly string[]>> = {
  groups: ['/teams'],
  organizations: ['/companies/list'],
  contacts: ['/contacts'],
  tickets: ['/conversations', '/tickets/search'],
  categories: ['/help_center/collections'],
  articles: ['/articles', '/internal_articles'],
}

const one = { per_page: 1 }
/** Lists that are read by POST. */
const questions: Readonly<Record<string, object>> = {
  '/companies/list': { query: one },
  '/tickets/search': { json: { query: { field: 'created_at', operator: '>', value: 0 }, pagination: one } },
}

/** Whether Intercom does not open a list. An account that lost its access throws instead. */
export async function isWithheld(
  { http }: IntercomApi,
  path: string,
  statuses: readonly number[] = lacking,
): Promise<boolean> {
  const question = questions[path]
  const sent = question
    ? await http.send('POST', path, question)
    : http.settle(await http.look(path, lacking, path === '/teams' ? {} : one))
  return sent.result === 'refused' && statuses.includes(sent.status)
}

/** Entities with such a list, for `Reader.countWithheld`: nobody knows how many records it has. */
export async function findWithheld(api: IntercomApi): Promise<Record<string, null>> {
  const found: Record<string, null> = {}
  for (const [entity, paths] of Object.entries(lists)) {
    for (const path of paths) if (await isWithheld(api, path)) found[entity] = null
  }
  return found
}
