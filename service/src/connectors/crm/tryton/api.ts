import type { Readable } from 'node:stream'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ObstacleError, RetryableError, UnreadableAnswerError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { sendBytes } from '../../kit/files.ts'
import { checkShape, openHttp, type Sending } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { once } from '../../kit/once.ts'
import { RefusedError } from '../../kit/outcomes.ts'
import { byKey, readAll } from '../../kit/pages.ts'
import { locateDatabase } from './follow-address.ts'
import { fieldsOf, type Model, type RawRow, type Row, shapes, takeRow } from './schema.ts'

export type Domain = unknown[]
export type Values = Record<string, unknown>
export type TrytonApi = ReturnType<typeof createTrytonApi>

/** Tryton does not report how many bytes it received. */
const untold = () => null
const longPage = 1_000
/** The models whose modules may be missing. */
const optional = ['party.party', 'party.relation.all', 'sale.opportunity', 'company.company', 'company.employee']
const again = 'Please connect the account again.'
const notPermitted = (what = 'do what the import needs') =>
  new ObstacleError(
    'not_permitted',
    'customer',
    `Tryton does not let this user ${what}. Please connect it with a user who may.`,
  )

/** JSON-RPC on /<database>/. Errors come with status 200. See https://docs.tryton.org/6.0/ */
export function createTrytonApi(account: Account) {
  const { access, outbound, signal } = account
  const place = locateDatabase(access.instanceUrl)
  const http = openHttp(account, {
    label: 'Tryton',
    base: () => `${place.origin}/${encodeURIComponent(place.database)}`,
    // `withSession` adds the session header to each request.
    signIn: () => ({}),
    answers: { 401: 'refused', 403: 'refused', 404: 'refused', 413: 'refused' },
  })
  const post = (sending: Sending) => http.send('POST', '/', sending)
  let session: Promise<string> | null = null

  const signIn = async (): Promise<string> => {
    const params = [access.username, { password: access.token }, 'en']
    const { status, json } = await post({ json: { id: 0, method: 'common.db.login', params } })
    if (status === 404) {
      throw lockedOut(`There is no Tryton with a database "${place.database}" at this address. ${again}`)
    }
    if (status !== 200) throw lockedOut(`Tryton does not know this user name and password. ${again}`)
    const [userId, key] = readSession(json)
    return `Session ${Buffer.from(`${access.username}:${userId}:${key}`).toString('base64')}`
  }
  /** Requests share one sign-in. A refusal is kept: each wrong password makes Tryton slower for everyone. */
  const currentSession = (): Promise<string> => {
    session ??= signIn().catch((error: unknown) => {
      if (!(error instanceof ObstacleError)) session = null
      throw error
    })
    return session
  }
  const withSession = async <T extends { status: number }>(ask: (authorization: string) => Promise<T>): Promise<T> => {
    const before = currentSession()
    const answer = await ask(await before)
    if (answer.status !== 401) return answer
    // The session has expired or Tryton was restarted. Only the first request that notices it signs in again.
    if (session === before) session = null
    const second = await ask(await currentSession())
    if (second.status === 401) throw lockedOut(`Tryton ended the session at once. ${again}`)
    return second
  }
  const settle = ({ status, json }: { status: number; json: unknown }): unknown => {
    if (status === 401) throw new RetryableError('a session of Tryton ended while a file was sent')
    if (status === 403) throw notPermitted()
    if (status === 404) throw new RetryableError('Tryton answered 404')
    if (status === 413) throw new TrytonRefusal('too_large', 'Tryton does not take that much at once.')
    return readAnswer(json)
  }
  const rpc = async (method: string, params: readonly unknown[]) =>
    settle(await withSession((authorization) => post({ headers: { authorization }, json: { id: 0, method, params } })))
  const preferences = once(async () => {
    const answer = await rpc('model.res.user.get_preferences', [true, {}])
    const { company, employee, language } = checkShape('Tryton', shapes.preferences, answer, 'preferences')
    return { company: company ?? null, employee: employee ?? null, language: language ?? 'en' }
  })
  /** The context of every call: company, language, and the flag that includes archived records. */
  const context = async (): Promise<Values> => {
    const { company, employee, language } = await preferences()
    return {
      language,
      // Without this flag, Tryton leaves archived records out of lists and of a record's children.
      active_test: false,
      company_filter: 'all',
      ...(company === null ? {} : { company }),
      ...(employee === null ? {} : { employee }),
    }
  }
  const call = async (method: string, params: readonly unknown[]) => rpc(method, [...params, await context()])
  /** Tryton refuses a read because of the user's rights, never because of a record. */
  const look = async (model: string, method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await call(`model.${model}.${method}`, params)
    } catch (error) {
      if (!(error instanceof TrytonRefusal)) throw error
      if (error.kind === 'refused') throw notPermitted(`read ${model}`)
      throw new RetryableError(`Tryton stumbled over a search in ${model}`)
    }
  }
  const installed = once(async () => new Set((await rowsIn('ir.model', 'model', optional)).map(({ model }) => model)))
  /** Whether the module of a model is installed. A model that is not has no rows. */
  const has = async (model: string) => !optional.includes(model) || (await installed()).has(model)
  /** Returns rows ordered by id, including archived ones. */
  const search = async (model: string, domain: Domain, fields: readonly string[], limit: number | null = null) => {
    if (!(await has(model))) return []
    const params = [domain, 0, limit, [['id', 'ASC']], fields]
    const found: RawRow[] = checkShape('Tryton', shapes.rows, await look(model, 'search_read', params), model)
    return found
  }
  /** Reads all rows in one request, for short lists, or the first ones up to a limit. */
  const rows = async <M extends Model>(model: M, domain: Domain, fields = fieldsOf(model), limit?: number) =>
    (await search(model, domain, fields, limit)).map((raw) => takeRow(model, raw))
  const rowsIn = async <M extends Model>(
    model: M,
    field: string,
    values: Iterable<number | string>,
    fields?: string[],
    also: Domain = [],
  ): Promise<Row<M>[]> =>
    inChunks([...new Set(values)], longPage, (some) => rows(model, [[field, 'in', some], ...also], fields))

  return {
    ...place,
    preferences,
    context,
    call,
    has,
    search,
    rows,
    rowsIn,
    /** Reads all rows page by page, for long lists. */
    async every<M extends Model>(model: M, fields: readonly string[]): Promise<Row<M>[]> {
      const ask = async (after: string | null, limit: number) => {
        const items = await search(model, [['id', '>', Number(after ?? -1)]], fields, limit)
        return { items, isLast: items.length < limit }
      }
      const walk = byKey(ask, ({ id }) => String(id))
      return (await readAll(walk, longPage)).map((raw) => takeRow(model, raw))
    },
    async namesOf(model: string, ids: Iterable<number>, field: string): Promise<Map<number, string>> {
      const ask = (some: number[]) => search(model, [['id', 'in', some]], [field])
      const found = await inChunks([...new Set(ids)], longPage, ask)
      return new Map(found.map(({ id, [field]: name }) => [id, typeof name === 'string' ? name : '']))
    },
    count: async (model: string, domain: Domain): Promise<number> =>
      (await has(model)) ? checkShape('Tryton', shapes.count, await look(model, 'search_count', [domain]), model) : 0,
    /** Returns the new ids in the order of the values. Tryton creates all rows or none. */
    create: async (model: string, values: readonly Values[]): Promise<number[]> =>
      readIds(await call(`model.${model}.create`, [values]), values.length),
    async write(model: string, ids: readonly number[], values: Values): Promise<void> {
      await call(`model.${model}.write`, [ids, values])
    },
    /** With timestamps, Tryton deletes only if no row has changed since. */
    async remove(model: string, ids: readonly number[], timestamps: Record<string, string> = {}): Promise<void> {
      if (ids.length > 0) await rpc(`model.${model}.delete`, [ids, { ...(await context()), _timestamp: timestamps }])
    },
    async stream(method: string, params: readonly unknown[]): Promise<OutboundStream> {
      const body = JSON.stringify({ id: 0, method, params: [...params, await context()] })
      const answer = await withSession(async (authorization) => {
        const headers = { authorization, 'content-type': 'application/json' }
        const request = { method: 'POST', headers, body, signal } as const
        const opened = await streamFromTool(outbound, `${http.base}/`, request, [401, 403, 404])
        // Destroying an unread body emits an error. Without a listener it would stop the process.
        if (opened.status !== 200) opened.body.on('error', () => {}).destroy()
        return opened
      })
      if (answer.status === 403) throw notPermitted()
      if (answer.status !== 200) throw new RetryableError(`Tryton answered ${answer.status}`)
      return answer
    },
    /** Sends a body made elsewhere. The request cannot be repeated, so an expired session is an error here. */
    async send(body: Readable, size: number): Promise<unknown> {
      const authorization = await currentSession()
      const file = { body, size, contentType: 'application/json' }
      return settle(
        await sendBytes('Tryton', file, untold, ({ headers, ...sending }) =>
          post({ headers: { ...headers, authorization }, ...sending }),
        ),
      )
    },
    urlOf: (model: string, id: number) => `${place.origin}/#${encodeURIComponent(place.database)}/model/${model}/${id}`,
  }
}

export const readIds = (result: unknown, count: number): number[] =>
  checkShape('Tryton', Type.Array(Type.Integer({ minimum: 1 }), { minItems: count, maxItems: count }), result, 'ids')

/**
 * Tryton processed the request and refused it. `refused`: the data break a rule of Tryton. `changed`: someone else
 * changed the row. `fault`: Tryton's program failed. `too_large`: the request is too long. The message is for the
 * customer. Tryton's own message may name records, so it belongs into outcomes and not into logs.
 */
export class TrytonRefusal extends RefusedError {
  override name = 'TrytonRefusal'
  readonly kind: 'refused' | 'changed' | 'fault' | 'too_large'

  constructor(kind: TrytonRefusal['kind'], message: string) {
    super(kind === 'too_large' ? kind : 'refused', message)
    this.kind = kind
  }
}

export const unlessRefused = <T>(act: () => Promise<T>): Promise<T | TrytonRefusal> =>
  act().catch((error: unknown) => {
    if (error instanceof TrytonRefusal) return error
    throw error
  })

const answer = Type.Object({ result: Type.Optional(Type.Unknown()), error: Type.Optional(Type.Unknown()) })
const parts = Type.Array(Type.Unknown())
const userError = Type.Tuple([Type.Union([Type.Literal('UserError'), Type.Literal('UserWarning')]), parts])
const concurrency = Type.Tuple([Type.Literal('ConcurrencyException'), Type.Unknown()])
const session = Type.Tuple([Type.Integer({ minimum: 0 }), Type.String({ minLength: 1 })])
const loginError = Type.Tuple([Type.Literal('LoginException'), parts])

const odd = (what: string) => new UnreadableAnswerError(`Tryton answered with ${what} of an unknown shape`)

export function readAnswer(json: unknown): unknown {
  if (!Check(answer, json)) throw odd('something')
  if (json.error === undefined || json.error === null) {
    if (!('result' in json)) throw odd('something')
    return json.result
  }
  if (Check(concurrency, json.error)) throw new TrytonRefusal('changed', 'It has been changed since.')
  if (Check(userError, json.error)) throw new TrytonRefusal('refused', sentenceOf(json.error))
  // Tryton's program sent a bare message. It may quote any data, so it is not passed on.
  throw new TrytonRefusal('fault', 'Tryton failed to store it and did not say why.')
}

/** A warning has its name before message and description. They come from outside, so they are shortened. */
function sentenceOf([kind, given]: Static<typeof userError>): string {
  const words = (kind === 'UserWarning' ? given.slice(1, 3) : given.slice(0, 2)).filter(
    (entry) => typeof entry === 'string' && entry.trim() !== '',
  )
  return words.join(' ').slice(0, 500) || 'Tryton refused it and did not say why.'
}

export const lockedOut = (why: string) => new ObstacleError('authorization_lost', 'customer', why)

export function readSession(json: unknown): [number, string] {
  if (Check(answer, json) && Check(loginError, json.error)) {
    throw lockedOut(
      'Tryton asks this user for more than a password. Please connect a user who signs in with a password alone.',
    )
  }
  const result = readAnswer(json)
  // Some versions answer a wrong password with null or an empty list, others with 401.
  if (result === null || result === false || (Array.isArray(result) && result.length === 0)) {
    throw lockedOut('Tryton does not know this user name and password.')
  }
  if (!Check(session, result)) throw odd('a session')
  return result
}
