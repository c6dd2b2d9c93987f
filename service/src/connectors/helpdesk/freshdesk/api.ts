import Type from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../../errors.ts'
import type { ToolAnswer } from '../../../outbound/call-tool.ts'
import { type CountedRequest, type LimitBucket, readLimitHeaders } from '../../../outbound/limits.ts'
import type { Account, AccountAccess } from '../../contract/contract.ts'
import { basic, type HttpRules, instance, openHttp, type Query } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { byMovingPages } from '../../kit/moving-pages.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { partLimit } from '../../kit/part-limit.ts'
import { recordsIn } from '../../kit/records-in.ts'
import { sideBySide } from '../../kit/side-by-side.ts'

export const label = 'Freshdesk'
export const { accepted, present } = refusalsOf(label, [404, 405])
/** The maximum page size of Freshdesk's lists. */
export const largestPage = 100
/** Requests that run in parallel. Freshdesk's answers state the limit per minute. */
export const requestsAtOnce = 6

/**
 * Reduces the given address to the account's site. People paste any page's address, or type only the subdomain. The API
 * answers only at Freshdesk's own host names.
 */
export function siteOf(access: AccountAccess): string {
  const given = instance(access).replace(/[?#].*$/, '')
  const whole = /^https?:\/\//i.test(given) ? given : `https://${/[.:]/.test(given) ? given : `${given}.freshdesk.com`}`
  return whole.replace(/\/(a|support|helpdesk|api|login|admin)(\/.*)?$/, '').replace(/\/+$/, '')
}

/** Whether the plan lacks a feature, such as groups. Any other 403 means that we lost access. */
export const isOfPlan = (json: unknown) => (json as { code?: unknown } | null)?.code === 'require_feature'

const rules: HttpRules = {
  label,
  base: (access) => `${siteOf(access)}/api/v2`,
  signIn: basic(
    ({ token }) => String(token),
    () => 'X',
  ),
  // 405: the record is in the trash and cannot be changed. 409: another record has this name or address.
  answers: {
    ...{ 400: 'refused', 404: 'refused', 405: 'refused', 409: 'refused', 413: 'refused', 422: 'refused' },
    403: ({ json }) => (isOfPlan(json) ? 'refused' : 'usual'),
    429: 'wait',
  },
  reason: (json) => {
    const { description, message, code } = (json ?? {}) as Record<string, unknown>
    const errors = errorsOf(json)
    const words = errors.map((one) => (one.field ? `${one.field}: ${one.message}` : one.message)).join(' ')
    return { code: errors[0]?.code ?? code, message: words || (message ?? description) }
  },
  howToReturn: 'Please connect it again with the API key of an administrator.',
}

const errorList = Type.Array(
  Type.Object({
    field: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    code: Type.Optional(Type.String()),
  }),
)

/** Freshdesk's error messages, one per field. */
export function errorsOf(json: unknown): { field: string; message: string; code: string }[] {
  const { errors } = (json ?? {}) as { errors?: unknown }
  return Check(errorList, errors)
    ? errors.map(({ field = '', message = '', code = '' }) => ({ field, message, code }))
    : []
}

const holderList = Type.Array(
  Type.Object({
    additional_info: Type.Optional(Type.Object({ user_id: Type.Optional(Type.Integer({ minimum: 1 })) })),
  }),
)

/** Ids of the contacts that already have a value, as Freshdesk names them when it refuses the value. */
export function holdersIn(json: unknown): number[] {
  const { errors } = (json ?? {}) as { errors?: unknown }
  if (!Check(holderList, errors)) return []
  return [...new Set(errors.flatMap(({ additional_info: info }) => info?.user_id ?? []))]
}

const hasId = Type.Object({ id: Type.Integer({ minimum: 1 }) })
const recordsOf = (json: unknown): RawRecord[] => recordsIn(label, json, hasId)

export type FreshdeskApi = ReturnType<typeof createApi>

export function createApi(account: Account) {
  const http = openHttp(account, rules)

  const one = (json: unknown, what: string): RawRecord => {
    if (!Check(hasId, json)) throw new UnreadableAnswerError(`${label} answered with no ${what}`)
    return json as RawRecord
  }
  /** A page is the last one if it has no link to the next page and is not full. */
  const pageOf = (headers: ToolAnswer<unknown>['headers'], json: unknown, size: number) => {
    const items = recordsOf(json)
    const isNamed = /rel="?next/i.test([headers.link ?? []].flat().join(','))
    return { items, isLast: !isNamed && (json as unknown[]).length < size }
  }
  /** Null if the status is in `missing`, or if the account's plan lacks this feature. */
  const look = async (path: string, missing: readonly number[], query: Query = {}) => {
    const answer = await http.look(path, [...missing, 403], query)
    if (missing.includes(answer.status) || (answer.status === 403 && isOfPlan(answer.json))) return null
    if (answer.status === 403) http.settle(answer)
    return answer
  }
  const page = async (path: string, query: Query, number: number, size: number, missing: readonly number[] = []) => {
    const answer = await look(path, missing, { ...query, per_page: size, page: number })
    return answer === null ? { items: [], isLast: true } : pageOf(answer.headers, answer.json, size)
  }

  /** Reads a list that Freshdesk sorts by name. */
  const list = (path: string, query: Query = {}, missing: readonly number[] = []): Walk<RawRecord> =>
    byMovingPages((number, size) => page(path, query, number, size, missing))

  return {
    http,
    site: siteOf(account.access),
    look,
    one,
    recordsIn: recordsOf,
    page,
    pageOf,
    list,
    /** Reads all pages of a short list, or of one record's parts. Records are only appended to such lists. */
    all: (path: string, query: Query = {}, missing: readonly number[] = []): Promise<RawRecord[]> =>
      readAll(async (cursor, size) => {
        const number = Number(cursor ?? 1)
        const { items, isLast } = await page(path, query, number, size, missing)
        return { items, next: isLast ? null : String(number + 1) }
      }, largestPage),
    /** Reads a list that has no pages. */
    plain: async (path: string): Promise<RawRecord[]> => recordsOf((await look(path, []))?.json ?? []),
    /** Reads one record by id. Null if the record does not exist. */
    async view(path: string, id: string | number): Promise<RawRecord | null> {
      const answer = await look(`${path}/${encodeURIComponent(id)}`, [404])
      return answer && one(answer.json, 'record')
    },
    async viewEach(path: string, ids: readonly (string | number)[]): Promise<RawRecord[]> {
      const found = await sideBySide(ids, requestsAtOnce, (id) => this.view(path, id))
      return found.flatMap((raw) => raw ?? [])
    },
  }
}

/** The languages of the account, the main one first. Empty for an account with one language, which accepts none. */
export async function readLanguages(api: FreshdeskApi): Promise<string[]> {
  const { status, json } = await api.http.look('/settings/helpdesk', [403, 404])
  const settings = (status === 200 ? json : {}) as Record<string, unknown>
  const names = [settings.primary_language, settings.supported_languages]
    .flat()
    .filter((one): one is string => typeof one === 'string' && one !== '')
  return new Set(names).size > 1 ? [...new Set(names)] : []
}

/** Requests that have a separate limit, in addition to the account's limit. */
const parts: Readonly<Record<string, RegExp>> = {
  ticket_lists: /^GET .*\/api\/v2\/tickets$/,
  contact_lists: /^GET .*\/api\/v2\/contacts$/,
  ticket_creation: /^POST .*\/api\/v2\/tickets$/,
  ticket_changes: /^PUT .*\/api\/v2\/tickets\/\d+$/,
}
const isPart = ({ method, url }: CountedRequest) =>
  Object.values(parts).some((form) => form.test(`${method} ${url.pathname}`))
/** An `include` costs two more requests per embedded part in the ticket list, and one more in any other answer. */
const costOf = ({ url }: CountedRequest) => {
  const embedded = (url.searchParams.get('include') ?? '').split(',').filter(Boolean).length
  return url.pathname.startsWith('/api/v2/') ? 1 + embedded * (url.pathname === '/api/v2/tickets' ? 2 : 1) : 0
}
const perMinute = {
  ...{ perMs: 60_000, limit: null, costOf },
  learn: readLimitHeaders({ limit: 'x-ratelimit-total', remaining: 'x-ratelimit-remaining' }),
}

/** https://developers.freshdesk.com/api/#ratelimit. The limits depend on the plan; answer headers state them. */
export const limits: readonly LimitBucket[] = [
  { ...partLimit('account', (request) => costOf(request) > 0 && !isPart(request), perMinute), cost: costOf },
  ...Object.entries(parts).map(([name, form]) => partLimit(name, form, perMinute)),
]
