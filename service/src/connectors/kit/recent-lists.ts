import type { Walk } from './pages.ts'

interface Kept<T> {
  items: T[]
  characters: number
  at: number
}

/**
 * Keeps short lists for a while, because several entities may be read from one list: a ticket's messages are its
 * description, its comments and its files. Do not use it for lists with addresses that expire. A list is kept only if
 * one request returned all of it. The oldest lists are dropped when there are too many characters.
 */
export function recentLists<T>({
  lastsMs = 5 * 60_000,
  mostCharacters = 8_000_000,
  charactersOf,
  now = Date.now,
}: {
  lastsMs?: number
  mostCharacters?: number
  charactersOf(item: T): number
  now?: () => number
}): (key: string, list: Walk<T>) => Walk<T> {
  const kept = new Map<string, Kept<T>>()
  let characters = 0
  const drop = (key: string) => {
    characters -= kept.get(key)?.characters ?? 0
    kept.delete(key)
  }
  const keep = (key: string, items: T[]) => {
    drop(key)
    const size = items.reduce((sum, item) => sum + charactersOf(item), 0)
    if (size > mostCharacters) return
    kept.set(key, { items, characters: size, at: now() })
    characters += size
    for (const oldest of kept.keys()) {
      if (characters <= mostCharacters) break
      drop(oldest)
    }
  }
  return (key, list) => async (cursor, size) => {
    const known = cursor === null ? kept.get(key) : undefined
    if (known && now() - known.at < lastsMs && known.items.length <= size) return { items: known.items, next: null }
    const page = await list(cursor, size)
    if (cursor === null && page.next === null) keep(key, page.items)
    return page
  }
}
