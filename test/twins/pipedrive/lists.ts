import type { TwinAnswer, TwinRequest } from '../answers.ts'
import type { OperationShape } from '../check-request.ts'
import type { Operation } from '../tool-twin.ts'
import { type Body, idsOf, invalid, ok, refused, type Thing } from './account.ts'

/** An operation with its cost in daily tokens. */
export interface Priced extends Operation {
  tokens: number
}

type Shape = Pick<OperationShape, 'query' | 'json' | 'form' | 'repeats'>

export const operation = (
  tokens: number,
  method: Operation['method'],
  path: string,
  act: Operation['act'],
  shape: Shape = {},
): Priced => ({ tokens, method, path, act, ...shape })

export const v1 = '/api/v1'
export const v2 = '/api/v2'

export const number = /\d+/
export const yesNo = /true|false/
export const paging = { limit: number, cursor: true } as const
export const sorting = (...names: string[]) => ({ sort_by: new RegExp(names.join('|')), sort_direction: /asc|desc/ })
export const offset = { start: number, limit: number } as const

const maxSize = 500

interface Cursor {
  field: string
  fieldValue: string | number
  sortDirection: string
  id: string | number
}

function openCursor(text: string): Cursor {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor
  } catch {
    return invalid("cursor: Parameter 'cursor' is not valid")
  }
}

export function sizeOf(query: URLSearchParams, most = maxSize): number {
  const size = Number(query.get('limit') ?? 100)
  return size >= 1 && size <= most ? size : invalid(`limit: Parameter 'limit' must be between 1 and ${most}`)
}

/**
 * A page of v2 in the order of one field. The cursor names the last record, so removed records do not shift the pages.
 */
export function pageOf(things: readonly Thing[], query: URLSearchParams): { things: Thing[]; next: string | null } {
  const size = sizeOf(query)
  const cursor = query.has('cursor') ? openCursor(query.get('cursor') ?? '') : null
  const field = query.get('sort_by') ?? cursor?.field ?? 'id'
  const sortDirection = query.get('sort_direction') ?? cursor?.sortDirection ?? 'asc'
  if (cursor && (cursor.field !== field || cursor.sortDirection !== sortDirection))
    invalid('cursor: it was made for another order')
  const sign = sortDirection === 'asc' ? 1 : -1
  const idOf = ({ id }: Thing) => (/^\d+$/.test(id) ? Number(id) : id)
  const keyOf = (thing: Thing): string | number =>
    field === 'id' ? idOf(thing) : ((thing.body[field] ?? '') as string)
  const order = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)
  type Key = readonly [string | number, string | number]
  const compare = (a: Key, b: Key) => sign * (order(a[0], b[0]) || order(a[1], b[1]))
  const placed = things
    .map((thing) => ({ thing, key: [keyOf(thing), idOf(thing)] as const }))
    .toSorted((a, b) => compare(a.key, b.key))
    .filter(({ key }) => !cursor || compare(key, [cursor.fieldValue, cursor.id]) > 0)
  const page = placed.slice(0, size)
  const last = page.at(-1)
  const sealed = last && { field, fieldValue: last.key[0], sortDirection, id: last.key[1] }
  const next = placed.length > size ? Buffer.from(JSON.stringify(sealed)).toString('base64url') : null
  return { things: page.map(({ thing }) => thing), next }
}

export function list(things: readonly Thing[], { query }: TwinRequest, present: (thing: Thing) => unknown): TwinAnswer {
  const page = pageOf(things, query)
  return ok(page.things.map(present), { next_cursor: page.next })
}

/** A time in a query. Fractions of a second are refused. */
export function momentOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? invalid(`${name}: Parameter '${name}' is not a valid datetime`) : at
}

/** The requested records: by ids, by fields of the same name, and by the time of change. */
export function sift(things: readonly Thing[], query: URLSearchParams, names: readonly string[] = []): Thing[] {
  const ids = query.has('ids') ? idsOf(query.get('ids') ?? '') : null
  if (ids && ids.length > 100) invalid('ids: at most 100 ids are allowed')
  const [since, until] = [momentOf(query, 'updated_since'), momentOf(query, 'updated_until')]
  const asked = names.flatMap((name) => (query.has(name) ? [[name, query.get(name)] as const] : []))
  return things.filter(({ id, body }) => {
    const at = Date.parse(body.update_time as string)
    return (
      (!ids || ids.includes(id)) &&
      (since === null || at >= since) &&
      (until === null || at < until) &&
      asked.every(([name, value]) => String(body[name]) === value)
    )
  })
}

/** A page of v1 by offset; an empty page is null. The newest record comes first by default. */
export function offsetList(
  things: readonly Thing[],
  { query }: TwinRequest,
  present: (thing: Thing) => unknown,
  most = maxSize,
): TwinAnswer {
  const start = Number(query.get('start') ?? 0)
  const limit = Math.min(Number(query.get('limit') ?? 100), most)
  const [name = 'id', direction = 'ASC'] = (query.get('sort') ?? 'id DESC').split(' ')
  const sign = direction.toUpperCase() === 'DESC' ? -1 : 1
  const keyOf = ({ id, body }: Thing) => (name === 'id' ? Number(id) : (body[name] as string | number | null))
  const ordered = things.toSorted((a, b) => {
    const [one, other] = [keyOf(a) ?? '', keyOf(b) ?? '']
    return sign * (one < other ? -1 : one > other ? 1 : 0)
  })
  const page = ordered.slice(start, start + limit)
  const hasMore = start + limit < things.length
  const pagination = {
    start,
    limit,
    more_items_in_collection: hasMore,
    ...(hasMore && { next_start: start + limit }),
  }
  return ok(page.length === 0 ? null : page.map(present), { pagination })
}

/** Every reference in a body must point to an existing record. */
export function checkRefs(body: Body, refs: Readonly<Record<string, (id: unknown) => boolean>>): void {
  for (const [name, exists] of Object.entries(refs)) {
    const id = body[name]
    if (id !== undefined && id !== null && !exists(id)) refused(400, `${name}: ${String(id)} does not exist`)
  }
}
