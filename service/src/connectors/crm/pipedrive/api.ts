import Type, { type Static } from 'typebox'
import { ObstacleError, RetryableError } from '../../../errors.ts'
import {
  type CountedAnswer,
  type CountedRequest,
  type LimitBucket,
  readLimitHeaders,
} from '../../../outbound/limits.ts'
import type { Account, AccountAccess } from '../../contract/contract.ts'
import { uncounted } from '../../kit/count-skipped.ts'
import { cursorList } from '../../kit/cursor-list.ts'
import { chunksOf } from '../../kit/find.ts'
import { fitting } from '../../kit/has-shape.ts'
import { bearer, checkShape, keyHeader, openHttp, type Query, type Sent } from '../../kit/http.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { once, onceEach } from '../../kit/once.ts'
import { byOffset, readAll, type Walk } from '../../kit/pages.ts'
import { partLimit } from '../../kit/part-limit.ts'
import { recordsIn } from '../../kit/records-in.ts'
import { through } from '../../kit/shape-walks.ts'
import { activityTypeShape, currencyShape, type Field, fieldShape, meShape, optionShape, userShape } from './schema.ts'

export const label = 'Pipedrive'
/** The largest page of v2's lists, the largest page of files, and the most ids in one request. */
export const largestPage = 500
const filesPage = 100
export const idsAtOnce = 100

export const archived = '/api/v2/deals/archived'
export const soldProducts = '/api/v2/deals/products'
/** Statuses that mean an empty list. An account without an archive answers 415: the feature is not enabled. */
const missingAt = (path: string) => (path === archived ? [404, 415] : path === soldProducts ? uncounted : [])

/** Kinds of records that can have custom fields. */
export type Kind = 'organizations' | 'persons' | 'deals'
const fieldsPath: Record<Kind, string> = {
  organizations: '/api/v2/organizationFields',
  persons: '/api/v2/personFields',
  deals: '/api/v2/dealFields',
}

/**
 * The tokens that a request costs, as Pipedrive's specification says. A v1 request costs twice as much as a v2
 * request.
 */
export function costOf({ method, url: { pathname } }: CountedRequest): number {
  const [, version, path = ''] = /\/api\/(v[12])(\/.*)$/.exec(pathname) ?? []
  const times = version === 'v1' ? 2 : 1
  if (path.startsWith('/itemSearch') || path.endsWith('/archived')) return 20 * times
  if (method === 'DELETE') return 3 * times
  if (method !== 'GET' || path === '/pipelines' || path === '/stages') return 5 * times
  return (/^\/\w+\/(\d+|me)$/.test(path) ? 1 : 10) * times
}

const hourMs = 3_600_000
const readDay = readLimitHeaders({
  limit: 'x-daily-ratelimit-token-limit',
  remaining: 'x-daily-ratelimit-token-remaining',
})
/**
 * The daily budget is renewed at the server's midnight, and its time zone is unknown. After midnight UTC we try every
 * hour.
 */
function learnDay(answer: CountedAnswer) {
  const told = readDay(answer)
  const isMorning = new Date().getUTCHours() < 12
  const untilMidnight = 24 * hourMs - (Date.now() % (24 * hourMs))
  return told && { ...told, resetMs: told.remaining === 0 && isMorning ? hourMs : untilMidnight }
}

/** Searches have a limit of their own, reported in the same headers. */
const isSearch = ({ url }: CountedRequest) => url.pathname.includes('/itemSearch')
const readBurst = readLimitHeaders({
  limit: 'x-ratelimit-limit',
  remaining: 'x-ratelimit-remaining',
  reset: 'x-ratelimit-reset',
})

export const limits: readonly LimitBucket[] = [
  // The limit depends on the plan and the seats, so only answers tell it.
  { name: 'day', perMs: 24 * hourMs, limit: null, isAligned: true, cost: costOf, learn: learnDay },
  // The limit of the smallest plan.
  partLimit('burst', (request) => !isSearch(request), { perMs: 2_000, limit: 20, learn: readBurst }),
  partLimit('search', isSearch, { perMs: 2_000, limit: 10, learn: readBurst }),
]

/** For requests that concern no single record of the customer: a refusal makes the job retry. */
export function requireDone(sent: Sent): Extract<Sent, { result: 'done' }> {
  if (sent.result === 'done') return sent
  throw new RetryableError(`Pipedrive answered ${sent.status} ${sent.code}`)
}
export const dataIn = (json: unknown): unknown => (json as { data?: unknown } | null)?.data
/** The created or changed record, with its id. */
export function recordIn(json: unknown): RawRecord {
  const data = dataIn(json)
  if (typeof (data as { id?: unknown } | null)?.id === 'number') return data as RawRecord
  throw new RetryableError('Pipedrive answered without an id')
}
/** Pipedrive keeps deleted records for 30 days and still includes them in some answers. */
export const isThere = ({ is_deleted, active_flag }: RawRecord) => is_deleted !== true && active_flag !== false
const onlyThere = (walk: Walk<RawRecord>) => through(walk, (page) => page.filter(isThere))
const isActive = ({ active_flag: isUsed }: { active_flag?: boolean | null }) => isUsed !== false

const withNumber = Type.Object({ id: Type.Integer({ minimum: 1 }) })
const otherPage = Type.Object({ data: Type.Union([Type.Array(Type.Unknown()), Type.Null()]) })
/** The specification has these words directly in `additional_data` for files of one record, the examples in `pagination`. */
export const isMoreIn = (json: unknown) =>
  ['additional_data.pagination', 'additional_data'].some(
    (at) => valueAt(json as Record<string, unknown>, `${at}.more_items_in_collection`) === true,
  )

export type PipedriveApi = ReturnType<typeof createPipedriveApi>

const ownHost = /^https:\/\/([a-z0-9-]+\.)+pipedrive\.com\/?$/i

/**
 * The address of an account's API. With OAuth, Pipedrive tells it, and the token is sent to no other host; tests and
 * operators' proxies set another.
 */
function baseOf({ instanceUrl, more }: AccountAccess): string {
  const address = instanceUrl ?? more?.api_domain ?? 'https://api.pipedrive.com'
  if (instanceUrl !== null || ownHost.test(address)) return address
  const message = 'The sign-in named an address that is not Pipedrive’s. Please sign in again.'
  throw new ObstacleError('address_wrong', 'customer', message)
}

export function createPipedriveApi(account: Account) {
  const http = openHttp(account, {
    label,
    base: baseOf,
    signIn: (access) => (access.oauth ? bearer(access) : keyHeader('x-api-token')(access)),
    answers: {
      400: 'refused',
      402: 'lost',
      // A 403 page from Cloudflare means that we were too fast. A 403 with a code means that the plan allows no more
      // records.
      403: ({ json }) => (json === null ? 'wait' : (json as { code?: unknown }).code ? 'refused' : 'lost'),
      404: 'refused',
      410: 'refused',
      413: 'refused',
      415: 'refused',
      422: 'refused',
      429: 'wait',
    },
    emptyAnswers: [],
    waitOf: ({ headers }) => headers['x-ratelimit-reset'],
    reason: (json) => {
      const { code, error, error_info } = json as Record<string, unknown>
      return { code, message: error ?? error_info }
    },
  })
  const list = cursorList(http, {
    items: 'data',
    next: 'additional_data.next_cursor',
    endsWithout: true,
    size: 'limit',
    after: 'cursor',
  })
  const get = async <S extends Type.TSchema>(path: string, shape: S): Promise<Static<S>> =>
    checkShape(label, shape, dataIn((await http.ask(path)).json), path)
  /** A setting of an unknown shape is skipped, so that the others can be read. */
  const getEach = async <S extends Type.TSchema>(path: string, shape: S): Promise<Static<S>[]> =>
    fitting(shape, await get(path, Type.Array(Type.Unknown())))

  /** Lists of v1 use offsets. An empty list has null instead of records. */
  const offsetList = (path: string, query: Query, missing: readonly number[] = []): Walk<RawRecord> => {
    const most = path.endsWith('/files') ? filesPage : largestPage
    const walk = byOffset<RawRecord>(
      async (start, limit) => {
        const { status, json } = await http.look(path, missing, { ...query, start, limit })
        if (missing.includes(status)) return { items: [], total: 0 }
        const items = recordsIn(label, checkShape(label, otherPage, json, path).data ?? [], withNumber)
        return { items: items.map(withMoments), total: start + (isMoreIn(json) ? limit + 1 : items.length) }
      },
      ({ id }) => Number(id),
    )
    return (cursor, size) => onlyThere(walk)(cursor, Math.min(size, most))
  }

  /** Reads one record; null when it no longer exists. */
  const one = async (path: string): Promise<RawRecord | null> => {
    const { status, json } = await http.look(path, [404, 410])
    if (status === 404 || status === 410) return null
    const raw = withMoments(recordIn(json))
    return isThere(raw) ? raw : null
  }
  const fieldsAt = (path: string, missing: readonly number[] = []): Promise<Field[]> => {
    return readAll(async (cursor) => {
      const { status, json } = await http.look(path, missing, { limit: largestPage, cursor })
      if (missing.includes(status)) return { items: [], next: null }
      const page = checkShape(label, fieldsPage, json, path)
      const items = fitting(fieldShape, page.data).map(({ options, ...field }) => ({
        ...field,
        ...(options && { options: fitting(optionShape, options) }),
      }))
      return { items, next: page.additional_data?.next_cursor ?? null }
    }, largestPage)
  }
  const fields = onceEach((kind: Kind) => fieldsAt(fieldsPath[kind]))

  return {
    http,
    one,
    me: once(() => get('/api/v1/users/me', meShape)),
    users: () => getEach('/api/v1/users', userShape),
    currencies: once(async () => (await getEach('/api/v1/currencies', currencyShape)).filter(isActive)),
    activityTypes: once(async () => (await getEach('/api/v1/activityTypes', activityTypeShape)).filter(isActive)),
    fields,
    /** Empty if the account may not see them: an app needs the right to administer for this list alone. */
    activityFields: once(() => fieldsAt('/api/v2/activityFields', uncounted)),
    fieldsPath: (kind: Kind) => fieldsPath[kind],
    forgetFields: fields.forget,
    /** Lists records by id, ascending or descending. */
    list: (path: string, query: Query = {}, direction: 'asc' | 'desc' = 'asc'): Walk<RawRecord> =>
      onlyThere(list(path, { ...query, sort_by: 'id', sort_direction: direction }, missingAt(path))),
    offsetList,
    /** Counts a list. Null if the account does not have it. */
    async countOf(path: string, size = largestPage): Promise<number | null> {
      let cursor: unknown
      for (let count = 0; ; ) {
        const where = path.startsWith('/api/v1/') ? { start: count } : { cursor: cursor as string | undefined }
        const { status, json } = await http.look(path, uncounted, { limit: size, ...where })
        if (status !== 200) return null
        const { data } = checkShape(label, otherPage, json, path)
        count += data?.length ?? 0
        cursor = valueAt(json as Record<string, unknown>, 'additional_data.next_cursor')
        if (!data?.length || (!isMoreIn(json) && typeof cursor !== 'string')) return count
      }
    },
    async byIds(path: string, ids: readonly string[], query: Query = {}): Promise<RawRecord[]> {
      const found: RawRecord[] = []
      for (const some of chunksOf([...new Set(ids)], idsAtOnce)) {
        const walk = list(path, { ...query, ids: some }, missingAt(path))
        found.push(...(await walk(null, idsAtOnce)).items.filter(isThere))
      }
      return found
    },
  }
}

const fieldsPage = Type.Object({
  data: Type.Array(Type.Unknown()),
  additional_data: Type.Optional(
    Type.Union([Type.Object({ next_cursor: Type.Optional(Type.Union([Type.String(), Type.Null()])) }), Type.Null()]),
  ),
})

/** v1 sends times in UTC without a zone. */
function withMoments(raw: RawRecord): RawRecord {
  const times = ['add_time', 'update_time'].flatMap((name) => {
    const text = raw[name]
    return typeof text === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)
      ? [[name, `${text.replace(' ', 'T')}Z`]]
      : []
  })
  return { ...raw, ...Object.fromEntries(times) }
}
