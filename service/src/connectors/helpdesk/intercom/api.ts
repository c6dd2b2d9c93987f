import Type from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError, UnreadableAnswerError } from '../../../errors.ts'
import { type LimitBucket, readLimitHeaders } from '../../../outbound/limits.ts'
import type { Account, AccountAccess } from '../../contract/contract.ts'
import { bearer, type HttpRules, openHttp, type Query, type Sent } from '../../kit/http.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { byCursor, readAll, type Walk } from '../../kit/pages.ts'

export const label = 'Intercom'
export const { accepted, present } = refusalsOf(label, [404, 410])
/** The most that lists and searches give. */
export const largestPage = 150
/** Parallel requests. The answers tell how many a window of ten seconds allows. */
export const requestsAtOnce = 6

/** The region stands in the address that people see, `app.eu.intercom.com`. Any other address is for tests and proxies. */
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

/** The plan of the workspace lacks something, such as tickets. Any other 403 is lost access. */
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
  reason: (json) => {
    const [first] = Check(errors, json) ? (json.errors as Record<string, unknown>[]) : []
    return { code: first?.code, message: first?.message }
  },
}

const records = Type.Array(
  Type.Object({ id: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })]) }),
)

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
    if (!Check(records, items)) throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
    return items as RawRecord[]
  }
  /** Asks for what may be missing: a plan may lack tickets or articles. */
  const look = async (path: string, missing: readonly number[], query: Query) => {
    const { status, json } = await http.look(path, missing, query)
    if (status === 403 && !isOfPlan(json)) http.settle({ status, json })
    return missing.includes(status) ? null : json
  }
  /** A request that only reads, though its parameters stand in a body. */
  const done = (sent: Sent) => {
    if (sent.result === 'done') return sent.json
    throw new RetryableError(`${label} answered ${sent.status} ${sent.code}`)
  }

  /** An answer with one of the statuses `missing` is an empty list: a plan without articles, or without tickets. */
  const list = (path: string, name: string, query: Query = {}, missing: readonly number[] = []): Walk<RawRecord> =>
    byCursor(
      async ({ after, ...asked }) => {
        const where = after === null ? {} : (JSON.parse(String(after)) as Query)
        const json = await look(path, missing, { ...query, ...asked, ...where })
        if (json === null) return { items: [], next: null }
        return { items: itemsOf(json, name), next: nextOf(json) }
      },
      { size: 'per_page', after: 'after' },
    )
  const search = (name: string, query: object, missing: readonly number[] = []): Walk<RawRecord> =>
    byCursor(
      async ({ size, after }) => {
        const where = after === null ? {} : (JSON.parse(String(after)) as Query)
        const sent = await http.send('POST', `/${name}/search`, {
          json: { query, pagination: { per_page: size, ...where } },
        })
        if (sent.result === 'refused' && missing.includes(sent.status)) return { items: [], next: null }
        const json = done(sent)
        return { items: itemsOf(json, name === 'contacts' ? 'data' : name), next: nextOf(json) }
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
    /** A list without pages. Attributes that Intercom has itself come without an id. */
    short: async (path: string, name: string, query: Query = {}, missing: readonly number[] = []) => {
      const json = await look(path, missing, query)
      if (json === null) return []
      const items = (json as Record<string, unknown> | null)?.[name]
      if (Check(Type.Array(Type.Object({})), items)) return items as Record<string, unknown>[]
      throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
    },
    /** One record; null when there is none of this id, or when it was merged into another. */
    async find(path: string): Promise<RawRecord | null> {
      const { status, json } = await http.look(path, [404, 410])
      return status === 404 || status === 410 ? null : oneOf(json)
    },
    one: oneOf,
  }
}

function oneOf(json: unknown): RawRecord {
  if (!Check(records.items, json)) throw new UnreadableAnswerError(`${label} answered with no record`)
  return json as RawRecord
}

/** The next page is named by a cursor, by an address, or only by its number, from list to list. */
function nextOf(json: unknown): string | null {
  const pages = (json as { pages?: Record<string, unknown> | null }).pages ?? {}
  const { next, page, total_pages: total } = pages
  if (typeof next === 'object' && next !== null) {
    const { starting_after: after } = next as { starting_after?: unknown }
    return typeof after === 'string' && after !== '' ? JSON.stringify({ starting_after: after }) : null
  }
  if (typeof next === 'string') {
    const given = [...new URL(next, 'https://api.intercom.io').searchParams]
    const where = given.filter(([name]) => name === 'page' || name === 'starting_after')
    return where.length > 0 ? JSON.stringify(Object.fromEntries(where)) : null
  }
  return next === undefined && Number.isInteger(page) && Number(page) < Number(total)
    ? JSON.stringify({ page: Number(page) + 1 })
    : null
}

const scrolled = Type.Object({ data: Type.Array(Type.Unknown()), scroll_param: Type.Optional(Type.Unknown()) })
const scrollStarts = 4

/**
 * Every company. Only a scroll has all of them, a workspace has one scroll at a time, and each request moves it on: a page
 * that was read and lost is gone. So it is read to its end in one go. One that dies on the way begins again, and one that
 * somebody else has open is waited for.
 */
export async function scrollCompanies({ http, itemsOf }: IntercomApi): Promise<RawRecord[]> {
  for (let starts = 1; ; starts += 1) {
    const found = new Map<unknown, RawRecord>()
    let place: string | undefined
    for (;;) {
      const { status, json } = await http.look('/companies/scroll', [400, 404, 500], { scroll_param: place })
      if (status !== 200) {
        // It lives for a minute after its last use.
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

/** https://developers.intercom.com/docs/references/rest-api/errors/rate-limiting: dealt out in windows of ten seconds. */
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
