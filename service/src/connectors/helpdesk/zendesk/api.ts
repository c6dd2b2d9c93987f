import Type from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError, UnreadableAnswerError } from '../../../errors.ts'
import {
  type CountedAnswer,
  type CountedRequest,
  type LimitBucket,
  readLimitHeaders,
} from '../../../outbound/limits.ts'
import type { Account, AccountAccess } from '../../contract/contract.ts'
import { chunksOf } from '../../kit/find.ts'
import {
  basic,
  bearer,
  type HttpRules,
  instance,
  openHttp,
  type Query,
  type Sending,
  type Sent,
} from '../../kit/http.ts'
import { objectsIn, type RawRecord, valueAt } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { byCursor, readAll, type Walk } from '../../kit/pages.ts'
import { partLimit } from '../../kit/part-limit.ts'
import { hasId, recordsIn } from '../../kit/records-in.ts'

export const label = 'Zendesk'
export const { accepted, present } = refusalsOf(label)
/** The maximum page size of lists, and the maximum number of ids in a request. */
export const largestPage = 100
/** Requests that run in parallel. Zendesk's answers state the limit per minute. */
export const requestsAtOnce = 8

const byToken = basic(
  ({ username }) => `${username}/token`,
  ({ token }) => String(token),
)

/** Reduces the given address to the account's site. People paste any page's address, or type only the subdomain. */
export function siteOf(access: AccountAccess): string {
  const given = instance(access).replace(/[?#].*$/, '')
  const whole = /^https?:\/\//i.test(given) ? given : `https://${/[.:]/.test(given) ? given : `${given}.zendesk.com`}`
  return whole.replace(/\/(agent|admin|hc|access|api|support)(\/.*)?$/, '').replace(/\/+$/, '')
}

const rules: HttpRules = {
  label,
  base: (access) => `${siteOf(access)}/api/v2`,
  signIn: (access) => (access.oauth ? bearer(access) : byToken(access)),
  // 409: two changes collided, and Zendesk made neither. Some answers with 429 are plain text, so only the status
  // counts.
  answers: { 400: 'refused', 404: 'refused', 409: 'unsent', 413: 'refused', 422: 'refused', 429: 'wait' },
  reason: (json) => reasonOf(json as Record<string, unknown>),
  howToReturn: 'Please connect it again as an administrator.',
}

/** The words about each wrong field. */
const wordsIn = (details: unknown): string[] =>
  Object.values((details ?? {}) as object)
    .flat()
    .flatMap((one: unknown) => {
      const { description } = (typeof one === 'object' && one !== null ? one : {}) as { description?: unknown }
      return typeof description === 'string' ? description : []
    })

/** The Help Center reports errors in another format. */
const guideDetail = Type.Record(Type.String(), Type.Array(Type.String()))

/** Reads an error's code and message. `details` names the wrong fields; other errors have a title and a message, or are a list. */
function reasonOf({ error, description, details, errors }: Record<string, unknown>): {
  code?: unknown
  message?: unknown
} {
  const [listed] = objectsIn(errors) as Record<string, unknown>[]
  const nested = (typeof error === 'object' && error !== null ? error : (listed ?? {})) as Record<string, unknown>
  const words = Check(guideDetail, errors)
    ? Object.entries(errors).flatMap(([field, list]) => list.map((one) => `${field} ${one}`))
    : wordsIn(details)
  const message = words.length > 0 ? words.join(' ') : (description ?? nested.message ?? nested.detail ?? nested.title)
  return { code: typeof error === 'string' ? error : (nested.code ?? nested.title), message }
}

export type ZendeskApi = ReturnType<typeof createZendeskApi>

export function createZendeskApi(account: Account) {
  const http = openHttp(account, rules)
  const itemsOf = (json: unknown, name: string): RawRecord[] => {
    const items = typeof json === 'object' && json !== null ? valueAt(json as Record<string, unknown>, name) : undefined
    return recordsIn(label, items)
  }

  /** Reads one page. Side lists in the answer, such as identities, are added to their records. */
  const page = async (path: string, name: string, query: Query, missing: readonly number[] = []) => {
    const { status, json } = await http.look(path, missing, query)
    if (missing.includes(status)) return { items: [], json: {} as Record<string, unknown> }
    const answer = json as Record<string, unknown>
    return { items: withSides(itemsOf(json, name), answer), json: answer }
  }

  /** Reads cursor pages. The last page has a `meta.after_cursor`, too, so `has_more` decides. */
  const list = (path: string, name: string, query: Query = {}, missing: readonly number[] = []): Walk<RawRecord> =>
    byCursor(
      async (asked) => {
        const { items, json } = await page(path, name, { ...query, ...pageQuery(asked) }, missing)
        const hasMore = valueAt(json, 'meta.has_more')
        const after = valueAt(json, 'meta.after_cursor')
        const next = hasMore === true ? (typeof after === 'number' ? String(after) : after) : numberedPage(json)
        // Without `has_more` we would stop after the first page and lose records.
        const isUntold = typeof valueAt(json, 'links.next') === 'string' && typeof hasMore !== 'boolean'
        if (isUntold || (next !== null && (typeof next !== 'string' || next === ''))) {
          throw new UnreadableAnswerError(`a list of ${label} has more and does not say where`)
        }
        return { items, next }
      },
      { size: 'page[size]', after: 'page[after]' },
    )

  /** The existing records among these ids. */
  const showMany = async (name: string, ids: readonly string[], query: Query = {}, key = 'ids') => {
    const found: RawRecord[] = []
    for (const some of chunksOf(ids, largestPage)) {
      found.push(...(await page(`/${name}/show_many`, name, { [key]: some, ...query })).items)
    }
    return found
  }

  return {
    http,
    site: siteOf(account.access),
    /** Sends bytes to an address that Zendesk has signed. The request carries no credentials. */
    async putSigned(address: string, sending: Sending): Promise<Sent> {
      const { origin, pathname, search } = new URL(address)
      const host = openHttp(account, { label, base: () => origin, signIn: () => ({}), answers: { 403: 'refused' } })
      const sent = await host.send('PUT', `${pathname}${search}`, sending)
      if (sent.result === 'refused') throw new RetryableError(`${label} did not take the bytes of a file`)
      return sent
    },
    /** The settings of the account. Empty if the account does not open them. */
    settings: once(async () => {
      const { json } = await http.look('/account/settings', [403, 404])
      return ((json as { settings?: object } | null)?.settings ?? {}) as Record<string, unknown>
    }),
    page,
    list,
    showMany,
    all: (path: string, name: string, query: Query = {}) => readAll(list(path, name, query), largestPage),
    /** Reads a single record from its answer, such as `{ user: … }`. */
    one: (json: unknown, name: string): RawRecord => {
      const raw = typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined
      if (!Check(hasId, raw)) throw new UnreadableAnswerError(`${label} answered with no ${name}`)
      return raw as RawRecord
    },
  }
}

/** Some lists have only numbered pages. Their position is the number with this prefix, which no cursor of Zendesk has. */
const numbered = 'page '

/** The position of the next numbered page; null if the answer names none. Undefined if its number cannot be read. */
function numberedPage({ next_page: address }: Record<string, unknown>): string | null | undefined {
  if (typeof address !== 'string') return null
  const number = URL.parse(address, 'https://zendesk.invalid')?.searchParams.get('page') ?? ''
  return /^[1-9]\d{0,6}$/.test(number) ? `${numbered}${number}` : undefined
}

function pageQuery(asked: Query): Query {
  const { 'page[after]': after } = asked
  const number = String(after ?? '').startsWith(numbered) ? String(after).slice(numbered.length) : null
  // Always of the same size, as the first page was: with another size the number would mean other records.
  return number === null ? asked : { per_page: largestPage, page: number }
}

/** Adds side lists to their records. Identities come in a separate list; metrics come there or inside the ticket. */
function withSides(items: RawRecord[], json: Record<string, unknown>): RawRecord[] {
  const sides = (name: string) => (Array.isArray(json[name]) ? objectsIn(json[name]) : null)
  const identities = sides('identities')
  const metrics = sides('metric_sets') ?? []
  return items.map((item) => {
    const metric = item.metric_set ?? metrics.find(({ ticket_id }) => ticket_id === item.id)
    return {
      ...item,
      ...(identities && { identities: identities.filter(({ user_id }) => user_id === item.id) }),
      ...(typeof metric === 'object' && metric !== null && { solved_at: valueAt(metric as RawRecord, 'solved_at') }),
    }
  })
}

/** The limits that are not stated here come with the answers. */
const perMinute = { perMs: 60_000, limit: null }
const isHelpCenter = ({ url }: CountedRequest) => url.pathname.includes('/api/v2/help_center/')
const isApi = ({ url }: CountedRequest) => url.pathname.startsWith('/api/v2/')
const readAccount = readLimitHeaders({
  limit: 'x-rate-limit',
  remaining: 'x-rate-limit-remaining',
  reset: 'ratelimit-reset',
})
const numberIn = (text: string, name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(text)?.[1])

/** Reads a header such as `Zendesk-RateLimit-Incremental-Exports: total=10; remaining=9; resets=17`. */
const readTold =
  (...names: string[]) =>
  ({ headers }: CountedAnswer) => {
    const forms = names.flatMap((name) => [`zendesk-ratelimit-${name}`, `zendesk-rate-limit-${name}`])
    const text = forms.map((form) => headers[form]).find((told) => told !== undefined)
    if (typeof text !== 'string') return null
    const told = {
      limit: numberIn(text, 'total'),
      remaining: numberIn(text, 'remaining'),
      resetMs: numberIn(text, 'resets') * 1000,
    }
    return Object.fromEntries(Object.entries(told).filter(([, number]) => !Number.isNaN(number)))
  }

/**
 * https://developer.zendesk.com/api-reference/introduction/rate-limits/. The number of requests allowed depends on the
 * plan.
 */
export const limits: readonly LimitBucket[] = [
  partLimit('account', (request) => isApi(request) && !isHelpCenter(request), { ...perMinute, learn: readAccount }),
  partLimit('help_center', isHelpCenter, { ...perMinute, learn: readAccount }),
  {
    ...partLimit('exports', /\/api\/v2\/incremental\//, { ...perMinute, limit: 10 }),
    learn: readTold('incremental-exports-cursor', 'incremental-exports'),
  },
  {
    ...partLimit('ticket_updates', /^PUT \/api\/v2\/tickets\//, { ...perMinute, limit: 100 }),
    learn: readTold('tickets-update'),
  },
  { ...partLimit('ticket_lists', /^GET \/api\/v2\/tickets$/, perMinute), learn: readTold('tickets-index') },
  partLimit('user_updates', /^PUT \/api\/v2\/users\/\d+$|^POST \/api\/v2\/users\/create_or_update$/, {
    perMs: 1_000,
    limit: 1,
  }),
  partLimit('deletions', /^DELETE \/api\/v2\/tickets\//, { ...perMinute, limit: 400 }),
  partLimit('field_options', /^POST .*_fields\/\d+\/options$/, { ...perMinute, limit: 100 }),
]
