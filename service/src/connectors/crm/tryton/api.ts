import type { Readable } from 'node:stream'
import { ObstacleError, RetryableError } from '../../../errors.ts'
import { callTool } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { locateDatabase, type Place } from './locate-database.ts'
import {
  type Preferences,
  parseAnswer,
  parseCount,
  parseIds,
  parsePreferences,
  parseRows,
  parseSession,
  type RawRow,
} from './schema.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

export type Domain = unknown[]

export interface TrytonApi extends Place {
  /** The user's own company, employee and language, as far as there are any. */
  preferences(): Promise<Preferences>
  /** In the order of ids. Archived records are found like any other. */
  search(model: string, domain: Domain, options: { fields: readonly string[]; limit?: number }): Promise<RawRow[]>
  count(model: string, domain: Domain): Promise<number>
  /** Ids in the order of the values. All or nothing. */
  create(model: string, values: readonly Record<string, unknown>[]): Promise<number[]>
  write(model: string, ids: readonly number[], values: Record<string, unknown>): Promise<void>
  /** With timestamps only if no record is newer. */
  remove(model: string, ids: readonly number[], timestamps?: Record<string, string>): Promise<void>
  /** What goes along with every call: the company, the language, and that archived records count. */
  context(): Promise<Record<string, unknown>>
  /** Any other method; the context is added. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** The answer of a read, unparsed. */
  stream(method: string, params: readonly unknown[]): Promise<OutboundStream>
  /** A request whose body is made elsewhere. It cannot be repeated, so a dead session is an error here. */
  send(body: Readable, length: number): Promise<unknown>
  /** Where people see a record, in the web client. */
  urlOf(model: string, id: number): string
}

const lockedOut = (why: string) =>
  new ObstacleError('authorization_lost', 'customer', `${why}. Please connect the account again.`)
const notPermitted = (what = 'do what the import needs') =>
  new ObstacleError(
    'not_permitted',
    'customer',
    `Tryton does not let this user ${what}. Please connect it with a user who may.`,
  )

/** JSON-RPC on /<database>/; whatever goes wrong inside comes with status 200. https://docs.tryton.org/6.0/ */
export function createTrytonApi({ access, outbound, signal }: Account): TrytonApi {
  const place = locateDatabase(access.instanceUrl)
  const url = `${place.origin}/${encodeURIComponent(place.database)}/`
  let session: Promise<string> | null = null
  let settings: ReturnType<TrytonApi['preferences']> | null = null

  const signIn = async (): Promise<string> => {
    const params = [access.username, { password: access.token }, 'en']
    const json = { id: 0, method: 'common.db.login', params }
    const answer = await callTool<unknown>(outbound, url, { method: 'POST', json, signal }, [401, 403, 404])
    if (answer.status === 404) throw lockedOut(`There is no Tryton with a database "${place.database}" at this address`)
    if (answer.status !== 200) throw lockedOut('Tryton does not know this user name and password')
    const [userId, key] = parseSession(answer.json)
    return `Session ${Buffer.from(`${access.username}:${userId}:${key}`).toString('base64')}`
  }
  /** One sign-in for all requests. A refusal is remembered: each further wrong password makes Tryton slower, for everyone. */
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
    // It ended, by its age or by a restart. The first request that notices signs in again, once.
    if (session === before) session = null
    const again = await ask(await currentSession())
    if (again.status === 401) throw lockedOut('Tryton ended the session at once')
    return again
  }
  const readAnswer = ({ status, json }: { status: number; json: unknown }): unknown => {
    if (status === 401) throw new RetryableError('a session of Tryton ended while a file was sent')
    if (status === 403) throw notPermitted()
    if (status === 413) throw new TrytonRefusal('too_large', 'Tryton does not take that much at once.')
    return parseAnswer(json)
  }
  const rpc = async (method: string, params: readonly unknown[]) => {
    const json = { id: 0, method, params }
    return readAnswer(
      await withSession((authorization) =>
        callTool<unknown>(outbound, url, { method: 'POST', headers: { authorization }, json, signal }, [401, 403, 413]),
      ),
    )
  }
  const preferences: TrytonApi['preferences'] = () => {
    settings ??= rpc('model.res.user.get_preferences', [true, {}])
      .then(parsePreferences)
      .catch((error: unknown) => {
        settings = null
        throw error
      })
    return settings
  }
  const contextOf = async (extra: Record<string, unknown> = {}) => {
    const { company, employee, language } = await preferences()
    return {
      language,
      // Without it archived records are left out, of lists and of what hangs on a record.
      active_test: false,
      company_filter: 'all',
      ...(company === null ? {} : { company }),
      ...(employee === null ? {} : { employee }),
      ...extra,
    }
  }
  /** A refusal to read is about the user, never about a record. */
  const look = async (model: string, method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await call(`model.${model}.${method}`, params)
    } catch (error) {
      if (!(error instanceof TrytonRefusal)) throw error
      if (error.kind === 'refused') throw notPermitted(`read ${model}`)
      throw new RetryableError(`Tryton stumbled over a search in ${model}`)
    }
  }
  const call: TrytonApi['call'] = async (method, params) => rpc(method, [...params, await contextOf()])

  return {
    ...place,
    preferences,
    context: () => contextOf(),
    call,
    async search(model, domain, { fields, limit = null }: { fields: readonly string[]; limit?: number | null }) {
      const params = [domain, 0, limit, [['id', 'ASC']], fields]
      return parseRows(await look(model, 'search_read', params))
    },
    count: async (model, domain) => parseCount(await look(model, 'search_count', [domain])),
    create: async (model, values) => parseIds(await call(`model.${model}.create`, [values]), values.length),
    async write(model, ids, values) {
      await call(`model.${model}.write`, [ids, values])
    },
    async remove(model, ids, timestamps = {}) {
      await rpc(`model.${model}.delete`, [ids, await contextOf({ _timestamp: timestamps })])
    },
    async stream(method, params) {
      const body = JSON.stringify({ id: 0, method, params: [...params, await contextOf()] })
      const answer = await withSession(async (authorization) => {
        const opened = await openStream(authorization, body)
        // Destroyed unread, it reports an error that nobody else would listen to.
        if (opened.status !== 200) opened.body.on('error', () => {}).destroy()
        return opened
      })
      if (answer.status === 403) throw notPermitted()
      if (answer.status !== 200) throw new RetryableError(`Tryton answered ${answer.status}`)
      return answer
    },
    async send(body, length) {
      const headers = {
        authorization: await currentSession(),
        'content-type': 'application/json',
        'content-length': String(length),
      }
      return readAnswer(
        await callTool<unknown>(outbound, url, { method: 'POST', headers, body, signal }, [401, 403, 413]),
      )
    },
    urlOf: (model, id) => `${place.origin}/#${encodeURIComponent(place.database)}/model/${model}/${id}`,
  }

  async function openStream(authorization: string, body: string): Promise<OutboundStream> {
    try {
      const headers = { authorization, 'content-type': 'application/json' }
      return await outbound.stream(url, { method: 'POST', headers, body, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw new RetryableError('Tryton could not be reached', { cause: error })
    }
  }
}
