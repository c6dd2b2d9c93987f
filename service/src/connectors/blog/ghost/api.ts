import { Check } from 'typebox/value'
import { ObstacleError } from '../../../errors.ts'
import { streamFromTool, type ToolAnswer } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { chunksOf } from '../../kit/find.ts'
import { type HttpRules, type Meaning, openHttp, type Sending, type Sent } from '../../kit/http.ts'
import { byKey, readAll, type Walk } from '../../kit/pages.ts'
import {
  errorSchema,
  isId,
  type ListName,
  listSchema,
  oneSchema,
  parseWhole,
  type Raw,
  settingsSchema,
  siteSchema,
  totalSchema,
} from './schema.ts'
import { signToken } from './sign-token.ts'

export type GhostApi = ReturnType<typeof createGhostApi>
export type Query = Record<string, string | number>

/** Maximum number of records per page. Ghost returns no more, even if asked. */
export const largestPage = 100
export const label = 'Ghost'

/** Relations that are requested together with a record. */
const includes: Partial<Record<ListName, Query>> = {
  posts: { formats: 'html', include: 'authors,tags' },
  pages: { formats: 'html', include: 'authors,tags' },
  labels: { include: 'count.members' },
}
export const includesOf = (name: ListName): Query => includes[name] ?? {}

const rules: HttpRules = {
  label,
  base: ({ instanceUrl }) => `${siteAddress(String(instanceUrl))}/ghost/api/admin`,
  // A token expires soon, so each request has its own. We name no API version: if it were old, Ghost would mail the
  // site's owner.
  signIn: ({ token }) => ({ authorization: `Ghost ${signToken(String(token), Date.now())}` }),
  reason(json) {
    const [error] = Check(errorSchema, json) ? json.errors : []
    const message = [error?.context, error?.message].find((said) => typeof said === 'string' && said !== '')
    const code = typeof error?.code === 'string' && error.code !== '' ? error.code : (error?.type ?? '')
    const plain = code.replace(/Error$/, '').replace(/([a-z])([A-Z])/g, '$1_$2')
    return { code: plain.toLowerCase(), message }
  },
}
/**
 * These statuses refuse the record only if Ghost itself gives a reason. Otherwise they say nothing about the record.
 */
const meaningOf = ({ status, json }: ToolAnswer<unknown>): Meaning =>
  Check(errorSchema, json) ? 'refused' : status === 403 ? 'broken' : 'usual'
const answers: Record<number, Meaning | typeof meaningOf> = { 413: 'refused' }
for (const status of [400, 403, 404, 405, 409, 415, 422]) answers[status] = meaningOf

/** Leaves out empty parameters. */
const given = (query: Query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/** Requests to one Ghost site. Answers are returned as raw records. */
export function createGhostApi(account: Account) {
  const reading = openHttp(account, rules)
  const writing = openHttp(account, { ...rules, answers })

  const list = async (name: ListName, query: Query): Promise<{ records: Raw[]; total: number }> => {
    const asked = given({ ...includesOf(name), limit: largestPage, ...query })
    const { json } = await reading.ask(`/${name}/`, asked)
    const { meta, ...lists } = parseWhole(listSchema(name), json, `a list of ${name}`) as unknown as {
      meta: { pagination: { total: number } }
    } & Record<string, Raw[]>
    return { records: lists[name] ?? [], total: meta.pagination.total }
  }

  /** Walks a list by id, so records added or removed meanwhile change nothing. */
  const walk = (name: ListName, filter: string | null, query: Query = {}): Walk<Raw> =>
    byKey(
      async (after, size) => {
        // Ghost ignores a filter that is only an expression in brackets, so we always add a condition.
        const where = `${filter === null ? '' : `(${filter})+`}id:>${quote(after ?? '0')}`
        const { records, total } = await list(name, { ...query, filter: where, order: 'id asc', limit: size })
        return { items: records, isLast: total <= records.length }
      },
      ({ id }) => id,
    )

  return {
    site: siteAddress(String(account.access.instanceUrl)),
    list,
    walk,
    listAll: (name: ListName, filter: string | null) => readAll(walk(name, filter), largestPage),
    /** Asks for one record by its route and returns any answer. */
    look: (route: string) => reading.look(route, [403, 404, 410]),
    send: (method: 'POST' | 'PUT' | 'DELETE', route: string, sending: Sending = {}): Promise<Sent> =>
      writing.send(method, route, sending),

    /** Returns those of the records that exist. */
    async listByIds(name: ListName, ids: Iterable<string>, query: Query = {}): Promise<Raw[]> {
      const found: Raw[] = []
      for (const some of chunksOf([...new Set(ids)].filter(isId), largestPage)) {
        const { records } = await list(name, { ...query, filter: `id:[${some.map(quote).join(',')}]` })
        found.push(...records.filter((record) => some.includes(record.id)))
      }
      return found
    },

    one(name: ListName, json: unknown): Raw {
      const records = parseWhole(oneSchema(name), json, `one of ${name}`) as unknown as Record<string, Raw[]>
      return records[name]?.[0] as Raw
    },

    /** Number of records of a kind that is not copied; null if the site does not show it. */
    async total(name: string, query: Query = {}): Promise<number | null> {
      const { status, json } = await reading.look(`/${name}/`, [403, 404], { limit: 1, ...query })
      if (status !== 200) return null
      const answer = parseWhole(totalSchema(name), json, `a list of ${name}`) as unknown as {
        meta?: { pagination?: { total: number } }
      } & Record<string, unknown[]>
      return answer.meta?.pagination?.total ?? answer[name]?.length ?? null
    },

    /** The site's description. Everyone may read it, so it does not prove that the key works. */
    about: async () => (await reading.get('/site/', siteSchema)).site,
    async setting(key: string): Promise<unknown> {
      const { settings } = await reading.get('/settings/', settingsSchema)
      return settings.find((setting) => setting.key === key)?.value
    },

    /** Opens a file. Files are public, on any server, so we send no credentials. */
    file: (url: string, expected: readonly number[] = []): Promise<OutboundStream> =>
      streamFromTool(account.outbound, url, { signal: account.signal }, expected),
  }
}

/** Quotes a text for a filter. Texts with quotes or backslashes must pass `askable` first. */
export const quote = (text: string): string => `'${text}'`

/** The longest part of a text without characters that have a meaning in filters. */
export function askable(text: string): string {
  const parts = text.split(/[\p{Cc}'"\\]+/u).sort((a, b) => b.length - a.length)
  return (parts[0] ?? '').trim()
}

/**
 * Formats a date for a filter. Ghost compares dates as texts and only in this form; any other form matches nothing,
 * without an error.
 */
export const filterDate = (moment: string): string => quote(moment.slice(0, 19).replace('T', ' '))

export const lostAccess = (status: number) =>
  new ObstacleError(
    'authorization_lost',
    'customer',
    `Ghost no longer lets us do this (answered ${status}). Please connect it again with the key of an integration.`,
  )

/** Normalizes the site's address, which people copy from their browser in any form. */
export function siteAddress(given: string): string {
  return given
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/ghost(\/.*)?$/, '')
    .replace(/\/+$/, '')
}
