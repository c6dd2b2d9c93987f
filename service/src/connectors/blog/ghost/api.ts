import { createHmac } from 'node:crypto'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError } from '../../../errors.ts'
import { streamFromTool, type ToolAnswer } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { checkShape, type HttpRules, type Meaning, openHttp, type Query } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { byKey, readAll, type Walk } from '../../kit/pages.ts'
import { siteAddress } from '../../kit/site-address.ts'
import { requireWhole } from '../../kit/write-record.ts'
import { type EntityName, entities } from './entities.ts'
import { identified, isId, text } from './lenses.ts'

export type GhostApi = ReturnType<typeof createGhostApi>
/** One record as the API sends it. Only its id is certain. */
export type Raw = RawRecord & { id: string }
export type Found = Exclude<EntityName, 'media'>
export type ListName = 'tags' | 'posts' | 'pages' | 'comments' | 'members' | 'users' | 'labels'
/** The list of an entity. Ghost has no categories, so they become tags. */
export const listOf = (entity: Found): ListName =>
  entity === 'subscribers' ? 'members' : entity === 'categories' ? 'tags' : entity

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

// Those parts of the answers that we use, besides the fields of records.
const total = Type.Object({ pagination: Type.Object({ total: Type.Integer({ minimum: 0 }) }) })
const listSchema = (name: string) => Type.Object({ [name]: Type.Array(identified), meta: total })
/** Ghost sends no total for a list that it returns whole. */
const totalSchema = (name: string) =>
  Type.Object({ [name]: Type.Array(Type.Unknown()), meta: Type.Optional(Type.Partial(total)) })
/** Ghost returns a single record as a list of one. */
const oneSchema = (name: string) => Type.Object({ [name]: Type.Array(identified, { minItems: 1, maxItems: 1 }) })
const siteSchema = Type.Object({ site: Type.Object({ title: text, url: text, version: text }) })
export const errorSchema = Type.Object({
  errors: Type.Array(
    Type.Object({
      message: text,
      type: text,
      context: Type.Optional(Type.Unknown()),
      code: Type.Optional(Type.Unknown()),
    }),
    { minItems: 1 },
  ),
})
type Lists = Record<string, Raw[]> & { meta?: { pagination?: { total: number } } }

/** Requires a complete record. We are about to compare it, and a missing field would look empty. */
export const takeWhole = (entity: Found, record: unknown): Raw => requireWhole(label, entities[entity], record) as Raw

export const siteOf = (given: unknown): string => siteAddress(String(given), /\/ghost(\/.*)?$/)

/** The key in Ghost's form `id:secret`, both hexadecimal. It belongs to an integration or a member of the staff. */
const keyForm = /^([0-9a-f]{24}):([0-9a-f]{64})$/i

/** Ghost refuses any token older than five minutes. */
const lifetimeSeconds = 240

/** Signs in for one request: https://docs.ghost.org/admin-api/#token-authentication */
export function signToken(key: string, now: number): string {
  const [, id, secret] = keyForm.exec(key.trim()) ?? []
  if (id === undefined || secret === undefined) {
    throw new ObstacleError('authorization_lost', 'customer', 'This is not a key of the Admin API (id:secret).')
  }
  const iat = Math.floor(now / 1000)
  const parts = [
    { alg: 'HS256', typ: 'JWT', kid: id },
    { iat, exp: iat + lifetimeSeconds, aud: '/admin/' },
  ]
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}

const rules: HttpRules = {
  label,
  base: ({ instanceUrl }) => `${siteOf(instanceUrl)}/ghost/api/admin`,
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

export function createGhostApi(account: Account) {
  const http = openHttp(account, rules)
  const writing = openHttp(account, { ...rules, answers })

  const list = async (name: ListName, query: Query): Promise<{ records: Raw[]; total: number }> => {
    const { json } = await http.ask(`/${name}/`, { ...includesOf(name), limit: largestPage, ...query })
    const { [name]: records = [], meta } = checkShape(label, listSchema(name), json, `a list of ${name}`) as Lists
    return { records, total: meta?.pagination?.total ?? 0 }
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
    site: siteOf(account.access.instanceUrl),
    http,
    list,
    walk,
    listAll: (name: ListName, filter: string | null) => readAll(walk(name, filter), largestPage),
    /** Sends a change that Ghost may forbid for this record only, and returns any refusal. */
    trySend: writing.send,
    /** Sends a change. A 403 concerns our key. */
    send: async (...request: Parameters<typeof writing.send>) => {
      const sent = await writing.send(...request)
      if (sent.result === 'done' || sent.status !== 403) return sent
      const words = `Ghost no longer lets us do this (answered ${sent.status}). Please connect it again with the key of an integration.`
      throw new ObstacleError('authorization_lost', 'customer', words)
    },

    /** Returns those of the records that exist. */
    listByIds: (name: ListName, ids: Iterable<string>, query: Query = {}): Promise<Raw[]> =>
      inChunks([...new Set(ids)].filter(isId), largestPage, async (some) => {
        const { records } = await list(name, { ...query, filter: inIds('id', some) })
        return records.filter(({ id }) => some.includes(id))
      }),

    one: (name: ListName, json: unknown): Raw =>
      (checkShape(label, oneSchema(name), json, `one of ${name}`) as Lists)[name]?.[0] as Raw,

    /** Number of records of a kind that is not copied; null if the site does not show it. */
    async total(name: string, query: Query = {}): Promise<number | null> {
      const { status, json } = await http.look(`/${name}/`, [403, 404], { limit: 1, ...query })
      if (status !== 200) return null
      const answer = checkShape(label, totalSchema(name), json, `a list of ${name}`) as Lists
      return answer.meta?.pagination?.total ?? answer[name]?.length ?? null
    },

    /** The site's description. Everyone may read it, so it does not prove that the key works. */
    async about() {
      const { title, version } = (await http.get('/site/', siteSchema)).site
      return { name: title || new URL(http.base).host, version }
    },

    /** Opens a file. Files are public, on any server, so we send no credentials. */
    file: (url: string, expected: readonly number[] = []): Promise<OutboundStream> =>
      streamFromTool(account.outbound, url, { signal: account.signal }, expected),
  }
}

/** Quotes a text for a filter. Texts with quotes or backslashes must pass `askable` first. */
export const quote = (text: string): string => `'${text}'`
export const inIds = (field: string, ids: readonly string[]): string => `${field}:[${ids.map(quote).join(',')}]`

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

/** The entities that Ghost lists. Files are read from the texts that use them. */
export const tellsDeleted = ['tags', 'posts', 'pages', 'comments', 'subscribers'] as const satisfies Found[]
