import type { Leftover } from '../../contract/contract.ts'
import type { RedmineApi, Sent } from './api.ts'
import type { Directory } from './directory.ts'
import { moveProjects } from './locks.ts'

/** Restores temporary changes that an earlier call could not restore. Returns those that are still open. */
export async function restoreItems(
  api: RedmineApi,
  directory: Directory,
  items: readonly Leftover[],
): Promise<Leftover[]> {
  const done: Leftover[] = []
  const ofKind = (kind: string) => items.filter((item) => item.kind === kind)
  for (const item of ofKind('watcher')) {
    const sent = await api.send('DELETE', `/issues/${item.issue}/watchers/${item.user}.json`)
    // Redmine answers "forbidden" for a deleted issue, too.
    if (isSettled(sent) || !(await isWatching(api, item))) done.push(item)
  }
  for (const item of ofKind('issue_dates')) {
    const { id, start_date, due_date } = item
    if (isSettled(await api.change('issue', Number(id), { start_date, due_date }))) done.push(item)
  }
  for (const item of ofKind('version_status')) {
    const { id, status } = item
    if (isSettled(await api.change('version', Number(id), { status }))) done.push(item)
  }
  const closed = ofKind('closed_project')
  if (closed.length > 0) await moveProjects(api, directory, new Map(closed.map(({ id }) => [Number(id), true])))
  return [...done, ...closed]
}

async function isWatching(api: RedmineApi, { issue, user }: Leftover): Promise<boolean> {
  const found = await api.one('issue', Number(issue), { include: 'watchers' })
  return found?.watchers?.some(({ id }) => id === user) ?? false
}

/** A deleted record needs no restoring, either. */
const isSettled = (sent: Sent): boolean => sent.isTaken || sent.code === 'gone'
