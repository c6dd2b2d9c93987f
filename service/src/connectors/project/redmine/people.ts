import type { RedmineApi } from './api.ts'
import type { Raw } from './schema.ts'

/** Redmine's list of users has no status, so each status is requested: active, registered, locked. */
export const statuses = [1, 2, 3]
export const locked = 3
/** The list is read again after this time if it lacks a user. */
const staleMs = 30_000

type Users = Map<number, Raw<'user'>>

/**
 * Reads users from the list. A request for a single user would make Redmine create an API key for them, which nobody
 * could remove. The list lacks groups, the anonymous user and deleted users.
 */
export function createPeople(api: RedmineApi) {
  let known: Users | null = null
  let reading: Promise<Users> | null = null
  let readAt = 0
  const strangers = new Set<number>()

  const readAll = (): Promise<Users> => {
    reading ??= (async () => {
      const users: Users = new Map()
      for (const status of statuses) {
        const listed = await api.all('user', { status, sort: 'created_on,login' })
        for (const user of listed) users.set(user.id, { ...user, status })
      }
      known = users
      readAt = performance.now()
      return users
    })().finally(() => {
      reading = null
    })
    return reading
  }

  return {
    async find(id: number): Promise<Raw<'user'> | null> {
      const user = (known ?? (await readAll())).get(id)
      if (user || strangers.has(id)) return user ?? null
      const again = performance.now() - readAt > staleMs ? (await readAll()).get(id) : undefined
      if (!again) strangers.add(id)
      return again ?? null
    },
    /** Called after a user was created or changed. */
    learn(user: Raw<'user'>): void {
      known?.set(user.id, { ...known.get(user.id), ...user })
      strangers.delete(user.id)
    },
  }
}
