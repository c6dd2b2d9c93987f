import type { RemovableRecord } from '../../contract/contract.ts'
import type { Sent } from './api.ts'
import { keyFieldOf } from './custom-fields.ts'
import { isSameIssue } from './issue-version.ts'
import { versionOf } from './long-texts.ts'
import { issueParts, type Raw } from './schema.ts'
import type { Call, Writing } from './writing.ts'

export async function removeIssue(call: Call, record: RemovableRecord): Promise<Sent | string | null> {
  const { api } = call
  const issue = await api.one('issue', record.destinationId, { include: issueParts })
  if (issue === null) return null
  const edit = await findEdit(call, issue, record.version)
  if (edit !== null) return edit
  if (issue.project) await call.locks.openProject(issue.project.id)
  // Redmine deletes all issues below an issue with it. They may belong to people or have been edited, so they are
  // detached first.
  for (const child of issue.children ?? []) {
    await call.unwatch(child.id, call.accountId)
    const detached = await api.change('issue', child.id, { parent_issue_id: '' })
    if (!detached.isTaken) return 'An issue below it could not be detached.'
  }
  return api.remove('issue', issue.id)
}

/** Without a version, the issue is removed even if people changed it. */
async function findEdit(writing: Writing, issue: Raw<'issue'>, version: string | null): Promise<string | null> {
  const { api } = writing
  if (version === null) return null
  const isThere = async (id: number) => (await api.one('issue', id)) !== null
  if (!(await isSameIssue(version, await versionOf(issue, writing), isThere))) {
    return 'It has been changed since it was imported.'
  }
  if (await hasOthersRelation(writing, issue)) return 'People have related other issues to it.'
  return (await api.count('time_entry', { issue_id: issue.id })) === 0 ? null : 'Time has been booked on it since.'
}

/**
 * The version does not cover relations that start from another issue. Relations from issues that we wrote are ours.
 */
async function hasOthersRelation({ api, vocabulary }: Writing, issue: Raw<'issue'>): Promise<boolean> {
  const keyField = keyFieldOf(vocabulary.fields, 'issue')
  for (const { issue_id } of issue.relations ?? []) {
    if (issue_id === issue.id) continue
    const other = await api.one('issue', issue_id)
    if (other && !other.custom_fields?.some(({ id, value }) => id === keyField?.id && value)) return true
  }
  return false
}
