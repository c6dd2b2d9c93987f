import type { SoughtRecord } from '../../contract/contract.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { done } from './api.ts'
import { hasModule, memberSide } from './directory.ts'
import { hashKey, markLine, markRoom, readMarked } from './markers.ts'
import type { Kind, Raw } from './schema.ts'
import { keyFieldOf, sendCustom } from './vocabulary.ts'
import * as write from './writing.ts'
import { type Call, formOf, type Job, numberOf, plainText, textOf, userIdOf, type Writing } from './writing.ts'

// Versions, categories, members and time entries of a project. Names are unique in the first three lists, so an
// existing record is used again.

/** Makes or changes a record of a list. If Redmine refuses a new one, `same` is the record that is there already. */
async function saveListed<K extends Kind>(
  { api, record: { destinationId } }: Job,
  kind: K,
  under: string,
  attributes: object,
  isSame: (listed: Raw<K>) => boolean,
) {
  const sent = await api.save(kind, destinationId && lastPart(destinationId), attributes, { under })
  const isRefused = sent.result === 'refused' && destinationId === null
  const same = isRefused ? (await api.all(kind, {}, under)).find(isSame) : undefined
  return { raw: same ?? done(sent).made, same }
}

const lastPart = (destinationId: string) => String(destinationId.split('/').at(-1))

const versionForm = formOf<Raw<'version'>>()({
  project: [({ project }) => numberOf(project), ({ project }) => project?.id],
  name: [({ name }) => textOf(name), ({ name }) => name, 'name'],
  description: [({ description }) => plainText(description), ({ description }) => readMarked(description, 'line').text],
  status: [({ status }) => textOf(status) || 'open', ({ status }) => status, 'status'],
  due: [({ due_on }) => textOf(due_on) || undefined, ({ due_date }) => due_date ?? undefined, 'due_date'],
  sharing: [({ sharing }) => textOf(sharing) || 'none', ({ sharing }) => sharing, 'sharing'],
})

/** A version keeps our key as a mark in its description, which is one line of at most 255 characters. */
export const writeMilestones = write.entityWriter(versionForm, {
  customized: 'version',
  without: ['start_on'],
  facts: () => ({
    name: { maxLength: 60 },
    description: { maxLength: 255 - markRoom },
    status: { options: ['open', 'locked', 'closed'] },
    sharing: { options: ['none', 'descendants', 'hierarchy', 'tree', 'system'] },
  }),
  about: () => ({ unites: { kind: 'version', by: ['name', 'project'], isExact: true } }),
  url: ({ api }, { id }) => `${api.base}/versions/${id}`,

  async write(job) {
    const { record, native } = job
    const projectId = await write.openProjectOf(job)
    const attributes = {
      ...versionForm.attributes(native),
      description: markLine(native.description, { hash: hashKey(record.key), isAuthorKept: false }, ''),
      custom_fields: sendCustom(job, 'version'),
    }
    const isSame = (one: Raw<'version'>) => one.name === native.name && one.project?.id === projectId
    const { raw, same } = await saveListed(job, 'version', `/projects/${projectId}`, attributes, isSame)
    return { raw, isOurs: same && isMarked(same, record.key) }
  },

  async find(writing, record) {
    const isOurs = (raw: Raw<'version'>) => String(raw.id) === record.destinationId || isMarked(raw, record.key)
    return (await candidates(writing, record)).filter(isOurs)
  },

  remove: (call, { destinationId }) => removeListed(call, 'version', destinationId),
})

const isMarked = ({ description }: Raw<'version'>, key: string): boolean =>
  readMarked(description, 'line').mark?.hash === hashKey(key)

async function candidates({ api, directory }: Writing, { destinationId, parent }: SoughtRecord) {
  if (destinationId !== null) return [(await api.one('version', destinationId)) ?? []].flat()
  const projects = parent
    ? [{ id: Number(parent.destinationId) }]
    : (await directory.projects()).filter((one) => hasModule(one, 'issue_tracking'))
  const lists = await Promise.all(projects.map(({ id }) => api.all('version', {}, `/projects/${id}`)))
  return lists.flatMap((list, index) => list.filter((version) => version.project?.id === projects[index]?.id))
}

/** Removes a record of a project. A closed project is opened first. */
async function removeListed({ api, locks }: Call, kind: 'version' | 'membership' | 'time_entry', id: string) {
  const found = await api.one(kind, id)
  if (found === null) return null
  if (found.wiki_page_title) return 'Someone has given it a wiki page since.'
  if (found.project) await locks.openProject(found.project.id)
  return api.remove(kind, id)
}

const categoryForm = formOf<Raw<'issue_category'>>()({
  project: [({ project }) => numberOf(project), ({ project }) => project?.id],
  name: [({ name }) => textOf(name), ({ name }) => name, 'name'],
  owner: [({ owner }) => userIdOf(owner), ({ assigned_to }) => assigned_to?.id, 'assigned_to_id'],
})

/** A category of the same name counts as existing before. Redmine hides those of a closed project, hence the ids. */
export const writeComponents = write.entityWriter(categoryForm, {
  facts: () => ({ name: { maxLength: 60 } }),
  about: () => ({ unites: { kind: 'category', by: ['name', 'project'], isExact: true } }),
  id: (raw) => `${raw.project?.id}/${raw.id}`,
  url: () => null,

  async write(job) {
    const { api, record, native } = job
    const projectId = await write.openProjectOf(job)
    const isSame = ({ name }: Raw<'issue_category'>) => name === native.name
    const attributes = categoryForm.attributes(native)
    const under = `/projects/${projectId}`
    const { raw, same } = await saveListed(job, 'issue_category', under, attributes, isSame)
    const url = `${api.base}${under}/settings/categories`
    return { raw, id: record.destinationId ?? `${projectId}/${raw.id}`, url, isOurs: same ? false : undefined }
  },

  async find(call, { destinationId }) {
    const found = destinationId === null ? null : await findCategory(call, destinationId)
    return found ? [found] : []
  },

  async remove(call, { destinationId }) {
    if ((await findCategory(call, destinationId)) === null) return null
    const [project_id = '', category_id = ''] = destinationId.split('/')
    const query = { project_id, category_id, subproject_id: '!*', status_id: '*' }
    if ((await call.api.count('issue', query)) !== 0) return 'There are issues of this category.'
    return call.api.remove('issue_category', category_id)
  },
})

async function findCategory({ api, locks }: Call, destinationId: string): Promise<Raw<'issue_category'> | null> {
  if (!(await locks.openProject(Number(destinationId.split('/')[0])))) return null
  return await api.one('issue_category', lastPart(destinationId))
}

const membershipForm = formOf<Raw<'membership'>>()({
  project: [({ project }) => numberOf(project), ({ project }) => project?.id],
  user: [({ user }) => userIdOf(user), ({ user }) => user?.id],
  roles: [
    ({ roles }, { vocabulary }) =>
      write.sorted(vocabulary.roles.filter(({ option }) => write.listOf(roles).includes(option)).map(({ id }) => id)),
    ({ roles = [] }) => write.sorted(roles.map(({ id }) => id)),
  ],
})

/** A person is a member of a project once. An existing member gets the roles in addition. */
export const writeMemberships = write.entityWriter(membershipForm, {
  facts: ({ roles }) => ({ roles: write.optionsOf(roles) }),
  about: () => ({ unites: { kind: 'member', by: ['user', 'project'] } }),
  url: () => null,

  async write(job) {
    const { api, record, native, directory, sides } = job
    const projectId = await write.openProjectOf(job)
    const { user: userId, roles } = native
    if (userId === undefined) throw new RefusedError('user_missing', 'There is no such person in Redmine.')
    directory.forget(projectId)
    if (roles.length === 0) {
      throw new RefusedError('role_missing', 'Redmine has none of the roles that this member has.')
    }
    const under = `/projects/${projectId}`
    const url = `${api.base}${under}/settings/members`
    // The user of a membership cannot be changed.
    const attributes = { ...(record.destinationId === null && { user_id: userId }), role_ids: roles }
    const isSame = ({ user }: Raw<'membership'>) => user?.id === userId
    const { raw, same } = await saveListed(job, 'membership', under, attributes, isSame)
    if (!same) return { raw, url }
    const before = (same.roles ?? []).map((role) => role.id)
    // A member with only the least role was added by us, with the project or for an issue.
    const isOurs = before.length === 1 && before[0] === (await directory.leastRole())
    const role_ids = isOurs ? roles : [...new Set([...before, ...roles])]
    done(await api.change('membership', same.id, { role_ids }))
    if (isOurs) await sides?.forget(memberSide(projectId, userId, 0))
    return { raw, url, isOurs }
  },

  async find({ api }, { destinationId }) {
    const found = destinationId === null ? null : await api.one('membership', destinationId)
    return found ? [found] : []
  },

  remove: (call, { destinationId }) => removeListed(call, 'membership', destinationId),
})

const longestPerson = 100
const longestComment = 1024 - markRoom - longestPerson - 4

/** Redmine keeps two decimals of hours. */
const round = (hours: unknown): number => (typeof hours === 'number' ? Math.round(hours * 100) / 100 : 0)

const entryForm = formOf<Raw<'time_entry'>>()({
  issue: [({ issue }) => numberOf(issue), ({ issue }) => issue?.id],
  // Only set if the entry has no issue; otherwise the issue determines the project.
  project: [
    ({ issue, project }) => (numberOf(issue) === undefined ? numberOf(project) : undefined),
    ({ issue, project }) => (issue ? undefined : project?.id),
  ],
  // If the entry could not be booked for its person, a mark says so.
  user: [
    ({ user }) => userIdOf(user),
    ({ user, comments }) => (readMarked(comments, 'line').mark?.isAuthorKept === false ? undefined : user?.id),
  ],
  hours: [({ hours }) => round(hours), ({ hours }) => round(hours)],
  spentOn: [({ spent_on }) => textOf(spent_on) || undefined, ({ spent_on }) => spent_on],
  comments: [({ description }) => plainText(description), ({ comments }) => readMarked(comments, 'line').text],
  activity: [
    ({ activity }, { vocabulary: { activities } }) => {
      const wanted = textOf(activity).toLowerCase()
      const named = activities.find(({ name, isActive }) => isActive && name.toLowerCase() === wanted)
      return (named ?? activities.find(({ isDefault }) => isDefault))?.id
    },
    ({ activity }) => activity?.id,
  ],
})

export const writeTimeEntries = write.entityWriter(entryForm, {
  customized: 'time_entry',
  facts: () => ({ description: { maxLength: longestComment } }),
  url: ({ api }, { id }) => `${api.base}/time_entries/${id}/edit`,

  async write(job) {
    const { api, directory, vocabulary, record, native } = job
    const keyField = keyFieldOf(vocabulary.fields, 'time_entry')
    const projectId = native.issue === undefined ? native.project : (await job.issue(native.issue))?.project?.id
    if (projectId === undefined || !(await job.locks.openProject(projectId)) || !keyField) {
      throw new RefusedError('gone', 'The issue or project of this time entry is no longer in Redmine.')
    }
    // Time can be booked only for members with that right. So everyone who booked time becomes a member.
    const user = native.user === undefined ? null : await directory.user(native.user)
    if (user?.status === 1) await directory.ensureMember(user.id, projectId)
    const isKept = user !== null && (await directory.may(user, projectId, ['log_time']))
    write.noteAuthor(job, native.user, isKept)
    // The comment names the person only if the entry could not be booked for them.
    const name = isKept ? '' : ((await write.nameFor(job, native.user))?.slice(0, longestPerson) ?? '')
    const mark = { hash: hashKey(record.key), isAuthorKept: false }
    const entry = {
      ...(native.issue === undefined ? { project_id: projectId } : { issue_id: native.issue }),
      user_id: isKept ? user.id : job.accountId,
      hours: record.fields.hours,
      spent_on: native.spentOn ?? record.createdAt?.slice(0, 10) ?? undefined,
      comments: isKept ? native.comments : markLine(native.comments, mark, name),
      activity_id: native.activity,
      custom_fields: [{ id: keyField.id, value: record.key }, ...sendCustom(job, 'time_entry')],
    }
    const { made } = done(await api.save('time_entry', record.destinationId, entry))
    return { raw: made }
  },

  findAll: (call, records) => write.findByKeyField(call, 'time_entry', records),

  remove: (call, { destinationId }) => removeListed(call, 'time_entry', destinationId),
})
