import { ObstacleError } from '../../../errors.ts'
import type { SoughtRecord } from '../../contract/contract.ts'
import { eachById } from '../../kit/find.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { versionOf as digest } from '../../kit/version.ts'
import { done, present } from './api.ts'
import { closedProject, hasModule, memberKind, rolesOf } from './directory.ts'
import { endingOf, isMarked, uniqueName } from './markers.ts'
import { type Raw, take } from './schema.ts'
import { sendCustom, storedCustom } from './vocabulary.ts'
import * as write from './writing.ts'
import { formOf, type Job, numberOf, plainText, textOf, userIdOf, type Writing } from './writing.ts'

export const toIdentifier = (key: string, name: string): string =>
  uniqueName(key, name, /[^a-z0-9]+/g, '-', 60).replace(/^-/, 'project-')

const descriptionOf = ({ description }: { description?: unknown }) => plainText(description)

type NativeProject = ReturnType<typeof form.wanted>

const form = formOf<Raw<'project'>>()({
  name: [({ name }) => textOf(name), ({ name }) => name ?? '', 'name'],
  description: [descriptionOf, descriptionOf, 'description'],
  homepage: [({ homepage }) => textOf(homepage), ({ homepage }) => homepage ?? '', 'homepage'],
  isPublic: [({ is_public }) => is_public === true, ({ is_public }) => is_public ?? false, 'is_public'],
  isClosed: [({ status }) => status === 'closed', ({ status }) => status === closedProject],
  parent: [({ parent_project }) => numberOf(parent_project), ({ parent }) => parent?.id],
})

/** The version changes with the project's own fields, not with its status, parent or members. */
function versionOf(writing: Writing, raw: Raw<'project'>): string {
  const { isClosed: _status, parent: _parent, ...own } = form.held(raw, writing)
  return digest(own, storedCustom(writing, 'project', raw))
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

export const writeProjects = write.entityWriter(form, {
  customized: 'project',
  facts: () => ({
    name: { maxLength: 255 },
    homepage: { maxLength: 255 },
    status: { options: ['active', 'closed'] },
  }),
  // Issues can use versions that a parent project shares, so the parent must be set before issues are written.
  about: (family) => (family === 'project' ? { fixedRelations: ['parent_project'] } : {}),
  url: ({ api }, { identifier, id }) => `${api.base}/projects/${identifier ?? id}`,
  version: versionOf,

  async write(job) {
    const { record, native, directory, locks } = job
    if (native.parent !== undefined && !(await locks.openProject(native.parent))) {
      throw new RefusedError('gone', 'The project above it is no longer in Redmine.')
    }
    const { destinationId } = record
    const project = await (destinationId === null ? createProject(job) : updateProject(job, destinationId))
    directory.forget(project.id)
    for (const user of [record.fields.members ?? record.fields.agents].flat()) {
      const userId = userIdOf(user)
      if (userId !== undefined) await directory.ensureMember(userId, project.id)
    }
    await locks.setProject(project.id, native.isClosed)
    return { raw: project }
  },

  async find(call, record) {
    return eachById((id) => readProject(call, id))((await idsOf(call, record)).map(String))
  },

  /** Redmine deletes all content and all projects below. So only an empty project is removed, and those are detached. */
  async remove(call, record) {
    const { api, directory, locks } = call
    const raw = await readProject(call, record.destinationId)
    if (!raw) return null
    if (record.version !== null && versionOf(call, raw) !== record.version) {
      return 'It has been changed since it was imported.'
    }
    // Redmine hides some content of a closed project.
    await locks.openProject(raw.id)
    const content = await findContent(call, raw.id)
    if (content !== null) return content
    for (const child of (await directory.projects()).filter(({ parent }) => parent?.id === raw.id)) {
      await locks.openProject(child.id)
      const detached = await api.change('project', child.id, { parent_id: '' })
      if (detached.result === 'refused') return 'A project below it could not be detached.'
    }
    const sent = await api.remove('project', raw.id)
    directory.forget(raw.id)
    return sent
  },
})

const attributesOf = (job: Job<NativeProject>) => ({
  ...form.attributes(job.native),
  ...(job.native.parent === undefined ? {} : { parent_id: job.native.parent }),
  custom_fields: sendCustom(job, 'project'),
})

async function createProject(job: Job<NativeProject>): Promise<Raw<'project'>> {
  const { api, vocabulary, record, native } = job
  const issueFields = vocabulary.fields.filter(({ customized }) => customized === 'issue')
  const sent = await api.save('project', null, {
    ...attributesOf(job),
    identifier: toIdentifier(record.key, textOf(record.fields.key) || native.name),
    inherit_members: false,
    enabled_module_names: modules,
    tracker_ids: vocabulary.trackers.map(({ id }) => id),
    issue_custom_field_ids: issueFields.map(({ id }) => id),
  })
  // Only we use our keys, so this project is ours, written before a crash.
  const [ours] = sent.result === 'done' ? [] : await idsOf(job, record)
  return ours === undefined ? done(sent).made : updateProject(job, String(ours))
}

async function updateProject(given: Job<NativeProject>, destinationId: string): Promise<Raw<'project'>> {
  const job = { ...given, record: { ...given.record, destinationId } }
  await job.locks.openProject(Number(destinationId))
  done(await job.api.change('project', destinationId, attributesOf(job)))
  return present(await job.api.one('project', destinationId))
}

async function idsOf({ directory }: Writing, { key, destinationId }: Pick<SoughtRecord, 'key' | 'destinationId'>) {
  directory.forget()
  const marked = (await directory.projects()).filter(({ identifier }) => identifier?.endsWith(`-${endingOf(key)}`))
  const ids = new Set(marked.map(({ id }) => id))
  if (destinationId !== null) ids.add(Number(destinationId))
  return [...ids]
}

/** Redmine modules that our records need. */
const modules = ['issue_tracking', 'time_tracking', 'wiki', 'files', 'calendar', 'gantt']

/** Lists that can hold records of people, with the words for their records. */
const lists: [module: string, path: string, words: string, isOfPeople?: (item: unknown, id: number) => boolean][] = [
  ['wiki', 'wiki/index', 'wiki pages'],
  ['news', 'news', 'news'],
  // Our own files are removed with the project.
  ['files', 'files', 'files', (item) => !isMarked(take('attachment', item).description)],
  ['issue_tracking', 'issue_categories', 'issue categories'],
  ['issue_tracking', 'versions', 'versions', (item, id) => take('version', item).project?.id === id],
]

/** Finds content that is not ours to delete. The API hides records only in modules that we never switch on. */
async function findContent({ api, sides }: Writing, id: number): Promise<string | null> {
  const project: Raw<'project'> = (await api.one('project', id, { include: 'enabled_modules' })) ?? { id }
  const isNew = project.enabled_modules?.some(({ name }) => !modules.includes(name))
  if (isNew) return 'People have switched on more modules in it.'
  // Memberships that were imported as records have been removed before.
  const ours = new Map(((await sides?.list(memberKind)) ?? []).map(({ mark, version }) => [mark, version]))
  const listed = await api.all('membership', {}, `/projects/${id}`)
  const isOthers = listed.some((member) => ours.get(`${id}/${member.user?.id}`) !== rolesOf(member))
  if (isOthers) return 'People have added members to it.'
  const within = { project_id: id, subproject_id: '!*' }
  if ((await api.count('issue', { ...within, status_id: '*' })) !== 0) return 'There are still issues in it.'
  if ((await api.count('time_entry', within)) !== 0) return 'There is still time booked in it.'
  for (const [module, path, words, isOfPeople = () => true] of lists) {
    if (!hasModule(project, module)) continue
    const { items } = await api.list(`/projects/${id}/${path}.json`, words.replace(' ', '_'))
    if (items.some((item) => isOfPeople(item, id))) return `There are still ${words} in it.`
  }
  return null
}
