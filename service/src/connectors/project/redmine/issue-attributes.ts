import { keyFieldOf } from './custom-fields.ts'
import { keyFieldLacking } from './find-again.ts'
import { type NativeIssue, numberOf, textOf } from './native-issue.ts'
import { sendCustom } from './write-custom-fields.ts'
import { type Job, signText } from './writing.ts'

/** Drops values that would make Redmine refuse the whole issue. */
export async function prepareIssue(job: Job, native: NativeIssue, projectId: number): Promise<NativeIssue> {
  const { directory, locks, losses } = job
  const draft = { ...native }
  if (native.version !== undefined && !(await locks.openVersion(native.version, projectId))) {
    draft.version = undefined
    losses.push('milestone_refused')
  }
  const isActive = async (id: number) => (await directory.user(id))?.status === 1
  if (native.assignee !== undefined) {
    const isUser = await isActive(native.assignee)
    if (isUser) await directory.ensureMember(native.assignee, projectId)
    const roleIds = (await directory.members(projectId)).get(native.assignee) ?? []
    const roles = await Promise.all(roleIds.map((id) => directory.role(id)))
    if (!isUser || !roles.some(({ assignable }) => assignable)) {
      draft.assignee = undefined
      losses.push('assignee_refused')
    }
  }
  const active = await Promise.all(native.watchers.map(isActive))
  draft.watchers = native.watchers.filter((_id, index) => active[index])
  if (draft.watchers.length < native.watchers.length) losses.push('watcher_refused')
  return draft
}

export async function attributesOf(job: Job, draft: NativeIssue, isAuthorKept: boolean) {
  const { vocabulary, directory, record } = job
  const members = await directory.members(Number(draft.project))
  const keyField = keyFieldOf(vocabulary.fields, 'issue')
  if (!keyField) throw keyFieldLacking()
  const requester = numberOf(record.fields.requester)
  const isNamed = isAuthorKept && (requester === undefined || requester === draft.author)
  const number = textOf(record.fields.key ?? record.fields.number) || null
  const signature = { isAuthorKept, isNamed, personId: requester, number }
  return {
    tracker_id: draft.tracker,
    subject: draft.subject,
    description: await signText(job, draft.description, signature),
    priority_id: draft.priority,
    category_id: draft.category ?? '',
    fixed_version_id: draft.version ?? '',
    assigned_to_id: draft.assignee ?? '',
    is_private: draft.isPrivate,
    done_ratio: draft.done,
    estimated_hours: draft.estimate ?? '',
    // Without a value, Redmine would set the start date to today.
    start_date: draft.start ?? '',
    due_date: draft.due ?? '',
    custom_fields: [{ id: keyField.id, value: record.key }, ...sendCustom(job, 'issue', { members })],
  }
}
