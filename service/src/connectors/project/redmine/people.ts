import type { RedmineApi } from './api.ts'
import { type Raw, take } from './schema.ts'

/** The list does not tell the status; so it is asked for by status: active, registered, locked. */
const statuses = [1, 2, 3]
/** Somebody who is not in the list may have been added since it was read this long ago. */
const staleMs = 30_000

/**
 * Everyone, from the list: asked for one person alone, Redmine gives that person an API key, which nobody could take away
 * again. Groups, the anonymous user and deleted users are not in it.
 */
export interface People {
  find(id: number): Promise<Raw<'user'> | null>
  /** Somebody was added or changed. */
  learn(user: Raw<'user'>): void
}

export function createPeople(api: RedmineApi): People {
  let known: Map<number, Raw<'user'>> | null = null
  let reading: Promise<Map<number, Raw<'user'>>> | null = null
  let readAt = 0
  const strangers = new Set<number>()

  const readAll = (): Promise<Map<number, Raw<'user'>>> => {
    reading ??= (async () => {
      const users = new Map<number, Raw<'user'>>()
      for (const status of statuses) {
        for (const given of await api.listAll('/users.json', 'users', { status, sort: 'created_on,login' })) {
          const user = take('user', given)
          users.set(user.id, { ...user, status })
        }
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
    async find(id) {
      const user = (known ?? (await readAll())).get(id)
      if (user || strangers.has(id)) return user ?? null
      const again = performance.now() - readAt > staleMs ? (await readAll()).get(id) : undefined
      if (!again) strangers.add(id)
      return again ?? null
    },
    learn(user) {
      known?.set(user.id, { ...known.get(user.id), ...user })
      strangers.delete(user.id)
    },
  }
}
