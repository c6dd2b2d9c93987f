import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, RetryableError, UnreadableAnswerError } from '../../../errors.ts'
import { type LimitBucket, readLimitHeaders } from '../../../outbound/limits.ts'
import type { Account, AccountAccess } from '../../contract/contract.ts'
import { bearer, type HttpRules, openHttp, type Query, type Sent } from '../../kit/http.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { byCursor, readAll, type Walk } from '../../kit/pages.ts'
import { hasId, recordsIn } from '../../kit/records-in.ts'
import { type Next, walkPages } from './walk-pages.ts'

export const label = 'Intercom'
const { accepted: acceptedOne, present } = refusalsOf(label, [404, 410])

export { present }

/**
 * Returns the JSON of a successful answer. An account without a subscription refuses every record, so the run waits
 * instead. What the plan lacks from the start is not offered as a destination.
 */
export function accepted(sent: Sent): unknown {
  if (sent.result === 'refused' && sent.status === 403) {
    const words = `${label} no longer lets us in (${sent.message}). Please connect it again.`
    throw new ObstacleError('authorization_lost', 'customer', words)
  }
  return acceptedOne(sent)
}

/** The maximum page size of lists and searches. */
export const largestPage = 150
/** Requests that run in parallel. Intercom's answers state the limit per ten seconds, usually 1,666. */
export const requestsAtOnce = 12

/**
 * The API's address and the site's address. The region is part of the site's address, such as `app.eu.intercom.com`.
 * Any other address is for tests and proxies.
 */
export function placesOf({ instanceUrl, oauth }: AccountAccess): { api: string; site: string } {
  const given = (oauth?.region ?? instanceUrl ?? '').trim().toLowerCase()
  const isRegion = /^(us|eu|au)$/.test(given)
  const host = isRegion ? null : (URL.parse(given) ?? URL.parse(`https://${given}`))?.host
  const [, named] = /^(?:app|api)(?:\.(eu|au))?\.intercom\.(?:com|io)$/.exec(host ?? '') ?? []
  if (host && !/^(?:app|api)(?:\.(?:eu|au))?\.intercom\.(?:com|io)$/.test(host)) {
    const other = String(instanceUrl).trim().replace(/\/+$/, '')
    return { api: other, site: other }
  }
  const region = isRegion ? given : (named ?? 'us')
  const part = region === 'us' ? '' : `.${region}`
  return { api: `https://api${part}.intercom.io`, site: `https://app${part}.intercom.com` }
}

const errors = Type.Object({ errors: Type.Array(Type.Object({ code: Type.String() }), { minItems: 1 }) })

/** Whether the plan lacks a feature, such as tickets. Any other 403 means that we lost access. */
const isOfPlan = (json: unknown) =>
  Check(errors, json) && json.errors.some(({ code }) => code === 'api_plan_restricted')

const rules: HttpRules = {
  label,
  base: (access) => placesOf(access).api,
  signIn: (access) => ({ ...bearer(access), 'intercom-version': '2.16' }),
  answers: {
    ...{ 400: 'refused', 404: 'refused', 409: 'refused', 410: 'refused', 413: 'refused', 422: 'refused', 429: 'wait' },
    403: ({ json }) => (isOfPlan(json) ? 'refused' : 'usual'),
  },
  // Intercom names the moment in seconds since 1970.
  waitOf: ({ headers }) => {
    const seconds = Math.ceil(Number(headers['x-ratelimit-reset']) - Date.now() / 1000)
    return seconds > 0 ? String(seconds) : undefined
  },
  reason: (json) => {
    const [first] = Check(errors, json) ? (json.errors as Record<string, unknown>[]) : []
    return { code: first?.code, message: first?.message }
  },
}

export interface Filter {
  field: string
  operator: '=' | '>' | 'IN'
  value: string | number | readonly string[]
}

export type IntercomApi = ReturnType<typeof createIntercomApi>

export function createIntercomApi(account: Account) {
  const http = openHttp(account, rules)
  const itemsOf = (json: unknown, name: string): RawRecord[] => {
    const items = typeof json === 'object' && json !== null ? valueAt(json as Record<string, unknown>, name) : undefined
    return recordsIn(label, items).map(withTimes)
  }
  /** Null if the status is in `missing`, for example because the plan does not include this list. */
  const look = async (path: string, missing: readonly number[], query: Query) => {
    const { status, json } = await http.look(path, missing, query)
    if (status === 403 && !isOfPlan(json)) http.settle({ status, json })
    return missing.includes(status) ? null : json
  }
  /** The answer to a search. A search is a POST request that changes nothing, so a refusal can be retried. */
  const done = (sent: Sent) => {
    if (sent.result === 'done') return sent.json
    throw new RetryableError(`${label} answered ${sent.status} ${sent.code}`)
  }

  /** Reads a list. A status in `missing` counts as an empty list, for lists that the plan does not include. */
  const list = (path: string, name: string, query: Query = {}, missing: readonly number[] = []): Walk<RawRecord> =>
    walkPages(async (asked) => {
      const json = await look(path, missing, { ...query, ...asked })
      return json === null ? { items: [], next: null } : { items: itemsOf(json, name), next: nextOf(json) }
    })
  const search = (name: string, query: object, missing: readonly number[] = []): Walk<RawRecord> =>
    byCursor(
      async ({ size, after }) => {
        const where = after === null ? {} : (JSON.parse(String(after)) as Query)
        const sent = await http.send('POST', `/${name}/search`, {
          json: { query, pagination: { per_page: size, ...where } },
        })
        if (sent.result === 'refused' && missing.includes(sent.status)) return { items: [], next: null }
        const json = done(sent)
        const items = itemsOf(json, name === 'contacts' ? 'data' : name)
        const next = nextOf(json)
        return { items, next: next && JSON.stringify(next) }
      },
      { size: 'size', after: 'after' },
    )

  return {
    http,
    ...placesOf(account.access),
    itemsOf,
    look,
    list,
    search,
    all: (path: string, name: string, query: Query = {}, missing: readonly number[] = []) =>
      readAll(list(path, name, query, missing), largestPage),
    /** Reads a list that has no pages. Standard attributes have no id. */
    short: async (path: string, name: string, query: Query = {}, missing: readonly number[] = []) => {
      const json = await look(path, missing, query)
      if (json === null) return []
      const given = (json as Record<string, unknown> | null)?.[name]
      const items = Array.isArray(given) ? given.filter((one) => one !== null) : given
      if (Check(Type.Array(Type.Object({})), items)) return items as Record<string, unknown>[]
      throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
    },
    /** Reads one record. Null if the record does not exist, or was merged into another one. */
    async find(path: string): Promise<RawRecord | null> {
      const { status, json } = await http.look(path, [404, 410])
      return status === 404 || status === 410 ? null : oneOf(json)
    },
    one: oneOf,
  }
}

function oneOf(json: unknown): RawRecord {
  if (!Check(hasId, json)) throw new UnreadableAnswerError(`${label} answered with no record`)
  return withTimes(json as RawRecord)
}

/** Some answers have times as texts. */
function withTimes(raw: RawRecord): RawRecord {
  const texts = ['created_at', 'updated_at'].filter((name) => /^\d{1,12}$/.test(String(raw[name])))
  return { ...raw, ...Object.fromEntries(texts.map((name) => [name, Number(raw[name])])) }
}

/**
 * The next page. Depending on the list, Intercom names it by cursor, by address, or only by page number. Null in its
 * place is the end of the list.
 */
function nextOf(json: unknown): Next {
  const pages = (json as { pages?: Record<string, unknown> | null }).pages ?? {}
  const { next, page, total_pages: total } = pages
  if (next === null) return null
  const named = typeof next === 'string' ? [...new URL(next, 'https://api.intercom.io').searchParams] : next
  const place = (Array.isArray(named) ? Object.fromEntries(named) : (named ?? {})) as Record<string, unknown>
  const { starting_after: after, page: number } = place
  if ((typeof after === 'string' && after !== '') || typeof after === 'number') return { starting_after: after }
  if (Number.isInteger(page) && Number(page) < Number(total)) return { page: Number(page) + 1 }
  // A page behind the last one is not named by every list.
  if (next === undefined || Number(page) >= Number(total)) return null
  if (/^[1-9]\d*$/.test(String(number ?? ''))) return { page: Number(number) }
  throw new UnreadableAnswerError(`a list of ${label} has more and does not say where`)
}

const scrolled = Type.Object({ data: Type.Array(Type.Unknown()), scroll_param: Type.Optional(Type.Unknown()) })
const scrollStarts = 4

/**
 * Reads all companies. Only a scroll returns all of them. A workspace can have one scroll at a time, and each request
 * advances it, so a lost page cannot be read again. Therefore one call reads the whole scroll. If Intercom ends the
 * scroll early, the read starts again. If another client has a scroll open, we retry later.
 */
export async function scrollCompanies({ http, itemsOf }: IntercomApi): Promise<RawRecord[]> {
  for (let starts = 1; ; starts += 1) {
    const found = new Map<unknown, RawRecord>()
    let place: string | undefined
    for (;;) {
      const { status, json } = await http.look('/companies/scroll', [400, 403, 404, 500], { scroll_param: place })
      if (status === 403) {
        if (isOfPlan(json)) return []
        http.settle({ status, json })
      }
      if (status !== 200) {
        // A scroll ends one minute after its last request.
        if (place === undefined) throw new RetryableError(`${label} has another scroll open`, { retryAfterMs: 61_000 })
        break
      }
      if (!Check(scrolled, json)) throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
      if (json.data.length === 0) return [...found.values()].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
      const before = found.size
      for (const raw of itemsOf(json, 'data')) found.set(raw.id, raw)
      if (found.size === before) throw new UnreadableAnswerError(`a list of ${label} repeats itself`)
      if (typeof json.scroll_param !== 'string') {
        throw new UnreadableAnswerError(`a list of ${label} has more and does not say where`)
      }
      place = json.scroll_param
    }
    if (starts >= scrollStarts) throw new RetryableError(`${label} keeps breaking off its list of companies`)
  }
}

/**
 * https://developers.intercom.com/docs/references/rest-api/errors/rate-limiting. Intercom splits the limit per minute
 * into windows of ten seconds.
 */
export const limits: readonly LimitBucket[] = [
  { name: 'app', perMs: 60_000, limit: 10_000 },
  {
    name: 'window',
    perMs: 10_000,
    limit: null,
    learn: readLimitHeaders({
      limit: 'x-ratelimit-limit',
      remaining: 'x-ratelimit-remaining',
      reset: 'x-ratelimit-reset',
      resetForm: 'unix',
    }),
  },
]
