import { hasModule } from './directory.ts'
import { isMarked } from './markers.ts'
import { rolesOf, sidesOf } from './member-sides.ts'
import { type Raw, take } from './schema.ts'
import type { Writing } from './writing.ts'

/** Redmine modules that our records need. */
export const modules = ['issue_tracking', 'time_tracking', 'wiki', 'files', 'calendar', 'gantt']

const isAny = () => true
// Our own files are removed with the project.
const isOthersFile = (item: unknown) => !isMarked(take('attachment', item).description)
const isOwnVersion = (item: unknown, id: number) => take('version', item).project?.id === id

/** Lists that can hold records of people, with the words for their records. */
const lists: [module: string, path: string, words: string, isOthers: (item: unknown, id: number) => boolean][] = [
  ['wiki', 'wiki/index', 'wiki pages', isAny],
  ['news', 'news', 'news', isAny],
  ['files', 'files', 'files', isOthersFile],
  ['issue_tracking', 'issue_categories', 'issue categories', isAny],
  ['issue_tracking', 'versions', 'versions', isOwnVersion],
]

/**
 * Finds content that is not ours to delete. The API hides some records, but only in modules that we never switch on.
 */
export async function findContent(writing: Writing, id: number): Promise<string | null> {
  const { api } = writing
  const project: Raw<'project'> = (await api.one('project', id, { include: 'enabled_modules' })) ?? { id }
  const others = (project.enabled_modules ?? []).filter(({ name }) => !modules.includes(name))
  if (others.length > 0) return 'People have switched on more modules in it.'
  if (await hasOtherMembers(writing, id)) return 'People have added members to it.'
  const within = { project_id: id, subproject_id: '!*' }
  if ((await api.count('issue', { ...within, status_id: '*' })) !== 0) return 'There are still issues in it.'
  if ((await api.count('time_entry', within)) !== 0) return 'There is still time booked in it.'
  for (const [module, path, words, isOthers] of lists) {
    if (!hasModule(project, module)) continue
    const { items } = await api.list(`/projects/${id}/${path}.json`, words.replace(' ', '_'))
    if (items.some((item) => isOthers(item, id))) return `There are still ${words} in it.`
  }
  return null
}

/** Memberships that were imported as records have been removed before. */
async function hasOtherMembers({ api, sides }: Writing, id: number): Promise<boolean> {
  const listed = await api.all('membership', {}, `/projects/${id}`)
  if (listed.length === 0) return false
  const ours = new Map((await sidesOf(sides)).map(({ mark, version }) => [mark, version]))
  return listed.some((member) => ours.get(`${id}/${member.user?.id}`) !== rolesOf(member))
}
