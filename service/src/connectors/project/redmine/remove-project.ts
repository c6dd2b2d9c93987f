import type { RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import { hasModule } from './directory.ts'
import { isMarked } from './markers.ts'
import { rolesOf, sidesOf } from './member-sides.ts'
import { modules, projectVersion, readProject } from './native-project.ts'
import { type Raw, take } from './schema.ts'
import { storedCustom } from './write-custom-fields.ts'
import { type Call, keep, removed, type Writing } from './writing.ts'

/**
 * Redmine deletes a project with all its content and all projects below it. So only an empty project is removed, and
 * projects below it are detached first.
 */
export async function removeProject(call: Call, record: RemovableRecord): Promise<RemoveOutcome> {
  const { api, directory } = call
  const raw = await readProject(call, record.destinationId)
  if (!raw) return { key: record.key, result: 'missing' }
  if (record.version !== null && projectVersion(raw, storedCustom(call, 'project', raw)) !== record.version) {
    return keep(record.key, 'It has been changed since it was imported.')
  }
  // Redmine hides some content of a closed project.
  await call.locks.openProject(raw.id)
  const content = await findContent(call, raw.id)
  if (content !== null) return keep(record.key, content)
  const children = (await directory.projects()).filter(({ parent }) => parent?.id === raw.id)
  for (const child of children) {
    await call.locks.openProject(child.id)
    const detached = await api.change('project', child.id, { parent_id: '' })
    if (!detached.isTaken) return keep(record.key, 'A project below it could not be detached.')
  }
  const sent = await api.remove('project', raw.id)
  directory.forget(raw.id)
  return removed(record.key, sent)
}

/** Lists that can hold records of people. */
const lists: {
  module: string
  path: string
  name: string
  /** The words for the reason, if `name` is not readable. */
  what?: string
  isOthers?: (item: unknown, id: number) => boolean
}[] = [
  { module: 'wiki', path: 'wiki/index', name: 'wiki_pages', what: 'wiki pages' },
  { module: 'news', path: 'news', name: 'news' },
  // Our own files are removed with the project.
  {
    module: 'files',
    path: 'files',
    name: 'files',
    isOthers: (item) => !isMarked(take('attachment', item).description),
  },
  { module: 'issue_tracking', path: 'issue_categories', name: 'issue_categories', what: 'issue categories' },
  {
    module: 'issue_tracking',
    path: 'versions',
    name: 'versions',
    isOthers: (item, id) => take('version', item).project?.id === id,
  },
]

/**
 * Finds content that is not ours to delete. The API hides some records, but only in modules that we never switch on.
 */
async function findContent(writing: Writing, id: number): Promise<string | null> {
  const { api } = writing
  const project: Raw<'project'> = (await api.one('project', id, { include: 'enabled_modules' })) ?? { id }
  const others = (project.enabled_modules ?? []).filter(({ name }) => !modules.includes(name))
  if (others.length > 0) return 'People have switched on more modules in it.'
  if (await hasOtherMembers(writing, id)) return 'People have added members to it.'
  const within = { project_id: id, subproject_id: '!*' }
  if ((await api.count('issue', { ...within, status_id: '*' })) !== 0) return 'There are still issues in it.'
  if ((await api.count('timeEntry', within)) !== 0) return 'There is still time booked in it.'
  for (const { module, path, name, what = name, isOthers = () => true } of lists) {
    if (!hasModule(project, module)) continue
    const { items } = await api.list(`/projects/${id}/${path}.json`, name)
    if (items.some((item) => isOthers(item, id))) return `There are still ${what} in it.`
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
