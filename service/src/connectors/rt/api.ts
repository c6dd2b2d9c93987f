import type { Static } from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError } from '../../errors.ts'
import { callTool, type ToolRequest } from '../../outbound/call-tool.ts'
import type { Account } from '../contract.ts'
import {
  createdSchema,
  messagesSchema,
  parseList,
  parseWhole,
  type RawList,
  type RawRecord,
  systemSchema,
} from './schema.ts'

/** The most that a list gives at once, whatever is asked for. */
export const largestPage = 100

export interface ListOptions {
  /** TicketSQL for tickets and transactions; for the others a list of limits, of which those it does not know are ignored. */
  query?: string | readonly Limit[]
  fields: readonly string[]
  /** Fields of what a field leads to. */
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

/** What came of a request to create something. The message is Request Tracker's own. */
export type Created = { id: string } | { refused: string }

export type RtApi = ReturnType<typeof createRtApi>

/** REST 2.0 of one Request Tracker: https://docs.bestpractical.com/rt/5.0/RT/REST2.html */
export function createRtApi({ access, outbound, signal }: Account) {
  const base = baseUrl(access.instanceUrl)
  const call = (path: string, request: Omit<ToolRequest, 'signal'> = {}, expected: readonly number[] = []) =>
    callTool<unknown>(
      outbound,
      `${base}/REST/2.0${path}`,
      { ...request, headers: { authorization: `token ${access.token}`, ...request.headers }, signal },
      expected,
    )

  return {
    base,

    /** Only a user with the right SuperUser is told the plugins. Null when it is no Request Tracker. */
    async system() {
      const { status, json } = await call('/rt', {}, [301, 302, 303, 307, 308, 404])
      return status === 200 && Check(systemSchema, json) ? (json as Static<typeof systemSchema>) : null
    },

    /** One page in the order of ids. Without an order a list comes as the database likes it. */
    async list(path: string, options: ListOptions): Promise<RawList> {
      const { query = '', fields, expand = {}, page = 1, perPage = largestPage, withDisabled } = options
      const parameters = new URLSearchParams({
        fields: fields.join(','),
        orderby: 'id',
        order: 'ASC',
        page: String(page),
        per_page: String(perPage),
        ...(withDisabled ? { find_disabled_rows: '1' } : {}),
        ...(typeof query === 'string' && query !== '' ? { query } : {}),
      })
      for (const [field, inner] of Object.entries(expand)) parameters.set(`fields[${field}]`, inner)
      // Limits go in the body: a hundred of them would make an address that servers in front refuse.
      const request: Omit<ToolRequest, 'signal'> =
        typeof query === 'string' ? {} : { method: 'POST', json: query.length === 0 ? [allRows] : query }
      const found = parseList((await call(`${path}?${parameters}`, request)).json)
      // An order that it does not know gives a right total and no items.
      if (page === 1 && found.items.length === 0 && (found.total ?? 0) > 0) {
        throw new RetryableError('Request Tracker counts records and does not list them')
      }
      return found
    },

    /** Every record of a list that stays small. */
    async listAll(path: string, options: ListOptions): Promise<RawRecord[]> {
      const records: RawRecord[] = []
      for (let page = 1; page <= mostPagesOfSmallList; page += 1) {
        const { items } = await this.list(path, { ...options, page })
        records.push(...items)
        if (items.length < (options.perPage ?? largestPage)) return records
      }
      throw new RetryableError(`a list of a Request Tracker does not end: ${path}`)
    },

    /** Null when there is none. */
    async get(path: string): Promise<RawRecord | null> {
      const { status, json } = await call(path, {}, [404])
      if (status === 404) return null
      return parseWhole(createdSchema, json, 'a record')
    },

    /** As `get`, but tells what is there and may not be seen. */
    async look(path: string): Promise<RawRecord | 'hidden' | null> {
      const { status, json } = await call(path, {}, [403, 404])
      if (status !== 200) return status === 404 ? null : 'hidden'
      return parseWhole(createdSchema, json, 'a record')
    },

    async create(path: string, body: object): Promise<Created> {
      // A queue that does not exist, or that we may not use, is a 403 about this record, not about our access.
      const { status, json } = await call(path, { method: 'POST', json: body }, [400, 403, 404, 409, 422])
      if (status >= 400) return { refused: sentenceOf(json) }
      return { id: String(parseWhole(createdSchema, json, 'an id').id) }
    },

    /** Answers 200 even when nothing was changed, with a list of sentences. */
    async update(path: string, body: object): Promise<string[]> {
      const { json } = await call(path, { method: 'PUT', json: body })
      return parseWhole(messagesSchema, json, 'messages').flatMap((message) => message ?? [])
    },

    async remove(path: string): Promise<void> {
      await call(path, { method: 'DELETE' }, [404])
    },
  }
}

/** Against a list whose pages repeat. */
const mostPagesOfSmallList = 1_000
/** Some lists are empty unless they are limited by something. */
const allRows: Limit = { field: 'id', operator: '>', value: '0' }

export function baseUrl(instanceUrl: string | null): string {
  return String(instanceUrl)
    .replace(/\/+$/, '')
    .replace(/\/REST\/2\.0$/i, '')
}

/** The sentence in the body of an error, if it holds one; it comes from outside, so it is cut. */
function sentenceOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null
  const sentence = typeof message === 'string' ? message.replace(/\s+/g, ' ').trim().slice(0, 300) : ''
  return sentence === '' ? 'Request Tracker did not say why.' : sentence
}

/** Any of these values of a field. */
export function anyOf(field: string, values: readonly string[]): Limit[] {
  return values.map((value, index) => ({ field, value, ...(index > 0 ? { entry_aggregator: 'OR' as const } : {}) }))
}
