export interface ImportWatch<T> {
  /** Calls back now and after every change; with null once the import has ended. Returns the function that stops it. */
  follow(importId: string, onChange: (loaded: T | null) => void): () => void
}

interface Followed<T> {
  followers: Set<(loaded: T | null) => void>
  /** The state that the followers saw last, as JSON, without the moment at which it was read. */
  seen: string | null
  last: T | null
}

/**
 * Loads each import that somebody has open, once for all who have it open. A load that fails is repeated, and followers
 * keep the last state.
 */
export function createImportWatch<T>(load: (importId: string) => Promise<T | null>, everyMs: number): ImportWatch<T> {
  const all = new Map<string, Followed<T>>()

  const look = async (importId: string, followed: Followed<T>): Promise<void> => {
    try {
      const loaded = await load(importId)
      const seen = JSON.stringify(loaded, (name, value) => (name === 'read_at' ? undefined : value))
      if (seen !== followed.seen) {
        followed.seen = seen
        followed.last = loaded
        for (const tell of followed.followers) tell(loaded)
      }
    } catch {
      // The database may be unavailable for a moment.
    }
    if (all.get(importId) === followed) setTimeout(() => void look(importId, followed), everyMs).unref()
  }

  return {
    follow(importId, onChange) {
      const known = all.get(importId)
      const followed = known ?? { followers: new Set(), seen: null, last: null }
      followed.followers.add(onChange)
      if (!known) {
        all.set(importId, followed)
        void look(importId, followed)
      } else if (followed.seen !== null) {
        onChange(followed.last)
      }
      return () => {
        followed.followers.delete(onChange)
        if (followed.followers.size === 0 && all.get(importId) === followed) all.delete(importId)
      }
    },
  }
}
