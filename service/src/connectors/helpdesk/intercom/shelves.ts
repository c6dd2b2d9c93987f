import type { IntercomApi } from './api.ts'
import { idOf, lacking } from './look-around.ts'

export type Shelves = ReturnType<typeof openShelves>

/** The place of an article. Intercom names its collection together with those above it, in an order of its own. */
export function openShelves(api: IntercomApi) {
  /** The collection above each. */
  let known = new Map<string, string | null>()
  const above = (id: string): string[] => {
    const found: string[] = []
    for (let at = known.get(id); at && !found.includes(at); at = known.get(at)) found.push(at)
    return found
  }
  return {
    /** The innermost collection, and the number of further places. */
    async placeOf(parentIds: unknown): Promise<{ innermost: string | null; others: number }> {
      const parents = Array.isArray(parentIds) ? parentIds.flatMap((id) => idOf(id) ?? []) : []
      if (parents.length > 1 && parents.some((id) => !known.has(id))) {
        const all = await api.all('/help_center/collections', 'data', {}, lacking)
        known = new Map(all.map(({ id, parent_id: parent }) => [String(id), idOf(parent)]))
      }
      const inside = parents.filter((id) => !parents.some((other) => above(other).includes(id)))
      const others = inside.slice(1).filter((id) => known.has(id)).length
      return { innermost: inside[0] ?? null, others }
    },
    /** Collections may move when one is written. */
    forget() {
      known = new Map()
    },
  }
}
