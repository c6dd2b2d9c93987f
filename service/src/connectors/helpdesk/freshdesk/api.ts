import Type from 'typebox'
import { Check } from 'typebox/value'
import { UnreadableAnswerError } from '../../../errors.ts'
import type { ToolAnswer } from '../../../outbound/call-tool.ts'
import { type CountedRequest, type LimitBucket, readLimitHeaders } from '../../../outbound/limits.ts'
import type { Account, AccountAccess } from '../../contract/contract.ts'
import { basic, type HttpRules, instance, openHttp, type Query } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'

export const label = 'Freshdesk'
export const { accepted, present } = refusalsOf(label, [404, 405])
/** The most that lists give. */
export const largestPage = 100
/** Parallel requests. The answers tell how many a minute allows. */
export const requestsAtOnce = 6

/**
 * People copy addresses from their browser in any form, or give their subdomain alone. The API answers at Freshdesk's
 * own names only.
 */
export function siteOf(access: AccountAccess): string {
  const given = instance(access).replace(/[?#].*$/, '')
  const whole = /^https?:\/\//i.test(given) ? given : `https://${/[.:]/.test(given) ? given : `${given}.freshdesk.com`}`
  return whole.replace(/\/(a|support|helpdesk|api|login|admin)(\/.*)?$/, '').replace(/\/+$/, '')
}

/** The plan of the account lacks something, such as groups. Any other 403 is lost access. */
export const isOfPlan = (json: unknown) => (json as { code?: unknown } | null)?.code === 'require_feature'

const rules: HttpRules = {
  label,
  base: (access) => `${siteOf(access)}/api/v2`,
  signIn: basic(
    ({ token }) => String(token),
    () => 'X',
  ),
  // 405: a record in the trash takes no change. 409: somebody else has the name or the address.
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

/** Freshdesk's complaints, field by field. */
export function errorsOf(json: unknown): { field: string; message: string; code: string }[] {
  const { errors } = (json ?? {}) as { errors?: unknown }
  return Check(errorList, errors)
    ? errors.map(({ field = '', message = '', code = '' }) => ({ field, message, code }))
    : []
}

const hasId = Type.Object({ id: Type.Integer({ minimum: 1 }) })
const records = Type.Array(hasId)

export type FreshdeskApi = ReturnType<typeof createApi>

export function createApi(account: Account) {
  const http = openHttp(account, rules)

  const one = (json: unknown, what: string): RawRecord => {
    if (!Check(hasId, json)) throw new UnreadableAnswerError(`${label} answered with no ${what}`)
    return json as RawRecord
  }
  const recordsIn = (json: unknown): RawRecord[] => {
    if (!Check(records, json)) throw new UnreadableAnswerError(`a list of ${label} is of an unknown shape`)
    return json as RawRecord[]
  }
  /** The last page has no link to the next; a full one is followed by another look even so. */
  const pageOf = (headers: ToolAnswer<unknown>['headers'], json: unknown, size: number) => {
    const items = recordsIn(json)
    const isNamed = /rel="?next/i.test([headers.link ?? []].flat().join(','))
    return { items, isLast: !isNamed && items.length < size }
  }
  /** Null for one of the statuses `missing`, and for a part that the plan of the account lacks. */
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

  /**
   * A list in the order of names, in which everything after a deletion moves up. So each page but the first is asked for
   * together with the one before it: what moved in there behind the last record that we had is handed out, too.
   */
  const list =
    (path: string, query: Query = {}, missing: readonly number[] = []): Walk<RawRecord> =>
    async (cursor, size) => {
      const [number, last] = cursor === null ? [1, 0] : (JSON.parse(cursor) as [number, number])
      const { items, isLast } = await page(path, query, number, size, missing)
      const before = number === 1 ? [] : (await page(path, query, number - 1, size, missing)).items
      const moved = before.slice(before.findIndex(({ id }) => id === last) + 1)
      const known = new Set(items.map(({ id }) => id))
      const all = [...moved.filter(({ id }) => !known.has(id)), ...items]
      const next = isLast ? null : JSON.stringify([number + 1, all.at(-1)?.id ?? last])
      return { items: all, next }
    }

  return {
    http,
    site: siteOf(account.access),
    one,
    recordsIn,
    page,
    pageOf,
    list,
    /** All of a list that stays small, or of one record's parts: these are only added to. */
    all: (path: string, query: Query = {}, missing: readonly number[] = []): Promise<RawRecord[]> =>
      readAll(async (cursor, size) => {
        const number = Number(cursor ?? 1)
        const { items, isLast } = await page(path, query, number, size, missing)
        return { items, next: isLast ? null : String(number + 1) }
      }, largestPage),
    /** A list without pages. */
    plain: async (path: string): Promise<RawRecord[]> => recordsIn((await look(path, []))?.json ?? []),
    /** A record by its id; null for one that is not there. */
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

const minuteMs = 60_000
const isAt = (request: CountedRequest, method: string, path: RegExp) =>
  request.method === method && path.test(request.url.pathname)
/** Limits of their own within the limit of the account. */
const parts: Readonly<Record<string, (request: CountedRequest) => boolean>> = {
  ticket_lists: (request) => isAt(request, 'GET', /\/api\/v2\/tickets$/),
  contact_lists: (request) => isAt(request, 'GET', /\/api\/v2\/contacts$/),
  ticket_creation: (request) => isAt(request, 'POST', /\/api\/v2\/tickets$/),
  ticket_changes: (request) => isAt(request, 'PUT', /\/api\/v2\/tickets\/\d+$/),
}
const isPart = (request: CountedRequest) => Object.values(parts).some((is) => is(request))
/** An embedded part costs two more in a list of tickets, and one more in any other answer. */
const costOf = ({ url }: CountedRequest) => {
  const embedded = (url.searchParams.get('include') ?? '').split(',').filter(Boolean).length
  return url.pathname.startsWith('/api/v2/') ? 1 + embedded * (url.pathname === '/api/v2/tickets' ? 2 : 1) : 0
}
const learn = readLimitHeaders({ limit: 'x-ratelimit-total', remaining: 'x-ratelimit-remaining' })

/** https://developers.freshdesk.com/api/#ratelimit. The plan decides; the header of a part tells the limit of that part. */
export const limits: readonly LimitBucket[] = [
  {
    name: 'account',
    perMs: minuteMs,
    limit: null,
    cost: costOf,
    learn: (answer, request) => (costOf(request) > 0 && !isPart(request) ? learn(answer) : null),
  },
  ...Object.entries(parts).map(
    ([name, is]): LimitBucket => ({
      name,
      perMs: minuteMs,
      limit: null,
      cost: (request) => (is(request) ? costOf(request) : 0),
      learn: (answer, request) => (is(request) ? learn(answer) : null),
    }),
  ),
]
