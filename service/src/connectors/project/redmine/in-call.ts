import type { Leftover } from '../../contract/contract.ts'
import type { RedmineApi, Sent } from './api.ts'
import type { Directory } from './directory.ts'
import { createLocks, moveProjects } from './locks.ts'
import type { Raw } from './schema.ts'
import type { Call, Writing } from './writing.ts'

/**
 * An issue read by an earlier call is reused for this long: a long thread takes many calls, and each read takes a
 * second.
 */
const lastIssueMs = 10_000

/**
 * After `act`, projects and versions that we opened are closed again, and watchers that Redmine added because of us
 * are removed. If that fails, the outcomes still count: the leftovers are noted and restored later.
 */
export async function inCall<T>(writing: Writing, act: (call: Call) => Promise<T>): Promise<T> {
  const { api, directory, notes, last } = writing
  const locks = createLocks(api, directory, notes)
  const watching = new Map<string, Leftover>()
  const unwatch = async (issue: number, user: number) => {
    const name = `${issue} ${user}`
    if (watching.has(name)) return
    const item = { kind: 'watcher', issue, user }
    await notes.note(item)
    watching.set(name, item)
  }
  const isFresh = last !== null && performance.now() - last.readAt < lastIssueMs
  const issues = new Map<number, Raw<'issue'> | null>(isFresh ? [[last.issue.id, last.issue]] : [])
  const issue = async (id: number): Promise<Raw<'issue'> | null> => {
    const known = issues.get(id)
    if (known !== undefined) return known
    const read = await api.one('issue', id, { include: 'watchers' })
    issues.set(id, read)
    writing.last = read && { issue: read, readAt: performance.now() }
    return read
  }
  const tidy = async () => {
    for (const item of watching.values()) await putBack(api, item)
    await notes.forget(...watching.values())
    await locks.restore()
  }
  try {
    return await act({ ...writing, locks, issue, unwatch })
  } finally {
    await tidy().catch(() => {})
  }
}

/** Restores temporary changes that an earlier call could not restore. Returns those that are still open. */
export async function restoreItems(
  api: RedmineApi,
  directory: Directory,
  items: readonly Leftover[],
): Promise<Leftover[]> {
  const done: Leftover[] = []
  for (const kind of ['watcher', 'issue_dates', 'version_status']) {
    for (const item of items.filter((one) => one.kind === kind)) {
      const sent = await putBack(api, item)
      // A deleted record needs no restoring, either. For a watcher of a deleted issue, Redmine answers "forbidden".
      const isSettled = sent.isTaken || sent.code === 'gone'
      if (isSettled || (kind === 'watcher' && !(await isWatching(api, item)))) done.push(item)
    }
  }
  const closed = items.filter(({ kind }) => kind === 'closed_project')
  if (closed.length > 0) await moveProjects(api, directory, new Map(closed.map(({ id }) => [Number(id), true])))
  return [...done, ...closed]
}

function putBack(api: RedmineApi, { kind, id, issue, user, ...attributes }: Leftover): Promise<Sent> {
  if (kind === 'watcher') return api.send('DELETE', `/issues/${issue}/watchers/${user}.json`)
  return api.change(kind === 'issue_dates' ? 'issue' : 'version', Number(id), attributes)
}

async function isWatching(api: RedmineApi, { issue, user }: Leftover): Promise<boolean> {
  const found = await api.one('issue', Number(issue), { include: 'watchers' })
  return found?.watchers?.some(({ id }) => id === user) ?? false
}
