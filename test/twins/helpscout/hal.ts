import { answer, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { numberedPage, numberOf } from '../pages.ts'

/** One record, or a page of records, as `application/hal+json`. */
export const hal = (json: unknown): TwinAnswer => answer(200, json, { 'content-type': 'application/hal+json' })

/** A page of a list by number. An empty list has no `_embedded`. */
export function halPage<T>(
  { url, query, origin }: TwinRequest,
  name: string,
  items: readonly T[],
  size: number,
  present: (item: T) => unknown,
): TwinAnswer {
  const number = Math.max(1, numberOf(query.get('page'), { otherwise: 1 }))
  const { items: page, next } = numberedPage(items, { page: number, size })
  const last = Math.max(1, Math.ceil(items.length / size))
  const at = (wanted: number) => {
    const address = new URL(url.pathname + url.search, origin)
    address.searchParams.set('page', String(wanted))
    return { href: String(address) }
  }
  return hal({
    ...(page.length > 0 && { _embedded: { [name]: page.map(present) } }),
    _links: {
      self: at(number),
      ...(next !== null && { next: at(next) }),
      ...(number > 1 && { previous: at(number - 1) }),
      first: at(1),
      last: at(last),
      page: { href: `${origin}${url.pathname}{?page}`, templated: true },
    },
    page: { size, totalElements: items.length, totalPages: Math.ceil(items.length / size), number },
  })
}

/** The answer for a new record: its id is in a header, and the body is empty. */
export const created = ({ origin }: TwinRequest, path: string, id: number | string): TwinAnswer => ({
  status: 201,
  headers: { 'resource-id': String(id), location: `${origin}${path}/${id}` },
})

export const done: TwinAnswer = { status: 204 }
