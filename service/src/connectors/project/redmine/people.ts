import type { RedmineApi } from './api.ts'
import type { Raw } from './schema.ts'

/** The list does not tell the status; so it is asked for by status: active, registered, locked. */
export const statuses = [1, 2, 3]
export const locked = 3
/** Somebody who is not in the list may have been added since it was read this long ago. */
const staleMs = 30_000

type Users = Map<number, Raw<'user'>>

/**
 * Everyone, from the list: asked for one person alone, Redmine gives that person an API key, which nobody could take away
 * again. Groups, the anonymous user and deleted users are not in it.
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
    /** Somebody was added or changed. */
    learn(user: Raw<'user'>): void {
      known?.set(user.id, { ...known.get(user.id), ...user })
      strangers.delete(user.id)
    },
  }
}
