import type { Readable } from 'node:stream'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import { callTool, streamFromTool, type ToolRequest } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { instance, keyHeader } from '../../kit/http.ts'
import { RefusedError, refusalsOf } from '../../kit/outcomes.ts'
import { type Kind, listOf, parseList, parseWhole, type Raw, take, unwrap } from './schema.ts'

type Query = Record<string, string | number>

export type Refusal = { isTaken: false; code: string; message: string }
export type Sent = { isTaken: true; json: unknown } | Refusal

export type RedmineApi = ReturnType<typeof createRedmineApi>

export const { present } = refusalsOf('Redmine')

export function taken<S extends { isTaken: true }>(sent: S | Refusal): S {
  if (!sent.isTaken) throw new RefusedError(sent.code, sent.message)
  return sent
}

/** Redmine's largest page. It silently shortens longer ones. */
const largestPage = 100
/** Stops a list that never ends. */
const maxPages = 10_000

const uploadSchema = Type.Object({ id: Type.Integer({ minimum: 1 }), token: Type.String({ minLength: 1 }) })
const errorsSchema = Type.Object({ errors: Type.Array(Type.String()) })

const pathOf = (kind: Kind, id: number | string) => `/${listOf(kind)}/${encodeURIComponent(id)}.json`
const asUser = (login: string | undefined) => (login === undefined ? {} : { 'x-redmine-switch-user': login })

/** Requests to one Redmine (https://www.redmine.org/projects/redmine/wiki/Rest_api). */
export function createRedmineApi({ access, outbound, signal }: Account) {
  const base = instance(access)
  const key = keyHeader('x-redmine-api-key')(access)
  const call = (path: string, request: Omit<ToolRequest, 'signal'>, expected: readonly number[] = []) =>
    callTool<unknown>(
      outbound,
      `${base}${path}`,
      { ...request, headers: { ...key, ...request.headers }, signal },
      expected,
    )
  const look = (path: string, query: Query, expected: readonly number[] = []) => {
    const parameters = new URLSearchParams(query as Record<string, string>)
    return call(parameters.size === 0 ? path : `${path}?${parameters}`, {}, expected)
  }
  const list = async (path: string, name: string, query: Query = {}) => parseList((await look(path, query)).json, name)

  /** Returns null when the record does not exist. */
  const find = async (path: string, name: string, query: Query = {}): Promise<unknown> => {
    const { status, json } = await look(path, query, [404])
    return status === 404 ? null : unwrap(json, name)
  }

  /** Reads a whole list, paged or not. Use it for short lists only. */
  const listAll = async (path: string, name: string, query: Query = {}): Promise<unknown[]> => {
    const all: unknown[] = []
    for (let page = 0; page < maxPages; page += 1) {
      const { items, total } = await list(path, name, { ...query, limit: largestPage, offset: all.length })
      all.push(...items)
      if (total === null || items.length === 0 || all.length >= total) return all
    }
    throw new RetryableError(`the list ${path} of a Redmine does not end`)
  }

  /** Sends one change, as our account or as the user with this login. */
  const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown, login?: string) => {
    const body = json === undefined ? {} : { json: withoutNul(json) }
    return readSent(await call(path, { method, ...body, headers: asUser(login) }, [403, 404, 409, 412, 422]))
  }

  const change = (kind: Kind, id: number | string, attributes: object, login?: string): Promise<Sent> =>
    send('PUT', pathOf(kind, id), { [kind]: attributes }, login)

  return {
    base,
    list,
    find,
    listAll,
    send,
    change,

    async one<K extends Kind>(kind: K, id: number | string, query: Query = {}): Promise<Raw<K> | null> {
      const found = await find(pathOf(kind, id), kind, query)
      return found === null ? null : take(kind, found)
    },

    /** Reads all records of a kind, or only those of one parent. `under` is the parent's path. */
    async all<K extends Kind>(kind: K, query: Query = {}, under = ''): Promise<Raw<K>[]> {
      return (await listAll(`${under}/${listOf(kind)}.json`, listOf(kind), query)).map((item) => take(kind, item))
    },

    async count(kind: Kind, query: Query = {}): Promise<number | null> {
      return (await list(`/${listOf(kind)}.json`, listOf(kind), { ...query, limit: 1 })).total
    },

    /** Changes a record, or makes one. `under` is the path of its parent. `beside` are further parameters. */
    async save<K extends Kind>(
      kind: K,
      id: string | null,
      attributes: object,
      { under = '', login, beside = {} }: { under?: string; login?: string | undefined; beside?: object } = {},
    ): Promise<{ isTaken: true; made: Raw<K> } | Refusal> {
      if (id !== null) {
        const sent = await change(kind, id, attributes)
        return sent.isTaken ? { isTaken: true, made: { id: Number(id) } as Raw<K> } : sent
      }
      const sent = await send('POST', `${under}/${listOf(kind)}.json`, { [kind]: attributes, ...beside }, login)
      return sent.isTaken ? { isTaken: true, made: take(kind, unwrap(sent.json, kind)) } : sent
    },

    remove: (kind: Kind, id: number | string): Promise<Sent> => send('DELETE', pathOf(kind, id)),

    /** Reads the length of a list; null when the account may not see it. */
    async total(path: string, name: string): Promise<number | null> {
      const { status, json } = await look(path, { limit: 1 }, [403, 404])
      return status === 200 ? parseList(json, name).total : null
    },

    /** Returns only the status. A renamed page answers with a redirect. */
    look: async (path: string): Promise<number> => (await call(path, {}, [301, 302, 403, 404, 410])).status,

    /** Like `find`, but returns 'hidden' for a record that the account may not see. */
    async findOpen(kind: Kind, id: number | string): Promise<unknown | 'hidden'> {
      const { status, json } = await call(pathOf(kind, id), {}, [403, 404])
      return status === 403 ? 'hidden' : status === 404 ? null : unwrap(json, kind)
    },

    /** Uploads bytes without a parent. Empty files are accepted. */
    async upload(fileName: string, body: Readable, size: number | null, login?: string) {
      const length: Record<string, string> = size === null ? {} : { 'content-length': String(size) }
      const headers = { 'content-type': 'application/octet-stream', ...length, ...asUser(login) }
      const path = `/uploads.json?${new URLSearchParams({ filename: fileName })}`
      const { json } = taken(readSent(await call(path, { method: 'POST', headers, body }, [403, 412, 413, 422])))
      return parseWhole(uploadSchema, unwrap(json, 'upload'), 'an upload')
    },

    /** Uses the instance's own address, never an address from an answer. */
    download: (id: string): Promise<OutboundStream> =>
      streamFromTool(outbound, `${base}/attachments/download/${encodeURIComponent(id)}`, { headers: key, signal }),

    /** Reads an HTML page, for facts that the API does not tell. */
    page: (path: string): Promise<{ status: number; body: string }> =>
      outbound.request(`${base}${path}`, { headers: { ...key, accept: 'text/html' }, signal, maxBytes: 1024 * 1024 }),
  }
}

function readSent({ status, json }: { status: number; json: unknown }): Sent {
  if (status < 300) return { isTaken: true, json }
  if (status === 409) throw new RetryableError('something else changed a Redmine page at the same moment')
  const errors = Check(errorsSchema, json) ? (json as { errors: string[] }).errors : null
  // Redmine answers so when two changes of one issue collide. It did not make this one.
  if (status === 422 && errors?.length === 0) {
    throw new RetryableError('something else changed a Redmine issue at the same moment')
  }
  const said = errors?.join('. ').slice(0, 500) ?? 'Redmine refused it without a reason.'
  const [code, message] = refusals[status] ?? ['invalid', said]
  return { isTaken: false, code, message }
}

const refusals: Record<number, readonly [code: string, message: string]> = {
  403: ['not_allowed', 'Redmine does not allow it: the project may be closed, or the module switched off.'],
  404: ['gone', 'The record that it belongs to is no longer in Redmine.'],
  412: ['user_locked', 'Redmine has no such active user.'],
  413: ['too_large', 'The server says that the file is too large.'],
}

/** Redmine's databases cannot store NUL: it would answer 500. */
function withoutNul(json: unknown): unknown {
  if (typeof json === 'string') return json.replaceAll('\0', '')
  if (Array.isArray(json)) return json.map(withoutNul)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withoutNul(value)]))
}
