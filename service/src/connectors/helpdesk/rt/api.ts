import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import type { Account } from '../../contract/contract.ts'
import { checkShape, instance, openHttp, type Sent } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { createdSchema, listSchema, messagesSchema, systemSchema } from './schema.ts'

/** The most records that a list returns at once, even if more are requested. */
export const largestPage = 100

export interface ListOptions {
  /** TicketSQL for tickets and transactions; for the others a list of limits, of which those it does not know are ignored. */
  query?: string | readonly Limit[]
  /** With commas between them. */
  fields: string
  /** Fields of a field's target. */
  expand?: Record<string, string>
  page?: number
  perPage?: number
  /** Also what was disabled, which is as near as Request Tracker comes to deleting users and queues. */
  withDisabled?: boolean
}

export interface Limit {
  field: string
  value: string
  operator?: string
  entry_aggregator?: 'OR'
  case_sensitive?: 1
}

export interface RawList {
  items: RawRecord[]
  /** Null when the user may not see everything that was counted. */
  total: number | null
}

/** The result of creating something. The message is Request Tracker's own. */
export type Created = { id: string } | { refused: string }

export type RtApi = ReturnType<typeof createRtApi>

export const label = 'Request Tracker'
/** Ids in one search: more would make an address that servers in front refuse. */
const idsAtOnce = 50

/** REST 2.0 of one Request Tracker: https://docs.bestpractical.com/rt/5.0/RT/REST2.html */
export function createRtApi(account: Account) {
  const base = baseUrl(account)
  const rules = { label, base: () => `${base}/REST/2.0`, signIn }
  const http = openHttp(account, { ...rules, answers: { 404: 'refused' } })
  const creating = openHttp(account, {
    ...rules,
    // A queue that does not exist, or that we may not use, is a 403 about this record, not about our access.
    answers: { 400: 'refused', 403: 'refused', 404: 'refused', 409: 'refused', 422: 'refused' },
    reason: (json) => ({ message: (json as { message?: unknown }).message }),
  })

  /** One page in the order of ids. Without an order a list comes as the database likes it. */
  const list = async (path: string, options: ListOptions): Promise<RawList> => {
    const { query = '', fields, expand = {}, page = 1, perPage = largestPage, withDisabled } = options
    const parameters = new URLSearchParams({
      ...{ fields, orderby: 'id', order: 'ASC', page: String(page), per_page: String(perPage) },
      ...(withDisabled ? { find_disabled_rows: '1' } : {}),
      ...(typeof query === 'string' && query !== '' ? { query } : {}),
    })
    for (const [field, inner] of Object.entries(expand)) parameters.set(`fields[${field}]`, inner)
    const asked = `${path}?${parameters}`
    // Limits go in the body: a hundred of them would make an address that servers in front refuse.
    const limits = query.length === 0 ? [allRows] : query
    const { json } =
      typeof query === 'string' ? await http.ask(asked) : done(await http.send('POST', asked, { json: limits }))
    const { items, total = null } = checkShape(label, listSchema, json, path)
    // An order that it does not know gives a right total and no items.
    if (page === 1 && items.length === 0 && (total ?? 0) > 0) {
      throw new RetryableError('Request Tracker counts records and does not list them')
    }
    return { items: items as RawRecord[], total }
  }

  /** Null when there is none, or when it may not be seen. */
  const look = async (path: string, hidden: readonly number[]) => {
    const { status, json } = await http.look(path, [404, ...hidden])
    const record = status === 200 ? (checkShape(label, createdSchema, json, path) as RawRecord) : null
    return { status, record }
  }

  return {
    base,
    list,

    /** Only a user with the right SuperUser is told the plugins. Null when it is no Request Tracker. */
    async system() {
      const { status, json } = await http.look('/rt', [301, 302, 303, 307, 308, 404])
      return status === 200 && Check(systemSchema, json) ? json : null
    },

    count: async (path: string, query: string | readonly Limit[]): Promise<number | null> =>
      (await list(path, { query, fields: 'id', perPage: 1 })).total,

    /** Every record of a list that stays small. */
    listAll: (path: string, options: ListOptions): Promise<RawRecord[]> =>
      readAll(async (cursor, perPage) => {
        const page = Number(cursor ?? 1)
        const { items } = await list(path, { ...options, page, perPage })
        return { items, next: items.length < perPage ? null : String(page + 1) }
      }, options.perPage ?? largestPage),

    /** Those of the ids that a search finds, and that are `within` another one. */
    listByIds: (path: string, ids: readonly string[], options: ListOptions, within = ''): Promise<RawRecord[]> =>
      inChunks(ids, idsAtOnce, async (some) => {
        const any = anyId(some)
        return (await list(path, { ...options, query: within === '' ? any : `${within} AND (${any})` })).items
      }),

    /** Null when there is none. */
    get: async (path: string): Promise<RawRecord | null> => (await look(path, [])).record,

    /** Whether there is such a record; `isGone` is false for one that may not be seen. */
    async find(path: string): Promise<{ record: RawRecord | null; isGone: boolean }> {
      const { status, record } = await look(path, [403])
      return { record, isGone: status === 404 }
    },

    async create(path: string, body: object): Promise<Created> {
      const sent = await creating.send('POST', path, { json: body })
      if (sent.result === 'refused') return { refused: sent.message }
      return { id: String(checkShape(label, createdSchema, sent.json, path).id) }
    },

    /** Answers 200 even when nothing was changed, with a list of sentences. */
    async update(path: string, body: object): Promise<void> {
      checkShape(label, messagesSchema, done(await http.send('PUT', path, { json: body })).json, path)
    },

    async remove(path: string): Promise<void> {
      await http.send('DELETE', path)
    },
  }
}

/** Some lists are empty unless they are limited by something. */
const allRows: Limit = { field: 'id', operator: '>', value: '0' }

function done(sent: Sent): Sent & { result: 'done' } {
  if (sent.result === 'refused') throw new RetryableError(`Request Tracker answered ${sent.status}`)
  return sent
}

export const baseUrl = ({ access }: Pick<Account, 'access'>): string => instance(access).replace(/\/REST\/2\.0$/i, '')
export const signIn = ({ token }: Account['access']) => ({ authorization: `token ${token}` })

/** Any of these values of a field. */
export function anyOf(field: string, values: readonly string[]): Limit[] {
  return values.map((value, index) => ({ field, value, ...(index > 0 ? { entry_aggregator: 'OR' as const } : {}) }))
}

/** The same in TicketSQL, for ids. */
export const anyId = (ids: readonly string[], field = 'id'): string =>
  ids.map((id) => `${field} = ${Number(id)}`).join(' OR ')
