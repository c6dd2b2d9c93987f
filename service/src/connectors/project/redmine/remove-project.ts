import type { RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import { hasModule } from './directory.ts'
import { readMarked } from './markers.ts'
import { rolesOf, sidesOf } from './member-sides.ts'
import { modules, projectVersion, readProject } from './native-project.ts'
import { type Raw, take } from './schema.ts'
import { storedCustomValues, writableFields } from './write-custom-fields.ts'
import { type Call, keep, removed, type Writing } from './writing.ts'

/** Deleting a project deletes all that is in it and below it: so only an empty one goes, and those below come off first. */
export async function removeProject(writing: Writing, call: Call, record: RemovableRecord): Promise<RemoveOutcome> {
  const { api, directory } = writing
  const raw = await readProject(writing, record.destinationId)
  if (!raw) return { key: record.key, result: 'missing' }
  const custom = storedCustomValues(writableFields(writing.vocabulary.fields, 'project'), raw.custom_fields)
  if (record.version !== null && projectVersion(raw, custom) !== record.version) {
    return keep(record.key, 'It has been changed since it was imported.')
  }
  // Redmine does not show all that is in a closed one.
  await call.locks.openProject(raw.id)
  const content = await findContent(writing, raw.id)
  if (content !== null) return keep(record.key, content)
  const children = (await directory.projects()).filter(({ parent }) => parent?.id === raw.id)
  for (const child of children) {
    await call.locks.openProject(child.id)
    const detached = await api.send('PUT', `/projects/${child.id}.json`, { project: { parent_id: '' } })
    if (!detached.isTaken) return keep(record.key, 'A project below it could not be taken off.')
  }
  const sent = await api.send('DELETE', `/projects/${raw.id}.json`)
  directory.forget(raw.id)
  return removed(record.key, sent)
}

const lists = [
  { module: 'wiki', path: 'wiki/index', name: 'wiki_pages', what: 'wiki pages', isOthers: () => true },
  { module: 'news', path: 'news', name: 'news', what: 'news', isOthers: () => true },
  {
    module: 'files',
    path: 'files',
    name: 'files',
    what: 'files',
    // Ours go with the project.
    isOthers: (item: unknown) => !readMarked(take('attachment', item).description, 'line').mark,
  },
  {
    module: 'issue_tracking',
    path: 'issue_categories',
    name: 'issue_categories',
    what: 'issue categories',
    isOthers: () => true,
  },
  {
    module: 'issue_tracking',
    path: 'versions',
    name: 'versions',
    what: 'versions',
    isOthers: (item: unknown, id: number) => take('version', item).project?.id === id,
  },
]

/** What is left in it that is not ours to delete. What the API does not show is in modules that we never switch on. */
async function findContent(writing: Writing, id: number): Promise<string | null> {
  const { api } = writing
  const given = await api.find(`/projects/${id}.json`, 'project', { include: 'enabled_modules' })
  const project: Raw<'project'> = given === null ? { id } : take('project', given)
  const others = (project.enabled_modules ?? []).filter(({ name }) => !modules.includes(name))
  if (others.length > 0) return 'People have switched on more modules in it.'
  if (await hasOtherMembers(writing, id)) return 'People have added members to it.'
  const query = { project_id: id, subproject_id: '!*', limit: 1 }
  const issues = await api.list('/issues.json', 'issues', { ...query, status_id: '*' })
  if (issues.total !== 0) return 'There are still issues in it.'
  const times = await api.list('/time_entries.json', 'time_entries', query)
  if (times.total !== 0) return 'There is still time booked in it.'
  for (const { module, path, name, what, isOthers } of lists) {
    if (!hasModule(project, module)) continue
    const { items } = await api.list(`/projects/${id}/${path}.json`, name)
    if (items.some((item) => isOthers(item, id))) return `There are still ${what} in it.`
  }
  return null
}

/** Those who were imported as such are gone by now. */
async function hasOtherMembers({ api, sides }: Writing, id: number): Promise<boolean> {
  const listed = await api.listAll(`/projects/${id}/memberships.json`, 'memberships')
  if (listed.length === 0) return false
  const ours = new Map((await sidesOf(sides)).map(({ mark, version }) => [mark, version]))
  return listed
    .map((item) => take('membership', item))
    .some((member) => ours.get(`${id}/${member.user?.id}`) !== rolesOf(member))
}
