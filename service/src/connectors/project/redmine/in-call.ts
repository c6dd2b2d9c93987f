import type { Leftover } from '../../contract/contract.ts'
import { createLocks } from './locks.ts'
import type { Raw } from './schema.ts'
import type { Call, Writing } from './writing.ts'

/** A long thread takes many calls, and Redmine a second each time to show its issue. */
const lastIssueMs = 10_000

/**
 * In any case, opened records are closed again, and nobody watches because we wrote in their name. Where that fails,
 * the written records are known nevertheless: the rest is noted and restored later.
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
    for (const { issue, user } of watching.values()) {
      await api.send('DELETE', `/issues/${issue}/watchers/${user}.json`)
    }
    await notes.forget(...watching.values())
    await locks.restore()
  }
  try {
    return await act({ ...writing, locks, issue, unwatch })
  } finally {
    await tidy().catch(() => {})
  }
}
