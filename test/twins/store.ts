import type { Clock } from './clock.ts'

export interface Kept {
  id: string
}

/** A record's state and its time; null after the removal. */
interface State<T> {
  at: number
  value: T | null
}

/**
 * Records of one kind. `list` and `get` read the current state. `search` reads the index of `lagMs` ago, so it misses a
 * new record and still finds a removed one.
 */
export function createStore<T extends Kept>(clock: Clock, { lagMs = 0 }: { lagMs?: number } = {}) {
  const now = new Map<string, T>()
  const trash = new Map<string, T>()
  const states = new Map<string, State<T>[]>()
  let lastId = 0

  const note = (id: string, value: T | null): void => {
    const known = states.get(id) ?? []
    const isIndexed = ({ at }: State<T>) => at <= clock.now() - lagMs
    // Keeps only the newest indexed state and the states that are not indexed yet.
    const from = Math.max(0, known.findLastIndex(isIndexed))
    states.set(id, [...known.slice(from), { at: clock.now(), value }])
  }
  const put = (record: T): T => {
    now.set(record.id, record)
    note(record.id, structuredClone(record))
    return record
  }
  return {
    /** An id that no record has had, a number as in most tools. */
    nextId: () => String(++lastId),
    put,
    get: (id: string): T | undefined => now.get(id),
    /** All records, oldest first. */
    list: (isWanted: (record: T) => boolean = () => true): T[] => [...now.values()].filter(isWanted),
    size: () => now.size,
    change(id: string, changes: Partial<T>): T | undefined {
      const known = now.get(id)
      return known && put({ ...known, ...changes, id })
    },
    /** Removes a record; with `isKept` it can be restored from the trash. */
    remove(id: string, { isKept = false } = {}): boolean {
      const known = now.get(id)
      if (known && isKept) trash.set(id, known)
      if (known) note(id, null)
      return now.delete(id) || (!isKept && trash.delete(id))
    },
    trashed: (id: string): T | undefined => trash.get(id),
    restore(id: string): T | undefined {
      const known = trash.get(id)
      trash.delete(id)
      return known && put(known)
    },
    /** Searches the content of the index. */
    search(isWanted: (record: T) => boolean): T[] {
      return [...states.values()].flatMap((known) => {
        const value = known.findLast(({ at }) => at <= clock.now() - lagMs)?.value
        return value && isWanted(value) ? [value] : []
      })
    },
  }
}

export type Store<T extends Kept> = ReturnType<typeof createStore<T>>
