import type { Readable } from 'node:stream'
import { Check } from 'typebox/value'
import { ObstacleError, RetryableError } from '../../errors.ts'
import { callTool, streamFromTool } from '../../outbound/call-tool.ts'
import type { OutboundStream } from '../../outbound/outbound.ts'
import type { Account } from '../contract.ts'
import {
  errorSchema,
  isId,
  type ListName,
  listSchema,
  oneSchema,
  parseWhole,
  type RawRecord,
  settingsSchema,
  siteSchema,
  totalSchema,
} from './schema.ts'
import { signToken } from './sign-token.ts'

export type GhostApi = ReturnType<typeof createGhostApi>
export type Query = Record<string, string | number>

/** What became of one request to write or remove something. */
export type Answer =
  | { result: 'done'; json: unknown }
  | { result: 'refused'; code: string; message: string; status: number }

/** The most that a list gives at once; it says so by giving no more. */
export const largestPage = 100

/** What is asked for along with a record. */
const includes: Partial<Record<ListName, Query>> = {
  posts: { formats: 'html', include: 'authors,tags' },
  pages: { formats: 'html', include: 'authors,tags' },
  labels: { include: 'count.members' },
}
export const includesOf = (name: ListName): Query => includes[name] ?? {}

/** One site: requests, raw answers out. */
export function createGhostApi({ access, outbound, signal }: Account) {
  const site = siteAddress(String(access.instanceUrl))
  const urlOf = (route: string, query: Query = {}) => {
    const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
    const asked = new URLSearchParams(given.filter(([, value]) => value !== ''))
    return `${site}/ghost/api/admin${route}${asked.size > 0 ? `?${asked}` : ''}`
  }
  // A token does not last, so each request has its own. No version is asked for: Ghost mails its owner when it is old.
  const headers = () => ({ authorization: `Ghost ${signToken(String(access.token), Date.now())}` })

  const get = async (route: string, query: Query = {}) =>
    (await callTool<unknown>(outbound, urlOf(route, query), { headers: headers(), signal })).json

  const list = async (name: ListName, query: Query): Promise<{ records: RawRecord[]; total: number }> => {
    const answer = await get(`/${name}/`, { ...includesOf(name), limit: largestPage, ...query })
    const parsed = parseWhole(listSchema(name), answer, `a list of ${name}`)
    const { meta } = parsed as { meta: { pagination: { total: number } } }
    return { records: (parsed as unknown as Record<string, RawRecord[]>)[name] ?? [], total: meta.pagination.total }
  }

  const send = async (
    method: 'POST' | 'PUT' | 'DELETE',
    route: string,
    body: { json: unknown } | { headers: Record<string, string>; stream: Readable } | null,
    query: Query = {},
  ): Promise<Answer> => {
    const { status, json } = await callTool<unknown>(
      outbound,
      urlOf(route, query),
      {
        method,
        signal,
        headers: { ...headers(), ...(body && 'headers' in body ? body.headers : {}) },
        ...(body === null ? {} : 'json' in body ? { json: body.json } : { body: body.stream }),
      },
      refusals,
    )
    return toAnswer(status, json)
  }

  return {
    site,
    /** One record by its route, whatever comes of it. */
    look: (route: string) => callTool<unknown>(outbound, urlOf(route), { headers: headers(), signal }, [403, 404, 410]),
    get,
    list,
    send,

    /** A keyset: the next records by id, whatever is added or removed meanwhile. */
    async listAfter(name: ListName, after: string | null, filter: string | null, pageSize: number, query: Query = {}) {
      // Nothing but an expression in brackets counts as no filter at all; so there is always something beside it.
      const where = `${filter === null ? '' : `(${filter})+`}id:>${quote(after ?? '0')}`
      const { records, total } = await list(name, { ...query, filter: where, order: 'id asc', limit: pageSize })
      return { records, next: total > records.length ? (records.at(-1)?.id ?? null) : null }
    },

    /** These records, as far as they exist. */
    async listByIds(name: ListName, ids: Iterable<string>, query: Query = {}): Promise<RawRecord[]> {
      const wanted = [...new Set(ids)].filter(isId)
      const found: RawRecord[] = []
      for (let at = 0; at < wanted.length; at += largestPage) {
        const some = wanted.slice(at, at + largestPage)
        const { records } = await list(name, { ...query, filter: `id:[${some.map(quote).join(',')}]` })
        found.push(...records.filter((record) => some.includes(record.id)))
      }
      return found
    },

    one(name: ListName, json: unknown): RawRecord {
      const records = parseWhole(oneSchema(name), json, `one of ${name}`) as unknown as Record<string, RawRecord[]>
      return records[name]?.[0] as RawRecord
    },

    /** How many there are of what is not moved; null when the site does not show it. */
    async total(name: string, query: Query = {}): Promise<number | null> {
      const url = urlOf(`/${name}/`, { limit: 1, ...query })
      const { status, json } = await callTool<unknown>(outbound, url, { headers: headers(), signal }, [403, 404])
      if (status !== 200) return null
      const answer = parseWhole(totalSchema(name), json, `a list of ${name}`) as {
        meta?: { pagination?: { total: number } }
      }
      return answer.meta?.pagination?.total ?? (answer as unknown as Record<string, unknown[]>)[name]?.length ?? null
    },

    /** Open to everyone, so it says nothing about the key. */
    about: async () => parseWhole(siteSchema, await get('/site/'), 'a site').site,
    async setting(key: string): Promise<unknown> {
      const { settings } = parseWhole(settingsSchema, await get('/settings/'), 'settings')
      return settings.find((setting) => setting.key === key)?.value
    },

    /** Files are public, wherever they lie; nobody else's server is told who we are. */
    file: (url: string, expected: readonly number[] = []): Promise<OutboundStream> =>
      streamFromTool(outbound, url, { signal }, expected),
  }
}

/** A text inside a filter. Those with quotes or backslashes cannot be asked for; see `askable`. */
export const quote = (text: string): string => `'${text}'`

/** The longest part of a text that a filter can be asked for, without signs that mean something there. */
export function askable(text: string): string {
  const parts = text.split(/[\p{Cc}'"\\]+/u).sort((a, b) => b.length - a.length)
  return (parts[0] ?? '').trim()
}

/** Ghost compares dates as texts, and only in this form; any other matches nothing, without a word. */
export const filterDate = (moment: string): string => quote(moment.slice(0, 19).replace('T', ' '))

/** Answers that speak of the record that was sent. 413 is the web server's. */
const refusals = [400, 403, 404, 405, 409, 413, 415, 422]

function toAnswer(status: number, json: unknown): Answer {
  if (status >= 200 && status <= 299) return { result: 'done', json }
  if (status === 413) return { result: 'refused', code: 'too_large', message: 'It is too large for this site.', status }
  if (!Check(errorSchema, json)) throw new RetryableError(`Ghost answered ${status} without a reason`)
  const [error] = json.errors
  const words = [error?.context, error?.message].find((said) => typeof said === 'string' && said !== '')
  const code = typeof error?.code === 'string' && error.code !== '' ? error.code : (error?.type ?? '')
  return { result: 'refused', code: plainCode(code), message: String(words ?? '').slice(0, 500), status }
}

/** Codes come from outside and go to logs. */
const plainCode = (code: string) =>
  code
    .replace(/Error$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/\W/g, '')
    .slice(0, 60)

export const lostAccess = (status: number) =>
  new ObstacleError(
    'authorization_lost',
    'customer',
    `Ghost no longer lets us do this (answered ${status}). Please connect it again with the key of an integration.`,
  )

/** People copy whatever their browser shows. */
export function siteAddress(given: string): string {
  return given
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/ghost(\/.*)?$/, '')
    .replace(/\/+$/, '')
}
