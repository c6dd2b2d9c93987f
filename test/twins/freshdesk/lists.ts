import { answer, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { linkNext, numberedPage, numberOf, type Wall } from '../pages.ts'
import type { Kept } from '../store.ts'
import { invalid } from './account.ts'

export const paging = { page: /\d{1,9}/, per_page: /\d{1,6}/ } as const

/** A page of a list as a bare array; the header `Link` names the next page if there is one. */
export function sendList<T>(
  request: TwinRequest,
  items: readonly T[],
  present: (item: T) => unknown,
  wall?: Wall,
): TwinAnswer {
  const { query, url } = request
  const size = numberOf(query.get('per_page'), { otherwise: 30 })
  const page = numberOf(query.get('page'), { otherwise: 1 })
  if (size < 1 || size > 100) invalid('per_page', 'It should be a Positive Integer less than or equal to 100')
  if (page < 1) invalid('page', 'It should be a Positive Integer')
  const { items: shown, next } = numberedPage(items, { page, size, ...(wall && { wall }) })
  return answer(200, shown.map(present), next === null ? {} : linkNext(url, { page: next }))
}

/** Lists of people and companies are in the order of their names, not of their ids. */
export const byName = <T extends Kept & { name: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => a.name.localeCompare(b.name, 'en') || Number(a.id) - Number(b.id))

export const changedSince =
  (request: TwinRequest, name: 'updated_since' | '_updated_since') =>
  ({ updated_at }: { updated_at: string }): boolean => {
    const since = request.query.get(name)
    if (since === null) return true
    const from = Date.parse(since)
    if (Number.isNaN(from)) invalid(name, 'It should be a/an DateTime in ISO8601 format')
    return Date.parse(updated_at) >= from
  }

export const made = (account: { origin: string }, path: string, id: string, json: unknown): TwinAnswer =>
  answer(201, json, { location: `${account.origin}/api/v2/${path}/${id}` })
