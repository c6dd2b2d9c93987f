import type { Readable } from 'node:stream'
import { Check } from 'typebox/value'
import { ObstacleError, RetryableError } from '../../errors.ts'
import { isLight } from '../../json-pieces.ts'
import { callTool, streamFromTool } from '../../outbound/call-tool.ts'
import type { OutboundStream } from '../../outbound/outbound.ts'
import { plainWords } from '../../text/plain-words.ts'
import type { Account } from '../contract.ts'
import {
  batchSchema,
  envelopeSchema,
  errorSchema,
  fieldsOf,
  forbiddenStatusSchema,
  type ListName,
  listSchema,
  lookSchema,
  parseWhole,
  type RawRecord,
  siteSchema,
  userSchema,
} from './schema.ts'

export type WordpressApi = ReturnType<typeof createWordpressApi>
export type Query = Record<string, string | number>

/** What became of one request to write or remove something. */
export type Answer =
  | { result: 'done'; json: unknown }
  | { result: 'refused'; code: string; message: string; status: number; data: unknown }

export interface BatchRequest {
  method: 'POST' | 'DELETE'
  path: string
  body?: unknown
}

/** The most that a list gives and takes at once. */
export const largestPage = 100

/** One site: requests, raw answers out. */
export function createWordpressApi({ access, outbound, signal }: Account) {
  const site = siteAddress(String(access.instanceUrl))
  const authorization = `Basic ${Buffer.from(`${access.username}:${access.token}`).toString('base64')}`
  // This form of the address works whatever the site's permalinks are.
  const urlOf = (route: string, query: Query = {}) =>
    `${site}/?${new URLSearchParams([['rest_route', route], ...Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string])])}`

  const get = async (route: string, query: Query) =>
    (await callTool<unknown>(outbound, urlOf(route, query), { headers: { authorization }, signal })).json

  const list = async (name: ListName, query: Query): Promise<{ records: RawRecord[]; total: number }> => {
    const asked = { context: 'edit', _fields: fieldsOf(name), _envelope: 1, ...query }
    const answer = await get(`/wp/v2/${name}`, asked)
    refuseEnvelope(answer)
    const { body, headers } = parseWhole(listSchema, answer, `a list of ${name}`)
    return { records: body, total: Number(headers['X-WP-Total']) }
  }

  /** A list that a site may not have, or not show; null then. */
  const look = async (route: string, query: Query): Promise<{ body: unknown; total: number } | null> => {
    const answer = await get(route, { context: 'edit', _envelope: 1, ...query })
    const { status } = parseWhole(envelopeSchema, answer, 'a list')
    if (status >= 400 && status <= 499) return null
    const { body, headers } = parseWhole(lookSchema, answer, 'a list')
    return { body, total: Number(headers['X-WP-Total'] ?? 0) }
  }

  const send = async (
    method: 'POST' | 'DELETE',
    route: string,
    body: { json: unknown } | { headers: Record<string, string>; stream: Readable },
    query: Query = {},
  ): Promise<Answer> => {
    const { status, json } = await callTool<unknown>(
      outbound,
      urlOf(route, query),
      {
        method,
        signal,
        ...('json' in body
          ? { json: body.json, headers: { authorization } }
          : { headers: { authorization, ...body.headers }, body: body.stream }),
      },
      [...refusals, 500],
    )
    return toAnswer(status, json)
  }

  const sendBatch = async (requests: BatchRequest[]): Promise<Answer[]> => {
    const request = { method: 'POST' as const, json: { requests }, headers: { authorization }, signal }
    const { status, json } = await callTool<unknown>(outbound, urlOf('/batch/v1'), request, [413])
    if (status === 413) {
      if (requests.length === 1) return [toAnswer(413, null)]
      const half = Math.ceil(requests.length / 2)
      return [...(await sendBatch(requests.slice(0, half))), ...(await sendBatch(requests.slice(half)))]
    }
    const { responses } = parseWhole(batchSchema, json, 'answers to a batch')
    if (responses.length !== requests.length) throw new RetryableError('WordPress answered to a part of a batch')
    return responses.map((response) => toAnswer(response.status, response.body))
  }

  return {
    site,
    list,
    look,
    send,
    /** One record by its route, whatever comes of it. */
    probe: (route: string, query: Query) =>
      callTool<unknown>(outbound, urlOf(route, query), { headers: { authorization }, signal }, [403, 404, 410]),
    me: async () => parseWhole(userSchema, await get('/wp/v2/users/me', { context: 'edit' }), 'a user'),
    siteName: async () => plainWords(parseWhole(siteSchema, await get('/', { _fields: 'name' }), 'a site').name),

    /** These records, as far as they exist; ids beyond the largest page are asked for in turns. */
    async listByIds(name: ListName, ids: readonly number[], query: Query = {}): Promise<RawRecord[]> {
      const found: RawRecord[] = []
      for (let at = 0; at < ids.length; at += largestPage) {
        const some = ids.slice(at, at + largestPage)
        const { records } = await list(name, { ...query, include: some.join(','), per_page: largestPage })
        found.push(...records.filter(({ id }) => some.includes(id)))
      }
      return found
    },

    /** As many requests in one as the site bears, at most 25; answers in their order. */
    async batch(requests: BatchRequest[]): Promise<Answer[]> {
      const answers: Answer[] = []
      for (const group of groupBySize(requests)) answers.push(...(await sendBatch(group)))
      return answers
    },

    /** Files are public, wherever they lie; nobody else's server is told who we are. */
    file: (url: string): Promise<OutboundStream> => streamFromTool(outbound, url, { signal }),
  }
}

/** Well below the 1 MB that many web servers take; one that is larger goes alone. */
const maxBatchBytes = 700_000

function groupBySize(requests: BatchRequest[]): BatchRequest[][] {
  const groups: BatchRequest[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const request of requests) {
    const isLong = !isLight(request, maxBatchBytes)
    const size = isLong ? Number.POSITIVE_INFINITY : Buffer.byteLength(JSON.stringify(request))
    bytes += size
    if (bytes > maxBatchBytes) {
      groups.push([])
      bytes = size
    }
    groups.at(-1)?.push(request)
  }
  return groups
}

/** Answers that speak of the record that was sent. 413 is the web server's. */
const refusals = [400, 403, 404, 409, 410, 413]
/** Faults by their status, but they would come again each time: the file or text is what WordPress cannot take. */
const refusedThough500 = new Set([
  'rest_upload_unknown_error',
  'rest_upload_sideload_error',
  'db_insert_error',
  'db_update_error',
  'rest_cannot_delete',
])
/** Refusals that speak of us. */
const rights = /^rest_(cannot|forbidden|not_logged_in|user_cannot)/

function toAnswer(status: number, json: unknown): Answer {
  if (status >= 200 && status <= 299) return { result: 'done', json }
  const isError = Check(errorSchema, json)
  const code = isError ? json.code : ''
  if (status === 401 || (status === 403 && rights.test(code))) throw lostAccess(status)
  const isRefusal = refusals.includes(status) || (status === 500 && refusedThough500.has(code))
  if (status === 413) {
    return { result: 'refused', code: 'too_large', message: 'It is too large for this site.', status, data: null }
  }
  if (!isRefusal || !isError) throw new RetryableError(`WordPress answered ${status} ${plainCode(code)}`.trim())
  return { result: 'refused', code: plainCode(code), message: json.message.slice(0, 500), status, data: json.data }
}

function refuseEnvelope(answer: unknown): void {
  const { status } = parseWhole(envelopeSchema, answer, 'a list')
  // To ask for drafts without being signed in counts as a wrong parameter.
  if (status === 401 || status === 403 || Check(forbiddenStatusSchema, answer)) throw lostAccess(status)
  if (status !== 200) throw new RetryableError(`WordPress answered ${status} inside an envelope`)
}

/** Codes come from outside and go to logs. */
const plainCode = (code: string) => code.replace(/\W/g, '').slice(0, 60)

const lostAccess = (status: number) =>
  new ObstacleError(
    'authorization_lost',
    'customer',
    `WordPress no longer lets us do this (answered ${status}). Please connect it again with an administrator's application password.`,
  )

/** People copy whatever their browser shows. */
export function siteAddress(given: string): string {
  return given
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/(wp-admin|wp-json|wp-login\.php|index\.php)(\/.*)?$/, '')
    .replace(/\/+$/, '')
}
