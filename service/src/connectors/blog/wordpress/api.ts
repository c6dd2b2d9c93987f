import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, RetryableError } from '../../../errors.ts'
import { isLight } from '../../../json-pieces.ts'
import type { ToolAnswer } from '../../../outbound/call-tool.ts'
import { plainWords } from '../../../text/plain-words.ts'
import type { Account } from '../../contract/contract.ts'
import { shapesOf } from '../../kit/entity.ts'
import { basic, checkShape, type HttpRules, type Meaning, openHttp, type Sending, type Sent } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { valueAt } from '../../kit/lens.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { siteAddress } from '../../kit/site-address.ts'
import { type EntityName, entities, type Raw } from './entities.ts'

export type WordpressApi = ReturnType<typeof createWordpressApi>
export type Query = Record<string, string | number>
export type ListName = EntityName | 'users'

export interface BatchRequest {
  method: 'POST' | 'DELETE'
  path: string
  body?: unknown
}

export const largestPage = 100
export const label = 'WordPress'

const text = Type.String()
const identified = Type.Object({ id: Type.Integer({ minimum: 1 }) })
const total = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\d+$' })])
/** With `_envelope`, every answer is HTTP 200 and the real status is inside. */
const envelope = Type.Object({ status: Type.Integer({ minimum: 100, maximum: 599 }) })
/** Without headers, PHP writes `headers` as an empty list. */
const enveloped = (body: TSchema, isCounted: boolean) =>
  Type.Object({
    status: Type.Literal(200),
    body,
    headers: Type.Object({ 'X-WP-Total': isCounted ? total : Type.Optional(total) }),
  })
const listSchema = enveloped(Type.Array(identified), true)
const lookSchema = enveloped(Type.Unknown(), false)
const userSchema = Type.Object({ id: Type.Integer(), name: text, capabilities: Type.Record(text, Type.Unknown()) })
const siteSchema = Type.Object({ name: text })
/** https://developer.wordpress.org/rest-api/extending-the-rest-api/routes-and-endpoints/#error-responses */
export const errorSchema = Type.Object({ code: text, message: text })
const batchSchema = Type.Object({
  responses: Type.Array(Type.Object({ status: Type.Integer(), body: Type.Unknown() })),
})
export const idOf = (json: unknown): number => checkShape(label, identified, json, 'a change').id

export const siteOf = (given: unknown): string =>
  siteAddress(String(given), /\/(wp-admin|wp-json|wp-login\.php|index\.php)(\/.*)?$/)

const rules: HttpRules = {
  label,
  base: ({ instanceUrl }) => siteOf(instanceUrl),
  signIn: basic(
    ({ username }) => String(username),
    ({ token }) => String(token),
  ),
  reason: (json) => json as { code?: unknown; message?: unknown },
  howToReturn: "Please connect it again with an administrator's application password.",
}

/** Errors with status 500 that would occur on every attempt, because WordPress cannot store this file or text. */
const refusedThough500 = new Set([
  'rest_upload_unknown_error',
  'rest_upload_sideload_error',
  'db_insert_error',
  'db_update_error',
  'rest_cannot_delete',
])
/** Codes of refusals that concern our rights, not the record. */
const rights = /^rest_(cannot|forbidden|not_logged_in|user_cannot)/

/** An answer concerns the record only if WordPress itself gives a reason. */
function meaningOf({ status, json }: ToolAnswer<unknown>): Meaning {
  const code = Check(errorSchema, json) ? json.code : null
  if (status === 500) return refusedThough500.has(code ?? '') ? 'refused' : 'usual'
  if (code === null) return status === 403 ? 'broken' : 'usual'
  return status === 403 && rights.test(code) ? 'lost' : 'refused'
}
const answers = { 413: 'refused', ...Object.fromEntries([400, 403, 404, 409, 410, 500].map((one) => [one, meaningOf])) }

export type Use = 'read' | 'write'
/** Rights that we need. Without them, data would be silently missing or every record would be refused. */
const needed: Record<Use, string[]> = {
  read: ['list_users', 'edit_others_posts', 'edit_others_pages', 'edit_private_posts', 'moderate_comments'],
  write: [
    ...['list_users', 'publish_posts', 'publish_pages', 'edit_others_posts', 'edit_others_pages'],
    ...['edit_private_posts', 'delete_others_posts', 'delete_others_pages', 'manage_categories'],
    ...['moderate_comments', 'upload_files'],
  ],
}
export const missingRights = (capabilities: Record<string, unknown>, use: Use): string[] =>
  needed[use].filter((name) => capabilities[name] !== true)

/** Fields to request, so that a page holds only values that we read. */
export const fieldsOf = (name: ListName): string =>
  name === 'users'
    ? 'id,name,email,roles'
    : [...new Set(['id', ...shapesOf(entities[name]).map(([path]) => path)])].join(',')

// This form of the address works with any permalink settings.
export const pathOf = (route: string) => `/?rest_route=${encodeURIComponent(route)}`

export function createWordpressApi(account: Account) {
  const http = openHttp(account, rules)
  const writing = openHttp(account, { ...rules, answers: answers as HttpRules['answers'] & object })

  const ask = async (route: string, query: Query) => {
    const { json } = await http.ask(pathOf(route), { context: 'edit', _envelope: 1, ...query })
    return checkShape(label, envelope, json, 'a list')
  }
  const list = async (name: ListName, query: Query): Promise<{ records: Raw[]; total: number }> => {
    const answer = await ask(`/wp/v2/${name}`, { _fields: fieldsOf(name), ...query })
    refuseEnvelope(answer)
    const { body, headers } = checkShape(label, listSchema, answer, `a list of ${name}`)
    return { records: body as Raw[], total: Number(headers['X-WP-Total']) }
  }

  const count = async (name: ListName, query: Query) =>
    (await list(name, { per_page: 1, _fields: 'id', ...query })).total

  const sendBatch = async (requests: BatchRequest[]): Promise<Sent[]> => {
    const answer = await writing.send('POST', pathOf('/batch/v1'), { json: { requests } })
    if (answer.status === 413) {
      if (requests.length === 1) return [answer]
      const half = Math.ceil(requests.length / 2)
      return [...(await sendBatch(requests.slice(0, half))), ...(await sendBatch(requests.slice(half)))]
    }
    if (answer.result === 'refused') throw new RetryableError(`WordPress refused a batch: ${answer.code}`)
    const { responses } = checkShape(label, batchSchema, answer.json, 'a batch')
    if (responses.length !== requests.length) throw new RetryableError('WordPress answered to a part of a batch')
    return responses.map(({ status, body }) => writing.settle({ status, json: body }))
  }

  return {
    site: http.base,
    http,
    list,
    count,
    has: async (name: ListName, query: Query) => (await count(name, query)) > 0,
    send: (method: 'POST' | 'DELETE', route: string, sending: Sending) => writing.send(method, pathOf(route), sending),

    /** Reads a list that the site may lack or hide; then null. */
    async look(route: string, query: Query): Promise<{ body: unknown; total: number } | null> {
      const answer = await ask(route, query)
      if (answer.status >= 400 && answer.status <= 499) return null
      const { body, headers } = checkShape(label, lookSchema, answer, 'a list')
      return { body, total: Number(headers['X-WP-Total'] ?? 0) }
    },
    me: () => http.get(pathOf('/wp/v2/users/me'), userSchema, { context: 'edit' }),
    siteName: async () =>
      plainWords((await http.get(pathOf('/'), siteSchema, { _fields: 'name' })).name) || new URL(http.base).host,

    /** Deletes a record for good. */
    remove: (name: ListName, id: string | number) =>
      writing.send('DELETE', pathOf(`/wp/v2/${name}/${id}`), { json: { force: true } }),
    /** Returns those of the records that exist, in several requests if needed. */
    listByIds: (name: ListName, ids: readonly (string | number)[], query: Query = {}): Promise<Raw[]> =>
      inChunks(ids.map(Number), largestPage, async (some) => {
        const { records } = await list(name, { ...query, include: some.join(','), per_page: largestPage })
        return records.filter(({ id }) => some.includes(id))
      }),

    /**
     * Sends several requests in one batch, at most 25 and only as many as the site accepts. Returns the answers in the
     * same order.
     */
    batch: async (requests: BatchRequest[]): Promise<Sent[]> =>
      (await sideBySide(groupBySize(requests), 1, sendBatch)).flat(),
  }
}

/** Well below the 1 MB that many web servers accept. A larger request is sent alone. */
const maxBatchBytes = 700_000

function groupBySize(requests: BatchRequest[]): BatchRequest[][] {
  const groups: BatchRequest[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const request of requests) {
    const isLong = !isLight(request, maxBatchBytes)
    const size = isLong ? Number.POSITIVE_INFINITY : Buffer.byteLength(JSON.stringify(request))
    bytes += size
    if (bytes <= maxBatchBytes) groups.at(-1)?.push(request)
    else {
      groups.push([request])
      bytes = size
    }
  }
  return groups
}

function refuseEnvelope(answer: { status: number }): void {
  const { status } = answer
  // If we are not signed in, WordPress reports a request for drafts as a wrong parameter.
  const isForbidden = valueAt(answer, 'body.data.details.status.code') === 'rest_forbidden_status'
  if (status === 401 || status === 403 || isForbidden) {
    const words = `WordPress no longer lets us do this (answered ${status}). ${rules.howToReturn}`
    throw new ObstacleError('authorization_lost', 'customer', words)
  }
  if (status !== 200) throw new RetryableError(`WordPress answered ${status} inside an envelope`)
}
