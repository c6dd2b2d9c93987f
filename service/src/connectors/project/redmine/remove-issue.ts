import type { RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import { keyFieldOf } from './custom-fields.ts'
import { isSameIssue } from './issue-version.ts'
import { versionOf } from './long-texts.ts'
import { type Raw, take } from './schema.ts'
import { type Call, keep, removed, type Writing } from './writing.ts'

const include = 'journals,attachments,relations,watchers,children'

export async function removeIssue(writing: Writing, call: Call, record: RemovableRecord): Promise<RemoveOutcome> {
  const { api } = writing
  const path = `/issues/${record.destinationId}.json`
  const given = await api.find(path, 'issue', { include })
  if (given === null) return { key: record.key, result: 'missing' }
  const issue = take('issue', given)
  const edit = await findEdit(writing, issue, record.version)
  if (edit !== null) return keep(record.key, edit)
  if (issue.project) await call.locks.openProject(issue.project.id)
  // Redmine deletes everything below an issue with it; what is below may not be ours, or may have been edited.
  for (const child of issue.children ?? []) {
    await call.unwatch(child.id, writing.accountId)
    const detached = await api.send('PUT', `/issues/${child.id}.json`, { issue: { parent_issue_id: '' } })
    if (!detached.isTaken) return keep(record.key, 'An issue below it could not be taken off.')
  }
  return removed(record.key, await api.send('DELETE', path))
}

/** Without a version it goes, whatever has become of it. */
async function findEdit(writing: Writing, issue: Raw<'issue'>, version: string | null): Promise<string | null> {
  const { api } = writing
  if (version === null) return null
  const isThere = async (id: number) => (await api.find(`/issues/${id}.json`, 'issue')) !== null
  if (!(await isSameIssue(version, await versionOf(issue, writing), isThere))) {
    return 'It has been changed since it was imported.'
  }
  if (await hasOthersRelation(writing, issue)) return 'People have related other issues to it.'
  const { total } = await api.list('/time_entries.json', 'time_entries', { issue_id: issue.id, limit: 1 })
  return total === 0 ? null : 'Time has been booked on it since.'
}

/** Relations that start from another issue are no part of the version. Those of issues that we wrote are ours. */
async function hasOthersRelation({ api, vocabulary }: Writing, issue: Raw<'issue'>): Promise<boolean> {
  const keyField = keyFieldOf(vocabulary.fields, 'issue')
  for (const { issue_id } of issue.relations ?? []) {
    if (issue_id === issue.id) continue
    const other = await api.find(`/issues/${issue_id}.json`, 'issue')
    const custom = other === null ? undefined : take('issue', other).custom_fields
    if (other !== null && !custom?.some(({ id, value }) => id === keyField?.id && value)) return true
  }
  return false
}
