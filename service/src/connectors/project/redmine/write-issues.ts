import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Made } from './api.ts'
import { keyFieldOf } from './custom-fields.ts'
import { describeIssues } from './describe-issues.ts'
import { findByKeyField } from './find-by-key-field.ts'
import { attributesOf, keyFieldMissing, prepareIssue } from './issue-attributes.ts'
import { issues, versionOf } from './long-texts.ts'
import { type NativeIssue, numberOf, toNativeIssue, userIdOf } from './native-issue.ts'
import { removeIssue } from './remove-issue.ts'
import { issueParts, type Raw } from './schema.ts'
import { storedCustom } from './write-custom-fields.ts'
import { authorFor, type Call, type EntityWriter, found, refuse, refuseSent, type Writing, written } from './writing.ts'

const issueUrl = ({ api }: Writing, id: number | string) => `${api.base}/issues/${id}`

export const writeIssues: EntityWriter = {
  describe: describeIssues,

  stored: ({ fields }, { vocabulary, accountId }) => ({ ...toNativeIssue(fields, vocabulary, accountId) }),

  async write(writing, call, record) {
    const native = await issues('toNativeIssue', record.fields, writing.vocabulary, writing.accountId)
    if (native.project === undefined) {
      return refuse(record.key, 'project_missing', 'An issue belongs to a project, and this one comes without.')
    }
    if (!(await call.locks.openProject(native.project))) {
      return refuse(record.key, 'gone', 'The project that it belongs to is no longer in Redmine.')
    }
    const losses: WriteLoss[] = []
    const prepared = await prepareIssue(writing, call, native, native.project, losses)
    const draft = { ...prepared, author: authorOf(native, record) }
    return record.destinationId === null
      ? createIssue(writing, call, record, draft, losses)
      : updateIssue(writing, call, record, draft, losses)
  },

  async find(writing, _call, records) {
    const all = []
    for (const { key, raw: issue } of await findByKeyField(writing, 'issue', records)) {
      const stored = await issues('readNativeIssue', issue, writing.accountId, writing.family)
      const version = await versionOf(issue, writing)
      const custom = storedCustom(writing, 'issue', issue)
      all.push(found(key, String(issue.id), issueUrl(writing, issue.id), version, stored, custom))
    }
    return all
  },

  remove: removeIssue,
}

/** Who opened it. A ticket without an agent who did was opened by the person who asks. */
const authorOf = ({ author }: NativeIssue, { createdBy, fields }: OutgoingRecord): number | undefined =>
  author ?? userIdOf(createdBy?.userId) ?? numberOf(fields.requester)

async function createIssue(
  writing: Writing,
  call: Call,
  record: OutgoingRecord,
  draft: NativeIssue,
  losses: WriteLoss[],
): Promise<WriteOutcome> {
  const { api } = writing
  const projectId = Number(draft.project)
  // An account that may not make an issue private would make it public, without a word.
  const permissions = ['add_issues', ...(draft.isPrivate ? ['set_issues_private'] : [])]
  const isOwn = draft.author === writing.accountId
  const author = isOwn ? null : await authorFor(writing, draft.author, projectId, permissions)
  const post = async (as: Raw<'user'> | null) => {
    const attributes = await attributesOf(writing, record, draft, isOwn || as !== null, losses)
    const watchers = as === null ? { watcher_user_ids: draft.watchers } : {}
    return await api.make('issue', { project_id: projectId, ...attributes, ...watchers }, { login: as?.login })
  }
  const asAuthor = author ? await postMarked(writing, record.key, () => post(author)) : null
  const isSwitched = asAuthor?.isMarked === true
  const made = asAuthor?.isMarked ? asAuthor : await postMarked(writing, record.key, () => post(null))
  if (!made.sent.isTaken) return refuseSent(record.key, made.sent)
  const issue = made.sent.made
  // Without its key it could never be found again, and would come twice.
  if (!made.isMarked) throw keyFieldMissing(issue.tracker?.name)
  if (draft.author !== undefined && !isSwitched && !isOwn) losses.push('author_not_kept')
  const rest = isSwitched ? await attributesOf(writing, record, draft, true) : {}
  const isBorn = !isSwitched && issue.status?.id === draft.status && draft.parent === undefined
  const change = { ...rest, status_id: draft.status }
  const refusal = isBorn ? null : await finish(writing, call, issue.id, change, draft.parent, losses)
  // Its author may set less than we: what is not whole must not pass for it.
  if (refusal && isSwitched) {
    const sent = await api.change('issue', issue.id, rest)
    if (!sent.isTaken) {
      await api.remove('issue', issue.id)
      return refuseSent(record.key, sent)
    }
  }
  if (isSwitched) await addWatchers(writing, issue.id, draft.watchers, losses)
  await addRelations(writing, call, issue.id, draft.relations, losses)
  const isUntouched = isBorn && draft.relations.length === 0 && draft.watchers.length === 0
  const version = await versionOf(isUntouched ? issue : await readIssue(writing, issue.id), writing)
  return written(record.key, String(issue.id), issueUrl(writing, issue.id), version, losses)
}

/** An issue that did not get its key, because its author may not see the field or its tracker has none, is taken back. */
async function postMarked({ api, vocabulary }: Writing, key: string, post: () => Promise<Made<'issue'>>) {
  const sent = await post()
  if (!sent.isTaken) return { sent, isMarked: false }
  const { id, custom_fields = [] } = sent.made
  const keyField = keyFieldOf(vocabulary.fields, 'issue')
  const isMarked = custom_fields.some((custom) => custom.id === keyField?.id && custom.value === key)
  if (!isMarked) await api.remove('issue', id)
  return { sent, isMarked }
}

async function updateIssue(
  writing: Writing,
  call: Call,
  record: OutgoingRecord,
  draft: NativeIssue,
  losses: WriteLoss[],
): Promise<WriteOutcome> {
  const before = await writing.api.one('issue', String(record.destinationId), { include: issueParts })
  if (before === null) return refuse(record.key, 'gone', 'It was deleted in Redmine since it was imported.')
  const isAuthorKept = draft.author !== undefined && before.author?.id === draft.author
  if (draft.author !== undefined && !isAuthorKept) losses.push('author_not_kept')
  const attributes = await attributesOf(writing, record, draft, isAuthorKept, losses)
  const moved = before.project?.id === draft.project ? {} : { project_id: draft.project }
  const change = { ...moved, ...attributes, status_id: draft.status }
  const refusal = await finish(writing, call, before.id, change, draft.parent, losses)
  if (refusal) return refuseSent(record.key, refusal)
  const { watchers, relations } = await issues('readNativeIssue', before, writing.accountId, writing.family)
  await addWatchers(
    writing,
    before.id,
    draft.watchers.filter((id) => !watchers.includes(id)),
    losses,
  )
  await addRelations(
    writing,
    call,
    before.id,
    draft.relations.filter((one) => !relations.includes(one)),
    losses,
  )
  const version = await versionOf(await readIssue(writing, before.id), writing)
  return written(record.key, String(before.id), issueUrl(writing, before.id), version, losses)
}

/** Status and parent go together: an open issue cannot be put under a closed one. What is refused is left out. */
async function finish(
  { api, accountId }: Writing,
  call: Call,
  issueId: number,
  change: object,
  parent: number | undefined,
  losses: WriteLoss[],
) {
  await call.unwatch(issueId, accountId)
  if (parent !== undefined) await call.unwatch(parent, accountId)
  const put = (issue: object) => api.change('issue', issueId, issue)
  const whole = await put(parent === undefined ? change : { ...change, parent_issue_id: parent })
  if (whole.isTaken) return null
  if (parent === undefined) {
    losses.push('status_refused')
    return whole
  }
  losses.push('parent_refused')
  const without = await put(change)
  if (without.isTaken) return null
  losses.push('status_refused')
  return without
}

async function addWatchers({ api }: Writing, issueId: number, userIds: readonly number[], losses: WriteLoss[]) {
  if (userIds.length === 0) return
  await api.send('POST', `/issues/${issueId}/watchers.json`, { watcher: { user_ids: userIds } })
  const { watchers = [] } = (await api.one('issue', issueId, { include: 'watchers' })) ?? {}
  if (userIds.some((id) => !watchers.some((watcher) => watcher.id === id))) losses.push('watcher_refused')
}

async function addRelations(
  writing: Writing,
  call: Call,
  issueId: number,
  relations: readonly string[],
  losses: WriteLoss[],
): Promise<void> {
  const { api, accountId, notes } = writing
  for (const relation of relations) {
    const [relation_type, issue_to_id] = relation.split(' ')
    const otherId = Number(issue_to_id)
    const before = relation_type === 'precedes' ? await readIssue(writing, otherId) : null
    const dates = before && { start_date: before.start_date ?? null, due_date: before.due_date ?? null }
    const note = dates && { kind: 'issue_dates', id: otherId, ...dates }
    await call.unwatch(issueId, accountId)
    await call.unwatch(otherId, accountId)
    if (note) await notes.note(note)
    const sent = await api.send('POST', `/issues/${issueId}/relations.json`, {
      relation: { relation_type, issue_to_id },
    })
    if (!sent.isTaken) losses.push('relation_refused')
    // Redmine moves what follows to the day after what precedes; it stays where it was.
    if (dates && sent.isTaken) await api.change('issue', otherId, dates)
    if (note) await notes.forget(note)
  }
}

const readIssue = async ({ api }: Writing, id: number): Promise<Raw<'issue'>> =>
  (await api.one('issue', id, { include: issueParts })) ?? { id }
