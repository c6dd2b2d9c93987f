import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, UnreadableAnswerError } from '../../../errors.ts'
import { type CountedRequest, type LimitBucket, readLimitHeaders } from '../../../outbound/limits.ts'
import type { Account } from '../../contract/contract.ts'
import { basic, type Http, type HttpRules, openHttp, type Query, type Sent } from '../../kit/http.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import { byMovingPages } from '../../kit/moving-pages.ts'
import { once } from '../../kit/once.ts'
import { type RefusedAnswer, refusalsOf } from '../../kit/outcomes.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { partLimit } from '../../kit/part-limit.ts'
import { hasId, recordsIn } from '../../kit/records-in.ts'

export const label = 'Help Scout'
export const { accepted, done, present } = refusalsOf(label)
/** The page size of lists that we build ourselves. Help Scout fixes the size of its own pages. */
export const pageSize = 50
export const requestsAtOnce = 4
/** The number of earlier pages in which to search for the last record returned. */
const pagesBack = 3

const answers: HttpRules['answers'] = {
  ...{ 400: 'refused', 404: 'refused', 409: 'refused', 412: 'refused', 413: 'refused', 415: 'refused', 422: 'refused' },
  ...{ 423: 'unsent', 429: 'wait' },
}
/** Help Scout's name for Retry-After. */
const waitHeader = 'x-ratelimit-retry-after'
const howToReturn = 'Please connect it again with the App ID and the App Secret of a user who may use the API.'
const errorList = Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))

/** Reads an error's code and message. `_embedded.errors` names the wrong fields; other errors have only a message. */
function reasonOf(json: unknown): { code?: unknown; message?: unknown } {
  // The Docs API uses `error` instead of `message`.
  const { message, error, _embedded: inside } = json as Record<string, unknown> & { _embedded?: { errors?: unknown } }
  const errors = Check(errorList, inside?.errors) ? inside.errors : []
  return errors.length > 0
    ? { code: errors[0]?.path, message: errors.map((one) => `${one.path}: ${one.message}`).join('; ') }
    : { message: message ?? error }
}

/** The paths of the fields that Help Scout refused, such as `emails[1].value`. */
const refusedPaths = ({ json }: RefusedAnswer): string[] => {
  const errors = (json as { _embedded?: { errors?: unknown } } | null)?._embedded?.errors
  return Check(errorList, errors) ? errors.map(({ path }) => path) : []
}
/** Whether Help Scout refused a field with this name. */
export const isAbout = (sent: RefusedAnswer, field: RegExp): boolean =>
  refusedPaths(sent).some((path) => field.test(path))
/** The places in a list that Help Scout complains about. Undefined if it does not tell what it complains about. */
export function refusedPlaces(sent: Sent, name: string): number[] | undefined {
  const paths = sent.result === 'refused' ? refusedPaths(sent) : []
  const places = paths
    .filter((path) => path.startsWith(name))
    .map((path) => /^\[(\d+)\]/.exec(path.slice(name.length))?.[1])
  return paths.length === 0 || places.includes(undefined) ? undefined : places.map(Number)
}
/** The places of the threads whose author Help Scout refused. */
export const refusedAuthors = (sent: Sent): number[] =>
  (sent.result === 'refused' ? refusedPaths(sent) : []).flatMap((path) => {
    const place = /^threads\[(\d+)\]\.(?:user|customer)\b/.exec(path)?.[1]
    return place === undefined ? [] : Number(place)
  })
/** The values of a list that Help Scout did not refuse. None if it does not say which ones it refused. */
export function acceptable<T>(sent: RefusedAnswer, name: string, values: readonly T[]): T[] {
  const paths = refusedPaths(sent).filter((path) => path.startsWith(name))
  const places = paths.map((path) => path.slice(name.length).match(/^\[(\d+)\]/)?.[1])
  return places.includes(undefined) ? [] : values.filter((_, index) => !places.includes(String(index)))
}

const tokenShape = Type.Object({ access_token: Type.String({ minLength: 1 }) })

export type HelpscoutApi = ReturnType<typeof createHelpscoutApi>

/**
 * Opens both APIs of one account. All accounts share one address; `instanceUrl` is for tests and for operators'
 * proxies.
 */
export function createHelpscoutApi(account: Account) {
  const { access } = account
  const root = (access.instanceUrl ?? 'https://api.helpscout.net').replace(/\/+$/, '')
  const key = access.more?.docs_api_key
  const rules = (more: Partial<HttpRules>): HttpRules => ({
    ...{ label, base: () => root, answers: answers ?? {}, reason: reasonOf, howToReturn, signIn: () => ({}) },
    waitOf: ({ headers }) => headers[waitHeader],
    ...more,
  })
  let token = access.token ?? ''
  const signIn = () => ({ authorization: `Bearer ${token}` })
  const inbox = openHttp(account, rules({ signIn }))
  // For routes where 403 concerns one record, not the account's access.
  const gentle = openHttp(account, rules({ signIn, answers: { ...answers, 403: 'refused' } }))
  const docs = key
    ? openHttp(account, {
        ...rules({
          base: () => `${(access.more?.docs_url ?? 'https://docsapi.helpscout.net').replace(/\/+$/, '')}/v1`,
        }),
        signIn: basic(
          () => key,
          () => 'X',
        ),
      })
    : null

  /** Exchanges App ID and App Secret for a token that is valid for two days. */
  const askForToken = async (): Promise<string> => {
    const form = { grant_type: 'client_credentials', client_id: String(access.username), client_secret: access.token }
    const sent = await openHttp(account, rules({})).send('POST', '/v2/oauth2/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, client_secret: String(access.token) }).toString(),
    })
    if (sent.result === 'refused') throw new ObstacleError('authorization_lost', 'customer', howToReturn)
    if (!Check(tokenShape, sent.json)) throw new UnreadableAnswerError('Help Scout answered with no token')
    return sent.json.access_token
  }
  const hasApp = !access.oauth && Boolean(access.username)
  let ask = once(askForToken)
  /** Runs a request. If the token expired during a run, gets a new token and tries once more. */
  const signedIn = async <T>(act: () => Promise<T>): Promise<T> => {
    if (!hasApp) return act()
    const mine = ask
    token = await mine()
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ObstacleError && error.code === 'authorization_lost')) throw error
      if (ask === mine) ask = once(askForToken)
      token = await ask()
      return act()
    }
  }
  const look: Http['look'] = (path, statuses, query) => signedIn(() => inbox.look(path, statuses, query))

  /** Looks at a single record. Status 403 concerns this record alone, as long as the account itself still answers. */
  const lookAtOne = async (path: string, statuses: readonly number[]) => {
    const answer = await look(path, [403, ...statuses])
    if (answer.status === 403) await look('/v2/users/me', [])
    return answer
  }
  const page = async (path: string, name: string, query: Query, missing: readonly number[] = []) => {
    const { status, json } = await look(path, missing, query)
    const answer = (missing.includes(status) ? {} : json) as Record<string, unknown>
    const [total, number, pages] = ['totalElements', 'number', 'totalPages'].map((one) =>
      valueAt(answer, `page.${one}`),
    )
    // An empty list has no `_embedded` part. Every page of a filled list has one. An answer without any part is no list.
    const isList = missing.includes(status) || ['page', '_links'].some((part) => valueAt(answer, part) !== undefined)
    const isEmpty = isList && (total === 0 || !(Number(number) <= Number(pages)))
    const items = recordsIn(label, valueAt(answer, `_embedded.${name}`) ?? (isEmpty ? [] : null))
    const isLast = !valueAt(answer, '_links.next') && !(Number(number) < Number(pages))
    return { items, isLast, total: Number.isSafeInteger(total) ? Number(total) : null }
  }
  /** Reads a page of the Docs API, which has another format. Only a list inside a deleted shelf answers 404. */
  const docsPage = async (path: string, name: string, query: Query) => {
    const isInside = path.split('/').length > 2
    const { status, json } = docs ? await docs.look(path, isInside ? [404] : [], query) : { status: 404, json: null }
    const answer = (status === 404 ? {} : json) as Record<string, unknown>
    const [number, pages] = [valueAt(answer, `${name}.page`), valueAt(answer, `${name}.pages`)]
    const items = status === 404 ? [] : recordsIn(label, valueAt(answer, `${name}.items`))
    return { items, isLast: !(Number(number) < Number(pages)) }
  }
  const isHome = ({ hostname, pathname }: URL) =>
    pictureHosts.test(hostname) || storedFile.test(`${hostname}${pathname}`) || hostname === new URL(root).hostname
  const list = (path: string, name: string, query: Query = {}, missing: readonly number[] = []): Walk<RawRecord> =>
    byMovingPages((number) => page(path, name, { ...query, page: number }, missing), pagesBack)

  return {
    isHome,
    /** Whether the address is a file of a Docs article. */
    isAsset: (url: URL) => isHome(url) && url.pathname.includes('/assets/'),
    /** Opens a picture that is public. The request carries no credentials. */
    openPicture: (url: string) => openHttp(account, rules({})).openFile(url.startsWith('//') ? `https:${url}` : url),
    look,
    page,
    list,
    all: (path: string, name: string, query: Query = {}) => readAll(list(path, name, query), pageSize),
    send: (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: unknown, isGentle = false) =>
      signedIn(() => (isGentle ? gentle : inbox).send(method, path, json === undefined ? {} : { json })),
    lookAtOne,
    /** Reads one record. Null if the record does not exist, or if its conversation was merged into another one. */
    async one(path: string): Promise<RawRecord | null> {
      const { status, json } = await look(path, gone)
      return status === 200 ? oneIn(json) : null
    },
    /** Like `one`. Also null if the account may not see the record. */
    async oneIfOpen(path: string): Promise<RawRecord | null> {
      const { status, json } = await lookAtOne(path, gone)
      return status === 200 ? oneIn(json) : null
    },
    docs: docs && {
      key: String(key),
      look: docs.look,
      send: docs.send,
      list: (path: string, name: string, query: Query = {}) =>
        byMovingPages((number) => docsPage(path, name, { ...query, page: number }), pagesBack),
      async one(path: string, name: string): Promise<RawRecord | null> {
        const { status, json } = await docs.look(path, [404])
        return status === 200 ? oneIn((json as Record<string, unknown> | null)?.[name]) : null
      },
    },
  }
}

/** Statuses of a record that no longer exists. A conversation that was merged into another one answers 301. */
export const gone = [301, 404, 410]

export function oneIn(raw: unknown): RawRecord {
  if (!Check(hasId, raw)) throw new UnreadableAnswerError('Help Scout answered with something of an unknown shape')
  return raw as RawRecord
}

/** Help Scout's hosts for pictures in texts. */
const pictureHosts =
  /(^|\.)helpscout\.(net|com)$|^d33v4339jhl8k0\.cloudfront\.net$|^helpscout\.net\.s3\.amazonaws\.com$/
/** Help Scout's part of a host that it shares with others. */
const storedFile = /^s3\.amazonaws\.com\/helpscout\.net\//

/** The id of a new record. Help Scout sends it in a header; the answer has no body. */
export function madeId({ headers }: Done): string {
  const id = headers['resource-id'] ?? /\/(\d+)\/?$/.exec(String(headers.location ?? ''))?.[1]
  if (typeof id !== 'string' || !/^[1-9]\d{0,14}$/.test(id)) {
    throw new UnreadableAnswerError('Help Scout answered with no Resource-ID')
  }
  return id
}
export type Done = Extract<Sent, { result: 'done' }>
export const namesId = ({ headers }: Done): boolean => 'resource-id' in headers || 'location' in headers

const minuteMs = 60_000
const isInbox = ({ url }: CountedRequest) => /^\/v[23]\/(?!oauth2)/.test(url.pathname)
const isWrite = ({ method }: CountedRequest) => method !== 'GET'

/**
 * https://developer.helpscout.com/mailbox-api/overview/rate-limiting/. The number of requests allowed depends on the
 * plan.
 */
export const limits: readonly LimitBucket[] = [
  {
    name: 'minute',
    perMs: minuteMs,
    limit: null,
    cost: (request) => (isInbox(request) ? (isWrite(request) ? 2 : 1) : 0),
    learn: readLimitHeaders({
      limit: 'x-ratelimit-limit-minute',
      remaining: 'x-ratelimit-remaining-minute',
      reset: waitHeader,
    }),
  },
  partLimit('writes', (request) => isInbox(request) && isWrite(request), { perMs: 5_000, limit: 12 }),
  partLimit('docs', / \/v1\//, { perMs: 10 * minuteMs, limit: 2_000 }),
]
