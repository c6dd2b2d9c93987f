import { Check } from 'typebox/value'
import { ObstacleError, RetryableError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { OutboundRequest, OutboundStream } from '../../../outbound/outbound.ts'
import { type FormFile, streamForm } from '../../../outbound/stream-form.ts'
import type { Account } from '../../contract/contract.ts'
import { dropBytes as discard } from '../../kit/files.ts'
import { checkShape, instance, openHttp, type Query, type Sent } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { createdSchema, type Kind, listSchema, messagesSchema, type Raw, systemSchema, take } from './lenses.ts'

/** The maximum page size of a list, even if a request asks for more. */
const largestPage = 100

export interface ListOptions {
  /** TicketSQL for tickets and transactions. Other lists take limits, and ignore limits that they do not know. */
  query?: string | Limit[]
  /** Field names, separated by commas. */
  fields: string
  /** Fields to read of the record that a field refers to. */
  expand?: Record<string, string>
  page?: number
  perPage?: number
  /** Whether to include disabled records. Request Tracker disables users and queues instead of deleting them. */
  withDisabled?: boolean
}

export interface Limit {
  field: string
  value: string
  operator?: string
  entry_aggregator?: 'OR'
  case_sensitive?: 1
}

export type RtApi = ReturnType<typeof createRtApi>

export const label = 'Request Tracker'
/** The number of ids in one search. More ids make an address that proxies refuse as too long. */
const idsAtOnce = 50

/** REST 2.0 of one Request Tracker: https://docs.bestpractical.com/rt/5.0/RT/REST2.html */
export function createRtApi(account: Account) {
  const base = instance(account.access).replace(/\/REST\/2\.0$/i, '')
  const rules = { label, base: () => `${base}/REST/2.0`, signIn }
  const http = openHttp(account, { ...rules, answers: { 404: 'refused' } })
  const creating = openHttp(account, {
    ...rules,
    // 403 concerns one record here: a queue that does not exist, or that we may not use.
    answers: { 400: 'refused', 403: 'refused', 404: 'refused', 409: 'refused', 422: 'refused' },
    reason: (json) => ({ message: (json as { message?: unknown }).message }),
  })

  /** Sorts by id: Request Tracker's own order is random. `total` is null if the user may not see every record. */
  const list = async (path: string, options: ListOptions) => {
    const { query, fields, expand = {}, page = 1, perPage = largestPage, withDisabled } = options
    const inner = Object.entries(expand).map(([field, names]) => [`fields[${field}]`, names])
    const asked: Query = {
      ...{ fields, orderby: 'id', order: 'ASC', page, per_page: perPage, ...Object.fromEntries(inner) },
      find_disabled_rows: withDisabled ? 1 : null,
    }
    // Limits are sent in the body: in the address, a hundred limits would be too long for proxies.
    const { json } = Array.isArray(query)
      ? done(await http.send('POST', path, { query: asked, json: query.length === 0 ? [allRows] : query }))
      : await http.ask(path, { ...asked, query: query as string | undefined })
    const { items, total = null } = checkShape(label, listSchema, json, path)
    // With an unknown sort order, Request Tracker counts records but lists none.
    if (page === 1 && items.length === 0 && (total ?? 0) > 0) {
      throw new RetryableError('Request Tracker counts records and does not list them')
    }
    return { items: items as RawRecord[], total }
  }

  /** `record` is null for a record that does not exist, and for these other statuses. */
  const look = async (path: string, others: readonly number[] = []) => {
    const { status, json } = await http.look(path, [404, ...others])
    const record = status === 200 ? (checkShape(label, createdSchema, json, path) as RawRecord) : null
    return { status, record }
  }

  return {
    base,
    list,
    ...openWebPages(account, base),

    /** `Plugins` is present only for the right SuperUser. Null if the server is not Request Tracker. */
    async system() {
      const { status, json } = await http.look('/rt', [301, 302, 303, 307, 308, 404])
      return status === 200 && Check(systemSchema, json) ? json : null
    },

    count: async (path: string, query: string | Limit[]): Promise<number | null> =>
      (await list(path, { query, fields: 'id', perPage: 1 })).total,

    all: async <K extends Kind>(kind: K, path: string, options: ListOptions): Promise<Raw<K>[]> => {
      const walk: Walk<RawRecord> = async (cursor, perPage) => {
        const page = Number(cursor ?? 1)
        const { items } = await list(path, { ...options, page, perPage })
        return { items, next: items.length < perPage ? null : String(page + 1) }
      }
      return (await readAll(walk, largestPage)).map((record) => take(kind, record))
    },

    /** The tickets or transactions with these ids that also match the query `within`. */
    listByIds: (path: string, ids: readonly string[], options: ListOptions, within = ''): Promise<RawRecord[]> =>
      inChunks(ids, idsAtOnce, async (some) => {
        const any = anyId(some)
        return (await list(path, { ...options, query: within === '' ? any : `${within} AND (${any})` })).items
      }),

    look,
    get: async (path: string): Promise<RawRecord | null> => (await look(path)).record,
    async one<K extends Kind>(kind: K, path: string): Promise<Raw<K> | null> {
      const { record } = await look(path)
      return record && take(kind, record)
    },

    /** A refusal holds Request Tracker's message. */
    async create(path: string, body: object): Promise<{ id: string } | { refused: string }> {
      const sent = await creating.send('POST', path, { json: body })
      if (sent.result === 'refused') return { refused: sent.message }
      return { id: String(checkShape(label, createdSchema, sent.json, path).id) }
    },

    /** Request Tracker answers 200 with a list of messages, even if nothing changed. */
    async update(path: string, body: object): Promise<Sent> {
      const sent = done(await http.send('PUT', path, { json: body }))
      checkShape(label, messagesSchema, sent.json, path)
      return sent
    },

    remove: (path: string): Promise<Sent> => http.send('DELETE', path),
  }
}

/** A limit that matches every record. Some lists return nothing without a limit. */
const allRows: Limit = { field: 'id', operator: '>', value: '0' }

function done(sent: Sent): Sent & { result: 'done' } {
  if (sent.result === 'refused') throw new RetryableError(`Request Tracker answered ${sent.status}`)
  return sent
}

export const anyOf = (field: string, values: readonly string[]): Limit[] =>
  values.map((value, index) => ({ field, value, ...(index > 0 ? { entry_aggregator: 'OR' as const } : {}) }))

export const anyId = (ids: readonly string[], field = 'id'): string =>
  ids.map((id) => `${field} = ${Number(id)}`).join(' OR ')

const usesOfSession = 100

export const signIn = ({ token }: Account['access']) => ({ authorization: `token ${token}` })

/**
 * Request Tracker's web pages, which accept the token, too. REST 2.0 lacks three things: a message that mails nobody,
 * an empty file, and a file in its original bytes.
 */
export function openWebPages({ access, outbound, signal }: Account, base: string) {
  // The session cookie. Without it, every request would add a session to Request Tracker's database. Each form adds its
  // result to the session, so we start a new session after some requests.
  let cookie: string | null = null
  let uses = 0

  const send = async (path: string, request: Omit<OutboundRequest, 'signal'>, expected: readonly number[]) => {
    const headers = {
      ...signIn(access),
      // Request Tracker accepts a form only with a referer of its configured address.
      referer: `${base}/`,
      ...(cookie === null ? {} : { cookie }),
      ...request.headers,
    }
    const answer = await streamFromTool(outbound, `${base}${path}`, { ...request, headers, signal }, [302, ...expected])
    uses = (uses + 1) % usesOfSession
    cookie = uses === 0 ? null : (sessionOf(answer.headers['set-cookie']) ?? cookie)
    if (answer.status === 302 && /\/NoAuth\/Login/i.test(String(answer.headers.location))) {
      discard(answer)
      throw new ObstacleError(
        'web_pages_closed',
        'customer',
        'The pages of Request Tracker do not accept the token. Make its address reachable without another sign-in in front.',
      )
    }
    return answer
  }

  return {
    /** Sends the form for messages. 302 means that Request Tracker processed it; the caller must check the effect. */
    async submit(words: readonly (readonly [string, string])[], file: FormFile | null = null): Promise<number> {
      const { stream, headers, sent } = streamForm(words, file)
      const request = { method: 'POST' as const, headers, body: stream }
      const answer = await send('/Ticket/Update.html', request, [403, 404]).catch((error: unknown) => {
        // If the source of the file broke off, the request failed because of it, so the source's error counts.
        throw sent.failure ?? error
      })
      discard(answer)
      return answer.status
    },

    /** The bytes of the attachment at `<transaction>/<attachment>`. Null if it does not exist. */
    async download(place: string): Promise<OutboundStream | null> {
      const answer = await send(`/Ticket/Attachment/${place}/`, { method: 'GET' }, [404])
      if (answer.status === 200) return answer
      discard(answer)
      return null
    },
  }
}

function sessionOf(header: string | string[] | undefined): string | null {
  const first = [header ?? []].flat().find((line) => line.startsWith('RT_SID'))
  return first?.split(';')[0] ?? null
}
