import type { Readable } from 'node:stream'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import { callTool, streamFromTool, type ToolRequest } from '../../../outbound/call-tool.ts'
import type { OutboundStream } from '../../../outbound/outbound.ts'
import type { Account } from '../../contract/contract.ts'
import { parseList, parseWhole, unwrap } from './schema.ts'

type Query = Record<string, string | number>

/** What became of a change: taken, or not, with Redmine's own words. */
export type Sent = { isTaken: true; json: unknown } | { isTaken: false; code: string; message: string }

export type RedmineApi = ReturnType<typeof createRedmineApi>

/** The most that Redmine gives at once; it silently cuts what asks for more. */
export const largestPage = 100
/** Against lists that do not end. */
const maxPages = 10_000

const uploadSchema = Type.Object({ id: Type.Integer({ minimum: 1 }), token: Type.String({ minLength: 1 }) })
const errorsSchema = Type.Object({ errors: Type.Array(Type.String()) })

/** Requests to one Redmine (https://www.redmine.org/projects/redmine/wiki/Rest_api): raw answers out. */
export function createRedmineApi({ access, outbound, signal }: Account) {
  const base = String(access.instanceUrl).replace(/\/+$/, '')
  const call = (path: string, request: Omit<ToolRequest, 'signal'>, expected: readonly number[] = []) =>
    callTool<unknown>(
      outbound,
      `${base}${path}`,
      { ...request, headers: { 'x-redmine-api-key': String(access.token), ...request.headers }, signal },
      expected,
    )
  const withQuery = (path: string, query: Query) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
    return parameters.size === 0 ? path : `${path}?${parameters}`
  }
  const get = async (path: string, query: Query = {}) => (await call(withQuery(path, query), {})).json
  const list = async (path: string, name: string, query: Query = {}) => parseList(await get(path, query), name)

  return {
    base,
    get,
    list,

    /** Null when there is no such thing (any more). */
    async find(path: string, name: string, query: Query = {}): Promise<unknown> {
      const { status, json } = await call(withQuery(path, query), {}, [404])
      return status === 404 ? null : unwrap(json, name)
    },

    /** How many there are; null when the instance does not show them. */
    async total(path: string, name: string): Promise<number | null> {
      const { status, json } = await call(withQuery(path, { limit: 1 }), {}, [403, 404])
      return status === 200 ? parseList(json, name).total : null
    },

    /** Only how it answers; a page that was renamed leads to another. */
    look: async (path: string): Promise<number> => (await call(path, {}, [301, 302, 403, 404, 410])).status,

    /** As `find`, but tells what is there and may not be seen. */
    async findOpen(path: string, name: string): Promise<unknown | 'hidden'> {
      const { status, json } = await call(path, {}, [403, 404])
      return status === 403 ? 'hidden' : status === 404 ? null : unwrap(json, name)
    },

    /** Every item of a list, for lists that stay small; unpaged lists too. */
    async listAll(path: string, name: string, query: Query = {}): Promise<unknown[]> {
      const all: unknown[] = []
      for (let page = 0; page < maxPages; page += 1) {
        const { items, total } = await list(path, name, { ...query, limit: largestPage, offset: all.length })
        all.push(...items)
        if (total === null || items.length === 0 || all.length >= total) return all
      }
      throw new RetryableError(`the list ${path} of a Redmine does not end`)
    },

    /** One change, as the account itself or as the user with this login. */
    async send(method: 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown, login?: string): Promise<Sent> {
      const answer = await call(
        path,
        {
          method,
          ...(json === undefined ? {} : { json: withoutNul(json) }),
          ...(login === undefined ? {} : { headers: { 'x-redmine-switch-user': login } }),
        },
        [403, 404, 409, 412, 422],
      )
      return readSent(answer)
    },

    /** Bytes that belong to nothing yet. Empty files are fine. */
    async upload(fileName: string, body: Readable, size: number | null, login?: string) {
      const headers = {
        'content-type': 'application/octet-stream',
        ...(size === null ? {} : { 'content-length': String(size) }),
        ...(login === undefined ? {} : { 'x-redmine-switch-user': login }),
      }
      const path = withQuery('/uploads.json', { filename: fileName })
      const { status, json } = await call(path, { method: 'POST', headers, body }, [403, 412, 413, 422])
      if (status !== 201) return readSent({ status, json })
      return { isTaken: true as const, json: parseWhole(uploadSchema, unwrap(json, 'upload'), 'an upload') }
    },

    /** By our own address of the instance, never by the one that an answer names. */
    download: (id: string): Promise<OutboundStream> =>
      streamFromTool(outbound, `${base}/attachments/download/${encodeURIComponent(id)}`, {
        headers: { 'x-redmine-api-key': String(access.token) },
        signal,
      }),

    /** A page for people, to learn what the API does not tell. */
    async page(path: string): Promise<{ status: number; body: string }> {
      return await outbound.request(`${base}${path}`, {
        headers: { 'x-redmine-api-key': String(access.token), accept: 'text/html' },
        signal,
        maxBytes: 1024 * 1024,
      })
    },
  }
}

function readSent({ status, json }: { status: number; json: unknown }): Sent {
  if (status < 300) return { isTaken: true, json }
  if (status === 409) throw new RetryableError('something else changed a Redmine page at the same moment')
  const errors = Check(errorsSchema, json) ? (json as { errors: string[] }).errors : null
  // What Redmine answers when two changes of one issue met: this one was not made.
  if (status === 422 && errors?.length === 0) {
    throw new RetryableError('something else changed a Redmine issue at the same moment')
  }
  const said = errors?.join('. ').slice(0, 500)
  if (status === 422)
    return { isTaken: false, code: 'invalid', message: said ?? 'Redmine refused it without a reason.' }
  if (status === 404) return { isTaken: false, code: 'gone', message: 'What it belongs to is no longer in Redmine.' }
  if (status === 413)
    return { isTaken: false, code: 'too_large', message: 'The server says that the file is too large.' }
  if (status === 412) return { isTaken: false, code: 'user_locked', message: 'Redmine has no such active user.' }
  return {
    isTaken: false,
    code: 'not_allowed',
    message: 'Redmine does not allow it: the project may be closed, or the module switched off.',
  }
}

/** The databases under Redmine cannot hold this character; it answers 500. */
function withoutNul(json: unknown): unknown {
  if (typeof json === 'string') return json.replaceAll('\0', '')
  if (Array.isArray(json)) return json.map(withoutNul)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withoutNul(value)]))
}
