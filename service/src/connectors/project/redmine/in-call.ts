import type { Leftover } from '../../contract/contract.ts'
import { createLocks } from './locks.ts'
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
