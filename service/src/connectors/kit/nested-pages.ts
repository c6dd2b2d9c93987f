import type { Page } from '../contract/contract.ts'
import type { Walk } from './pages.ts'
import { sideBySide } from './side-by-side.ts'

/**
 * Walks the lists of several parents, one after the other. `cursor` holds the index of the current parent and the
 * position in its list.
 */
export async function inTurn<P, T>(
  parents: readonly P[],
  cursor: string | null,
  size: number,
  walk: (parent: P) => Walk<T>,
): Promise<Page<T>> {
  const [turn, after] = cursor === null ? [0, null] : (JSON.parse(cursor) as [number, string | null])
  const parent = parents[turn]
  if (parent === undefined) return { items: [], next: null }
  const { items, next } = await walk(parent)(after, size)
  if (next !== null) return { items, next: JSON.stringify([turn, next]) }
  return { items, next: turn + 1 < parents.length ? JSON.stringify([turn + 1, null]) : null }
}

/** A part of one list. `last` is the place of its last item if the list goes on. */
export interface Part<T> {
  items: T[]
  last?: string | number | undefined
}

/**
 * Walks the lists of parents that are known beforehand, in the order of their ids, until a page is full. The position
 * is `parent:place`: the first parent to read and the place of the last returned item in its list.
 */
export async function inOrder<P extends { id: number }, T>(
  parents: readonly P[],
  cursor: string | null,
  size: number,
  read: (parent: P, place: string) => Promise<Part<T>>,
): Promise<Page<T>> {
  const [, firstId = 0, place = ''] = /^(\d+):(.*)$/s.exec(cursor ?? '') ?? []
  const items: T[] = []
  for (const parent of parents.filter(({ id }) => id >= Number(firstId))) {
    if (items.length >= size) return { items, next: `${parent.id}:` }
    const part = await read(parent, parent.id === Number(firstId) ? place : '')
    items.push(...part.items)
    if (part.last !== undefined) return { items, next: `${parent.id}:${part.last}` }
  }
  return { items, next: null }
}

/** Walks several lists, one after the other. The position is the name of a list, `joint`, and the place in the list. */
export async function inSteps<N extends string, P extends { next: string | null }>(
  names: readonly [N, ...N[]],
  joint: string,
  cursor: string | null,
  read: (name: N, place: string | null) => Promise<P>,
): Promise<P> {
  const end = cursor?.indexOf(joint) ?? -1
  const name = names.find((one) => one === cursor?.slice(0, end)) ?? names[0]
  const page = await read(name, cursor?.slice(end + joint.length) || null)
  const following = names[names.indexOf(name) + 1]
  const next = page.next === null ? following && `${following}${joint}` : `${name}${joint}${page.next}`
  return { ...page, next: next ?? null }
}

interface Place {
  /** Parents of the last page whose lists are not read yet. */
  ids: string[]
  /** Position of the next page of parents. */
  after: string | null
  isLastPage: boolean
  /** Position within the list of the first parent in `ids`. */
  inner: string | null
}

const start: Place = { ids: [], after: null, isLastPage: false, inner: null }

/**
 * Walks a list that a tool has only per parent, such as the messages of a ticket. It walks the parents, and the list of
 * each. The position holds the remaining parents of a page, so no page of parents is read twice. A page ends after
 * `size` records, or after `mostParents` parents, because each parent costs a request. With `atOnce`, several parents'
 * lists are requested in parallel.
 */
export const underParents =
  <T>(parents: Walk<string>, children: (parentId: string) => Walk<T>, mostParents = 20, atOnce = 1): Walk<T> =>
  async (cursor, size) => {
    let place: Place = cursor === null ? start : (JSON.parse(cursor) as Place)
    const items: T[] = []
    for (let asked = 0; asked < mostParents && items.length < size; ) {
      while (place.ids.length === 0 && !place.isLastPage) {
        const page = await parents(place.after, size)
        place = { ids: page.items, after: page.next, isLastPage: page.next === null, inner: null }
      }
      const { inner } = place
      const some = place.ids.slice(0, Math.min(atOnce, mostParents - asked))
      if (some.length === 0) break
      asked += some.length
      const pages = await sideBySide([...some.entries()], atOnce, ([index, id]) =>
        children(id)(index === 0 ? inner : null, size),
      )
      for (const page of pages) {
        items.push(...page.items)
        place = page.next === null ? { ...place, ids: place.ids.slice(1), inner: null } : { ...place, inner: page.next }
        // This list has more pages, so the lists of the later parents must wait.
        if (page.next !== null) break
      }
    }
    const isEnd = place.ids.length === 0 && place.isLastPage
    return { items, next: isEnd ? null : JSON.stringify(place) }
  }
