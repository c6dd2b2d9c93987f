import type { RemovableRecord, RemoveOutcome } from '../contract.ts'
import { hasModule } from './directory.ts'
import { readMarked } from './markers.ts'
import { projectVersion, readProject } from './native-project.ts'
import { take } from './schema.ts'
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
    path: 'versions',
    name: 'versions',
    what: 'versions',
    isOthers: (item: unknown, id: number) => take('version', item).project?.id === id,
  },
]

/** What is left in it that is not ours to delete. */
async function findContent({ api, directory }: Writing, id: number): Promise<string | null> {
  const project = (await directory.projects()).find((one) => one.id === id) ?? { id }
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
