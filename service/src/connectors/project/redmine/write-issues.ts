import type { WriteLoss } from '../../../warnings/codes.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { done, present } from './api.ts'
import { isSameIssue, issueForm, type NativeIssue, versionOf } from './native-issue.ts'
import { issueParts, type Raw } from './schema.ts'
import { keyFieldOf, keyIn, sendCustom } from './vocabulary.ts'
import * as write from './writing.ts'
import { type Job, numberOf, textOf, userIdOf, type Writing } from './writing.ts'

export const writeIssues = write.entityWriter(issueForm, {
  customized: 'issue',
  without: ['labels', 'tags', 'channel', 'organization', 'closed_at', 'solved_at', 'time_spent_s'],
  facts: ({ trackers, statuses, priorities }) => ({
    title: { maxLength: 255 },
    subject: { maxLength: 255 },
    group: { required: true },
    type: write.optionsOf(trackers),
    status: write.optionsOf(statuses),
    priority: write.optionsOf(priorities),
  }),
  about: () => ({ sendsMail: true }),
  url: ({ api }, { id }) => `${api.base}/issues/${id}`,
  version: (writing, issue) => versionOf(issue, writing),

  async write(job) {
    const { record, native } = job
    if (native.project === undefined) {
      throw new RefusedError('project_missing', 'An issue needs a project, and this one has none.')
    }
    const prepared = await prepareIssue(job, native, await write.openProjectOf(job))
    // A ticket without an agent as author was opened by its requester.
    const author = native.author ?? userIdOf(record.createdBy?.userId) ?? numberOf(record.fields.requester)
    const draft = { ...prepared, author }
    return { raw: await (record.destinationId === null ? createIssue(job, draft) : updateIssue(job, draft)) }
  },

  findAll: (call, records) => write.findByKeyField(call, 'issue', records),

  async remove(call, record) {
    const { api } = call
    const issue = await api.one('issue', record.destinationId, { include: issueParts })
    if (issue === null) return null
    const edit = await findEdit(call, issue, record.version)
    if (edit !== null) return edit
    if (issue.project) await call.locks.openProject(issue.project.id)
    // Redmine would also delete the issues below it. People may have made or edited them, so they are detached first.
    for (const child of issue.children ?? []) {
      await call.unwatch(child.id, call.accountId)
      const detached = await api.change('issue', child.id, { parent_issue_id: '' })
      if (detached.result === 'refused') return 'An issue below it could not be detached.'
    }
    return api.remove('issue', issue.id)
  },
})

async function createIssue(job: Job, draft: NativeIssue) {
  const { api, accountId } = job
  const projectId = Number(draft.project)
  // If the author may not make an issue private, Redmine would silently make it public.
  const permissions = ['add_issues', ...(draft.isPrivate ? ['set_issues_private'] : [])]
  const isOwn = draft.author === accountId
  const author = isOwn ? null : await write.authorFor(job, draft.author, projectId, permissions)
  const post = async (as: Raw<'user'> | null) => {
    const attributes = await attributesOf(job, draft, isOwn || as !== null)
    const watchers = as === null ? { watcher_user_ids: draft.watchers } : {}
    const issue = { project_id: projectId, ...attributes, ...watchers }
    const sent = await api.save('issue', null, issue, { login: as?.login })
    const isMarked = sent.result === 'done' && keyIn(job.vocabulary, 'issue', sent.made) === job.record.key
    // The author may not see the key field, or the tracker does not have it.
    if (sent.result === 'done' && !isMarked) await api.remove('issue', sent.made.id)
    return { sent, isMarked }
  }
  const asAuthor = author && (await post(author))
  const isSwitched = asAuthor?.isMarked === true
  const { sent, isMarked } = asAuthor?.isMarked ? asAuthor : await post(null)
  const issue = done(sent).made
  // Without its key the issue could not be found again and would be written twice.
  if (!isMarked) throw write.keyFieldLacking(issue.tracker?.name)
  write.noteAuthor(job, draft.author, isSwitched || isOwn)
  const rest = isSwitched ? await attributesOf(job, draft, true) : {}
  const isBorn = !isSwitched && issue.status?.id === draft.status && draft.parent === undefined
  const refusal = isBorn ? null : await finish(job, issue.id, { ...rest, status_id: draft.status }, draft.parent)
  // The author may set fewer fields than our account. An incomplete issue must not count as written.
  if (refusal && isSwitched) {
    const changed = await api.change('issue', issue.id, rest)
    if (changed.result === 'refused') await api.remove('issue', issue.id)
    done(changed)
  }
  if (isSwitched) await addWatchers(job, issue.id, draft.watchers)
  await addRelations(job, issue.id, draft.relations)
  const isUntouched = isBorn && draft.relations.length === 0 && draft.watchers.length === 0
  return isUntouched ? issue : readIssue(job, issue.id)
}

async function updateIssue(job: Job, draft: NativeIssue) {
  const { api, record } = job
  const before = present(await api.one('issue', String(record.destinationId), { include: issueParts }))
  const isAuthorKept = draft.author !== undefined && before.author?.id === draft.author
  write.noteAuthor(job, draft.author, isAuthorKept)
  const attributes = await attributesOf(job, draft, isAuthorKept)
  const moved = before.project?.id === draft.project ? {} : { project_id: draft.project }
  const change = { ...moved, ...attributes, status_id: draft.status }
  const refusal = await finish(job, before.id, change, draft.parent)
  if (refusal) done(refusal)
  const { watchers, relations } = issueForm.held({ ...before, description: null }, job)
  await addWatchers(job, before.id, added(draft.watchers, watchers))
  await addRelations(job, before.id, added(draft.relations, relations))
  return readIssue(job, before.id)
}

const added = <T>(wanted: readonly T[], there: readonly T[]): T[] => wanted.filter((one) => !there.includes(one))

/** Sends status and parent together, because Redmine refuses an open issue below a closed one. Returns a refusal. */
async function finish(job: Job, issueId: number, change: object, parent: number | undefined) {
  const { api, accountId, losses } = job
  await job.unwatch(issueId, accountId)
  if (parent !== undefined) {
    await job.unwatch(parent, accountId)
    if ((await api.change('issue', issueId, { ...change, parent_issue_id: parent })).result === 'done') return null
    losses.push('parent_refused')
  }
  const sent = await api.change('issue', issueId, change)
  if (sent.result === 'done') return null
  losses.push('status_refused')
  return sent
}

async function addWatchers({ api, losses }: Job, issueId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await api.send('POST', `/issues/${issueId}/watchers.json`, { watcher: { user_ids: userIds } })
  const { watchers = [] } = (await api.one('issue', issueId, { include: 'watchers' })) ?? {}
  if (userIds.some((id) => !watchers.some((watcher) => watcher.id === id))) losses.push('watcher_refused')
}

async function addRelations(job: Job, issueId: number, relations: readonly string[]): Promise<void> {
  const { api, accountId, notes, losses } = job
  for (const relation of relations) {
    const [relation_type, issue_to_id] = relation.split(' ')
    const otherId = Number(issue_to_id)
    const before = relation_type === 'precedes' ? await readIssue(job, otherId) : null
    const dates = before && { start_date: before.start_date ?? null, due_date: before.due_date ?? null }
    const note = dates && { kind: 'issue_dates', id: otherId, ...dates }
    await job.unwatch(issueId, accountId)
    await job.unwatch(otherId, accountId)
    if (note) await notes.note(note)
    const link = { relation: { relation_type, issue_to_id } }
    const sent = await api.send('POST', `/issues/${issueId}/relations.json`, link)
    if (sent.result === 'refused') losses.push('relation_refused')
    // Redmine moves the dates of an issue that follows another one. This restores them.
    if (dates && sent.result === 'done') await api.change('issue', otherId, dates)
    if (note) await notes.forget(note)
  }
}

const readIssue = async ({ api }: Writing, id: number): Promise<Raw<'issue'>> =>
  (await api.one('issue', id, { include: issueParts })) ?? { id }

/** Drops values that would make Redmine refuse the whole issue. */
async function prepareIssue(job: Job, native: NativeIssue, projectId: number): Promise<NativeIssue> {
  const { directory, locks, losses } = job
  const isActive = async (id: number) => (await directory.user(id))?.status === 1
  const isAssignable = async (id: number) => {
    if (!(await isActive(id))) return false
    await directory.ensureMember(id, projectId)
    const roleIds = (await directory.members(projectId)).get(id) ?? []
    return (await Promise.all(roleIds.map(directory.role))).some(({ assignable }) => assignable)
  }
  const keepIf = async (isFit: (id: number) => Promise<boolean>, id: number | undefined, loss: WriteLoss) => {
    const isKept = id === undefined || (await isFit(id))
    if (!isKept) losses.push(loss)
    return isKept ? id : undefined
  }
  const version = await keepIf((id) => locks.openVersion(id, projectId), native.version, 'milestone_refused')
  const assignee = await keepIf(isAssignable, native.assignee, 'assignee_refused')
  const active = await Promise.all(native.watchers.map(isActive))
  const watchers = native.watchers.filter((_id, index) => active[index])
  if (watchers.length < native.watchers.length) losses.push('watcher_refused')
  return { ...native, version, assignee, watchers }
}

async function attributesOf(job: Job, draft: NativeIssue, isAuthorKept: boolean) {
  const { vocabulary, directory, record } = job
  const members = await directory.members(Number(draft.project))
  const keyField = keyFieldOf(vocabulary.fields, 'issue')
  if (!keyField) throw write.keyFieldLacking()
  const requester = numberOf(record.fields.requester)
  const isNamed = isAuthorKept && (requester === undefined || requester === draft.author)
  const number = textOf(record.fields.key ?? record.fields.number) || null
  const signature = { isAuthorKept, isNamed, personId: requester, number }
  return {
    ...issueForm.attributes(draft),
    description: await write.signText(job, draft.description, signature),
    custom_fields: [{ id: keyField.id, value: record.key }, ...sendCustom(job, 'issue', members)],
  }
}

/** Without a version, the issue is removed even if people changed it. */
async function findEdit(writing: Writing, issue: Raw<'issue'>, version: string | null): Promise<string | null> {
  const { api, vocabulary } = writing
  const { id, relations = [] } = issue
  if (version === null) return null
  const isThere = async (otherId: number) => (await api.one('issue', otherId)) !== null
  if (!(await isSameIssue(version, await versionOf(issue, writing), isThere))) {
    return 'It has been changed since it was imported.'
  }
  // The version does not cover relations from other issues. Relations from issues that we wrote are ours.
  for (const { issue_id } of relations.filter((relation) => relation.issue_id !== id)) {
    const other = await api.one('issue', issue_id)
    if (other && !keyIn(vocabulary, 'issue', other)) return 'People have related other issues to it.'
  }
  return (await api.count('time_entry', { issue_id: id })) === 0 ? null : 'Time has been booked on it since.'
}
