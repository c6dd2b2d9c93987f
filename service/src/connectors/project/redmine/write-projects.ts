import { ObstacleError } from '../../../errors.ts'
import type { RemovableRecord, SoughtRecord } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { versionOf } from '../../kit/version.ts'
import { present, type Sent, taken } from './api.ts'
import { sendCustom, storedCustom } from './custom-fields.ts'
import { closedProject, hasModule, rolesOf, sidesOf } from './directory.ts'
import { endingOf, isMarked } from './markers.ts'
import { numberOf, plainText, textOf, userIdOf } from './native-issue.ts'
import { type Raw, take } from './schema.ts'
import type { Call, EntityWriter, Fields, Job, Writing } from './writing.ts'
import * as write from './writing.ts'

/**
 * The identifier ends with a hash of our key, so that it is unique and can be found. Its first part is readable,
 * because people see it in every address.
 */
export function toIdentifier(key: string, name: string): string {
  const readable = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${readable || 'project'}-${endingOf(key)}`
}

type NativeProject = ReturnType<typeof toNative>

function toNative(fields: Fields) {
  return {
    name: textOf(fields.name),
    description: plainText(fields.description),
    homepage: textOf(fields.homepage),
    isPublic: fields.is_public === true,
    isClosed: fields.status === 'closed',
    parent: numberOf(fields.parent_project),
  }
}

/** A stored project. Its version changes with the project's own fields, not with its status, parent or members. */
function readNative(writing: Writing, raw: Raw<'project'>) {
  const custom = storedCustom(writing, 'project', raw)
  const own = {
    name: raw.name ?? '',
    description: plainText(raw.description),
    homepage: raw.homepage ?? '',
    isPublic: raw.is_public ?? false,
  }
  const stored: NativeProject = { ...own, isClosed: raw.status === closedProject, parent: raw.parent?.id }
  return { stored, custom, version: versionOf(own, custom) }
}

/** Reads a project. An archived project still exists, so it is an obstacle and not missing. */
async function readProject({ api }: Writing, id: number | string): Promise<Raw<'project'> | null> {
  const answer = await api.findOpen('project', id)
  if (answer !== 'hidden') return answer === null ? null : take('project', answer)
  throw new ObstacleError(
    'project_archived',
    'customer',
    `The project ${id} in Redmine has been archived. Please unarchive it, so that the import can go on.`,
  )
}

const urlOf = ({ api }: Writing, { identifier, id }: Raw<'project'>) => `${api.base}/projects/${identifier ?? id}`

export const writeProjects: EntityWriter = {
  customized: 'project',
  facts: () => ({
    name: { maxLength: 255 },
    homepage: { maxLength: 255 },
    status: { options: ['active', 'closed'] },
  }),
  // Issues can use versions that a parent project shares, so the parent must be set before issues are written.
  about: (family) => (family === 'project' ? { fixedRelations: ['parent_project'] } : {}),

  stored: (fields) => toNative(fields),

  async write(job) {
    const { record, directory, locks } = job
    const native = toNative(record.fields)
    if (native.parent !== undefined && !(await locks.openProject(native.parent))) {
      throw new RefusedError('gone', 'The project above it is no longer in Redmine.')
    }
    const { destinationId } = record
    const isNew = destinationId === null
    const project = await (isNew ? createProject(job, native) : updateProject(job, native, destinationId))
    directory.forget(project.id)
    for (const user of [record.fields.members ?? record.fields.agents].flat()) {
      const userId = userIdOf(user)
      if (userId !== undefined) await directory.ensureMember(userId, project.id)
    }
    await locks.setProject(project.id, native.isClosed)
    return write.written(job, project.id, urlOf(job, project), readNative(job, project).version)
  },

  async find(call, record) {
    const all = []
    for (const id of await idsOf(call, record)) {
      const raw = await readProject(call, id)
      if (!raw) continue
      const { stored, custom, version } = readNative(call, raw)
      all.push(write.found(raw.id, urlOf(call, raw), version, stored, custom))
    }
    return all
  },

  remove: removeProject,
}

function attributesOf(job: Job, { name, description, homepage, isPublic, parent }: NativeProject) {
  return {
    ...{ name, description, homepage, is_public: isPublic },
    ...(parent === undefined ? {} : { parent_id: parent }),
    custom_fields: sendCustom(job, 'project'),
  }
}

async function createProject(job: Job, native: NativeProject): Promise<Raw<'project'>> {
  const { api, vocabulary, record } = job
  const issueFields = vocabulary.fields.filter(({ customized }) => customized === 'issue')
  const sent = await api.make('project', {
    ...attributesOf(job, native),
    identifier: toIdentifier(record.key, textOf(record.fields.key) || native.name),
    inherit_members: false,
    enabled_module_names: modules,
    tracker_ids: vocabulary.trackers.map(({ id }) => id),
    issue_custom_field_ids: issueFields.map(({ id }) => id),
  })
  // Only we use our keys, so this project is ours, written before a crash.
  const [ours] = sent.isTaken ? [] : await idsOf(job, record)
  return ours === undefined ? taken(sent).made : updateProject(job, native, String(ours))
}

async function updateProject(given: Job, native: NativeProject, destinationId: string): Promise<Raw<'project'>> {
  const job = { ...given, record: { ...given.record, destinationId } }
  await job.locks.openProject(Number(destinationId))
  taken(await job.api.change('project', destinationId, attributesOf(job, native)))
  return present(await job.api.one('project', destinationId))
}

async function idsOf({ directory }: Writing, { key, destinationId }: Pick<SoughtRecord, 'key' | 'destinationId'>) {
  directory.forget()
  const marked = (await directory.projects()).filter(({ identifier }) => identifier?.endsWith(`-${endingOf(key)}`))
  const ids = new Set(marked.map(({ id }) => id))
  if (destinationId !== null) ids.add(Number(destinationId))
  return [...ids]
}

/**
 * Redmine deletes a project with all its content and all projects below it. So only an empty project is removed, and
 * projects below it are detached first.
 */
async function removeProject(call: Call, record: RemovableRecord): Promise<Sent | string | null> {
  const { api, directory, locks } = call
  const raw = await readProject(call, record.destinationId)
  if (!raw) return null
  if (record.version !== null && readNative(call, raw).version !== record.version) {
    return 'It has been changed since it was imported.'
  }
  // Redmine hides some content of a closed project.
  await locks.openProject(raw.id)
  const content = await findContent(call, raw.id)
  if (content !== null) return content
  for (const child of (await directory.projects()).filter(({ parent }) => parent?.id === raw.id)) {
    await locks.openProject(child.id)
    const detached = await api.change('project', child.id, { parent_id: '' })
    if (!detached.isTaken) return 'A project below it could not be detached.'
  }
  const sent = await api.remove('project', raw.id)
  directory.forget(raw.id)
  return sent
}

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

/** Finds content that is not ours to delete. The API hides records only in modules that we never switch on. */
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
