import type { SoughtRecord } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { taken } from './api.ts'
import { sendCustom, storedCustom } from './custom-fields.ts'
import { hasModule, memberSide } from './directory.ts'
import { hashKey, markLine, markRoom, readMarked } from './markers.ts'
import { numberOf, plainText, sorted, textOf, userIdOf } from './native-issue.ts'
import type { Raw } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import type { Call, EntityWriter, Fields, Job, Writing } from './writing.ts'
import * as write from './writing.ts'

// Versions, categories and members of a project. Names are unique in each list, so an existing record is used again.

export async function openProjectOf({ locks, record }: Job): Promise<number> {
  const projectId = numberOf(record.fields.project)
  if (projectId !== undefined && (await locks.openProject(projectId))) return projectId
  throw new RefusedError('gone', 'The project that it belongs to is no longer in Redmine.')
}

function toVersion(fields: Fields) {
  return {
    project: numberOf(fields.project),
    name: textOf(fields.name),
    description: plainText(fields.description),
    status: textOf(fields.status) || 'open',
    due: textOf(fields.due_on) || undefined,
    sharing: textOf(fields.sharing) || 'none',
  }
}

const versionUrl = ({ api }: Writing, id: number | string) => `${api.base}/versions/${id}`

const versionsOf = async ({ api }: Writing, projectId: number): Promise<Raw<'version'>[]> =>
  (await api.all('version', {}, `/projects/${projectId}`)).filter(({ project }) => project?.id === projectId)

/** A version keeps our key as a mark in its description, which is one line of at most 255 characters. */
export const writeMilestones: EntityWriter = {
  customized: 'version',
  without: ['start_on'],
  facts: () => ({
    name: { maxLength: 60 },
    description: { maxLength: 255 - markRoom },
    status: { options: ['open', 'locked', 'closed'] },
    sharing: { options: ['none', 'descendants', 'hierarchy', 'tree', 'system'] },
  }),
  about: () => ({ unites: { kind: 'version', by: ['name', 'project'], isExact: true } }),

  stored: (fields) => toVersion(fields),

  async write(job) {
    const { api, record } = job
    const projectId = await openProjectOf(job)
    const { project: _project, due, ...version } = toVersion(record.fields)
    const attributes = {
      ...version,
      description: markLine(version.description, { hash: hashKey(record.key), isAuthorKept: false }, ''),
      due_date: due ?? '',
      custom_fields: sendCustom(job, 'version'),
    }
    const sent = await api.save('version', record.destinationId, attributes, `/projects/${projectId}`)
    const isRefused = !sent.isTaken && record.destinationId === null
    const same = isRefused && (await versionsOf(job, projectId)).find(({ name }) => name === version.name)
    if (same) return write.matched(job, same.id, versionUrl(job, same.id), isMarked(same, record.key))
    const { id } = taken(sent)
    return write.written(job, id, versionUrl(job, id))
  },

  async find(writing, record) {
    const { key, destinationId } = record
    const ours = (await candidates(writing, record)).filter(
      (raw) => String(raw.id) === destinationId || isMarked(raw, key),
    )
    return ours.map((raw) => {
      const { id, project, name, status, due_date, sharing } = raw
      const description = readMarked(raw.description, 'line').text
      const stored = { project: project?.id, name, description, status, due: due_date ?? undefined, sharing }
      return write.found(id, versionUrl(writing, id), null, stored, storedCustom(writing, 'version', raw))
    })
  },

  remove: (call, { destinationId }) => removeListed(call, 'version', destinationId),
}

const isMarked = ({ description }: Raw<'version'>, key: string): boolean =>
  readMarked(description, 'line').mark?.hash === hashKey(key)

async function candidates(writing: Writing, { destinationId, parent }: SoughtRecord): Promise<Raw<'version'>[]> {
  const { api, directory } = writing
  if (destinationId !== null) return [(await api.one('version', destinationId)) ?? []].flat()
  if (parent) return versionsOf(writing, Number(parent.destinationId))
  const projects = (await directory.projects()).filter((project) => hasModule(project, 'issue_tracking'))
  return (await Promise.all(projects.map(({ id }) => versionsOf(writing, id)))).flat()
}

/** Removes a record of a project. A closed project is opened first. */
export async function removeListed({ api, locks }: Call, kind: 'version' | 'membership' | 'time_entry', id: string) {
  const found = await api.one(kind, id)
  if (found === null) return null
  if ('wiki_page_title' in found && found.wiki_page_title) return 'Someone has given it a wiki page since.'
  if (found.project) await locks.openProject(found.project.id)
  return api.remove(kind, id)
}

/**
 * A category has only its name, so a category found by name counts as existing before. Redmine hides the categories of
 * a closed project, so their ids have the form `project/id`.
 */
export const writeComponents: EntityWriter = {
  facts: () => ({ name: { maxLength: 60 } }),
  about: () => ({ unites: { kind: 'category', by: ['name', 'project'], isExact: true } }),

  stored: (fields) => ({
    project: numberOf(fields.project),
    name: textOf(fields.name),
    owner: userIdOf(fields.owner),
  }),

  async write(job) {
    const { api, record } = job
    const projectId = await openProjectOf(job)
    const name = textOf(record.fields.name)
    const category = { name, assigned_to_id: userIdOf(record.fields.owner) ?? '' }
    const [url, under] = [`${api.base}/projects/${projectId}/settings/categories`, `/projects/${projectId}`]
    const id = record.destinationId
    const sent = await api.save('issue_category', id && categoryId(id), category, under)
    const isRefused = !sent.isTaken && id === null
    const same = isRefused && (await api.all('issue_category', {}, under)).find((one) => one.name === name)
    if (same) return write.matched(job, `${projectId}/${same.id}`, url)
    const made = taken(sent)
    return write.written(job, id ?? `${projectId}/${made.id}`, url)
  },

  async find(call, { destinationId }) {
    const raw = destinationId === null ? null : await findCategory(call, destinationId)
    if (raw === null) return []
    const stored = { project: raw.project?.id, name: raw.name, owner: raw.assigned_to?.id }
    return [write.found(String(destinationId), null, null, stored)]
  },

  async remove(call, { destinationId }) {
    if ((await findCategory(call, destinationId)) === null) return null
    const [project_id = '', category_id = ''] = destinationId.split('/')
    const query = { project_id, category_id, subproject_id: '!*', status_id: '*' }
    if ((await call.api.count('issue', query)) !== 0) return 'There are issues of this category.'
    return call.api.remove('issue_category', category_id)
  },
}

const categoryId = (destinationId: string) => String(destinationId.split('/')[1])

async function findCategory({ api, locks }: Call, destinationId: string): Promise<Raw<'issue_category'> | null> {
  if (!(await locks.openProject(Number(destinationId.split('/')[0])))) return null
  return await api.one('issue_category', categoryId(destinationId))
}

const rolesOf = (fields: Fields, { roles }: Vocabulary): number[] => {
  const wanted = Array.isArray(fields.roles) ? fields.roles : []
  return roles.filter(({ option }) => wanted.includes(option)).map(({ id }) => id)
}

/** A person is a member of a project once. An existing member gets the roles in addition. */
export const writeMemberships: EntityWriter = {
  facts: ({ roles }) => ({ roles: write.optionsOf(roles) }),
  about: () => ({ unites: { kind: 'member', by: ['user', 'project'] } }),

  stored: (fields, { vocabulary }) => ({
    project: numberOf(fields.project),
    user: userIdOf(fields.user),
    roles: sorted(rolesOf(fields, vocabulary)),
  }),

  async write(job) {
    const { api, record, vocabulary, directory, sides } = job
    const projectId = await openProjectOf(job)
    const userId = userIdOf(record.fields.user)
    if (userId === undefined) throw new RefusedError('user_missing', 'There is no such person in Redmine.')
    const roleIds = rolesOf(record.fields, vocabulary)
    directory.forget(projectId)
    if (roleIds.length === 0) {
      throw new RefusedError('role_missing', 'Redmine has none of the roles that this member has.')
    }
    const under = `/projects/${projectId}`
    const url = `${api.base}${under}/settings/members`
    // The user of a membership cannot be changed.
    const person = record.destinationId === null ? { user_id: userId } : {}
    const sent = await api.save('membership', record.destinationId, { ...person, role_ids: roleIds }, under)
    const isRefused = !sent.isTaken && record.destinationId === null
    const existing = isRefused && (await api.all('membership', {}, under)).find(({ user }) => user?.id === userId)
    if (!existing) return write.written(job, taken(sent).id, url)
    const before = (existing.roles ?? []).map(({ id }) => id)
    // A member with only the least role was added by us, with the project or for an issue.
    const isOurs = before.length === 1 && before[0] === (await directory.leastRole())
    const role_ids = isOurs ? roleIds : [...new Set([...before, ...roleIds])]
    taken(await api.change('membership', existing.id, { role_ids }))
    if (isOurs) await sides?.forget(memberSide(projectId, userId, 0))
    return write.matched(job, existing.id, url, isOurs)
  },

  async find({ api }, { destinationId }) {
    const member = destinationId === null ? null : await api.one('membership', destinationId)
    if (member === null) return []
    const { id, project, user, roles = [] } = member
    const stored = { project: project?.id, user: user?.id, roles: sorted(roles.map((role) => role.id)) }
    return [write.found(id, null, null, stored)]
  },

  remove: (call, { destinationId }) => removeListed(call, 'membership', destinationId),
}
