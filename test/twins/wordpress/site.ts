import { answer, refuse, type TwinAnswer, type TwinRequest } from '../answers.ts'
import type { Clock } from '../clock.ts'
import { numberOf, offsetPage } from '../pages.ts'
import { createStore } from '../store.ts'

export interface Writing {
  id: string
  type: 'post' | 'page' | 'attachment'
  /** Seconds in UTC, as the API writes them: `2016-02-29T12:34:56`. */
  date: string
  modified: string
  slug: string
  status: string
  password: string
  title: string
  content: string
  excerpt: string
  author: number
  featured_media: number
  comment_status: string
  ping_status: string
  sticky: boolean
  format: string
  tags: number[]
  categories: number[]
  parent: number
  menu_order: number
  revisions: number
  /** Set only for files. */
  file: { path: string; mime: string; bytes: Buffer; width: number; height: number; alt: string } | null
}

export interface Term {
  id: string
  taxonomy: 'post_tag' | 'category'
  name: string
  slug: string
  description: string
  parent: number
}

export interface Comment {
  id: string
  post: number
  parent: number
  author: number
  author_name: string
  author_email: string
  author_url: string
  author_ip: string
  author_user_agent: string
  date: string
  content: string
  status: string
  type: string
}

export interface User {
  id: string
  username: string
  name: string
  email: string
  roles: string[]
}

/** A site's records. Texts and files share one sequence of ids, tags and categories another. */
export function createSite(clock: Clock) {
  return {
    clock,
    writings: createStore<Writing>(clock),
    terms: createStore<Term>(clock),
    comments: createStore<Comment>(clock),
    users: createStore<User>(clock),
    /** Mails that the site has sent to people. */
    mails: [] as string[],
    origin: '',
  }
}

export type Site = ReturnType<typeof createSite>

/** The id of the signed-in administrator. */
export const adminId = 1

export const secondOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19)

/** The same time in the site's zone, which is an hour ahead. */
export const localOf = (gmt: string): string => secondOf(Date.parse(`${gmt}Z`) + 3_600_000)

/** The answer for a record that was deleted permanently. */
export const gone = ({ _links, ...previous }: Record<string, unknown>) => ({ deleted: true, previous })

export function wpError(status: number, code: string, message: string, data: object = {}): never {
  return refuse(status, { code, message, data: { status, ...data } })
}

/** Returns only the requested fields. */
const pick = (json: Record<string, unknown>, fields: string | null): Record<string, unknown> => {
  if (fields === null) return json
  const wanted = new Set(fields.split(','))
  return Object.fromEntries(Object.entries(json).filter(([name]) => wanted.has(name)))
}

export function sendOne(request: TwinRequest, json: Record<string, unknown>, status = 200): TwinAnswer {
  const shown = pick(json, request.query.get('_fields'))
  return request.query.get('_envelope') === '1'
    ? answer(200, { body: shown, status, headers: {} })
    : answer(status, shown)
}

interface Listed<T> {
  idOf(item: T): number
  /** The default order, unless a request names ids. */
  compare?(a: T, b: T): number
  /** Set for terms and people, which are listed from the first on. Everything else is listed from the newest on. */
  order?: 'asc'
  /** True for trees of terms, which are read as a whole and ignore an offset. */
  ignoresOffset?: boolean
  present(item: T): Record<string, unknown>
}

export function sendList<T>(request: TwinRequest, items: readonly T[], listed: Listed<T>): TwinAnswer {
  const { query } = request
  const size = numberOf(query.get('per_page'), { otherwise: 10 })
  if (size < 1 || size > 100) wpError(400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
  const idsOf = (name: string) => query.get(name)?.split(',').map(Number)
  const [include, exclude] = [idsOf('include'), idsOf('exclude')]
  const wanted = items
    .filter((item) => include?.includes(listed.idOf(item)) ?? true)
    .filter((item) => !exclude?.includes(listed.idOf(item)))
  const byId = (a: T, b: T) => listed.idOf(a) - listed.idOf(b)
  const compare = query.get('orderby') === 'id' ? byId : (listed.compare ?? byId)
  const ascending = wanted.toSorted(compare)
  const isDown = (query.get('order') ?? listed.order ?? 'desc') === 'desc'
  const ordered = isDown ? ascending.toReversed() : ascending
  const page = numberOf(query.get('page'), { otherwise: 1 })
  const start = query.has('offset') && !listed.ignoresOffset ? Number(query.get('offset')) : (page - 1) * size
  const pages = Math.ceil(ordered.length / size)
  if (page > pages && page > 1)
    wpError(400, 'rest_post_invalid_page_number', 'The page number is larger than there are.')
  const json = offsetPage(ordered, start, size).map((item) => pick(listed.present(item), query.get('_fields')))
  const totals = { 'X-WP-Total': ordered.length, 'X-WP-TotalPages': pages }
  if (query.get('_envelope') === '1') return answer(200, { body: json, status: 200, headers: totals })
  return answer(200, json, { 'x-wp-total': String(ordered.length), 'x-wp-totalpages': String(pages) })
}

export const isForced = ({ query, json }: TwinRequest): boolean =>
  ['true', '1'].includes(query.get('force') ?? '') || json?.force === true
