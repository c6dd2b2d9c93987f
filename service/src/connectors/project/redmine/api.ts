import type { Readable } from 'node:stream'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { RetryableError } from '../../../errors.ts'
import { streamFromTool } from '../../../outbound/call-tool.ts'
import type { Account } from '../../contract/contract.ts'
import { sendBytes, toFile } from '../../kit/files.ts'
import { type HttpRules, instance, keyHeader, openHttp, type Query, type Sent } from '../../kit/http.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { withoutNul } from '../../kit/sent-values.ts'
import { type Kind, listOf, parseList, parseWhole, type Raw, take, unwrap } from './schema.ts'

export type RedmineApi = ReturnType<typeof createRedmineApi>

export const { present, done } = refusalsOf('Redmine', [])

/** Redmine's largest page. It silently shortens longer ones. */
const largestPage = 100

const rules: HttpRules = { label: 'Redmine', base: instance, signIn: keyHeader('x-redmine-api-key') }
const uploadSchema = Type.Object({ id: Type.Integer({ minimum: 1 }), token: Type.String({ minLength: 1 }) })
/** Redmine does not tell the length of a stored file. */
const untold = () => null
const errorsSchema = Type.Object({ errors: Type.Array(Type.String()) })

const pathOf = (kind: Kind, id: number | string) => `/${listOf(kind)}/${encodeURIComponent(id)}.json`
const asUser = (login: string | undefined) => (login === undefined ? {} : { 'x-redmine-switch-user': login })

/** Requests to one Redmine (https://www.redmine.org/projects/redmine/wiki/Rest_api). */
export function createRedmineApi(account: Account) {
  const { access, outbound, signal } = account
  const key = rules.signIn(access)
  const http = openHttp(account, rules)
  const { base, look } = http
  /** For changes that Redmine refuses with one of these statuses. */
  const refusing = (...statuses: number[]) =>
    openHttp(account, { ...rules, answers: Object.fromEntries(statuses.map((status) => [status, 'refused' as const])) })
  const changes = refusing(403, 404, 409, 412, 422)
  const uploads = refusing(403, 412, 413, 422)

  const list = async (path: string, name: string, query: Query = {}) =>
    parseList((await http.ask(path, query)).json, name)

  /** Returns null when the record does not exist. */
  const find = async (path: string, name: string, query: Query = {}): Promise<unknown> => {
    const { status, json } = await look(path, [404], query)
    return status === 404 ? null : unwrap(json, name)
  }

  /** Reads a whole list, paged or not. Use it for short lists only. */
  const listAll = (path: string, name: string, query: Query = {}): Promise<unknown[]> => {
    const walk = async (cursor: string | null, limit: number) => {
      const offset = Number(cursor ?? 0)
      const { items, total } = await list(path, name, { ...query, limit, offset })
      const end = offset + items.length
      return { items, next: total === null || items.length === 0 || end >= total ? null : String(end) }
    }
    return readAll(walk, largestPage, 10_000)
  }

  /** Sends one change, as our account or as the user with this login. To a text with NUL Redmine would answer 500. */
  const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, json?: unknown, login?: string) =>
    inWords(await changes.send(method, path, { json: withoutNul(json), headers: asUser(login) }))

  const change = (kind: Kind, id: number | string, attributes: object, login?: string): Promise<Sent> =>
    send('PUT', pathOf(kind, id), { [kind]: attributes }, login)

  return {
    base,
    /** For answers of which only the status counts, such as a redirect. */
    look,
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
    all: async <K extends Kind>(kind: K, query: Query = {}, under = ''): Promise<Raw<K>[]> =>
      (await listAll(`${under}/${listOf(kind)}.json`, listOf(kind), query)).map((item) => take(kind, item)),

    count: async (kind: Kind, query: Query = {}): Promise<number | null> =>
      (await list(`/${listOf(kind)}.json`, listOf(kind), { ...query, limit: 1 })).total,

    /** Changes a record, or makes one. `under` is the path of its parent. `beside` are further parameters. */
    async save<K extends Kind>(
      kind: K,
      id: string | null,
      attributes: object,
      { under = '', login, beside = {} }: { under?: string; login?: string | undefined; beside?: object } = {},
    ) {
      const sent = await (id === null
        ? send('POST', `${under}/${listOf(kind)}.json`, { [kind]: attributes, ...beside }, login)
        : change(kind, id, attributes))
      if (sent.result === 'refused') return sent
      return { ...sent, made: id === null ? take(kind, unwrap(sent.json, kind)) : ({ id: Number(id) } as Raw<K>) }
    },

    remove: (kind: Kind, id: number | string): Promise<Sent> => send('DELETE', pathOf(kind, id)),

    /** Reads the length of a list; null when the account may not see it. */
    async total(name: string): Promise<number | null> {
      const { status, json } = await look(`/${name}.json`, [403, 404], { limit: 1 })
      return status === 200 ? parseList(json, name).total : null
    },

    /** Like `find`, but returns 'hidden' for a record that the account may not see. */
    async findOpen(kind: Kind, id: number | string): Promise<unknown | 'hidden'> {
      const { status, json } = await look(pathOf(kind, id), [403, 404])
      return status === 403 ? 'hidden' : status === 404 ? null : unwrap(json, kind)
    },

    /** Uploads bytes without a parent. Empty files are accepted, other content types are not. */
    async upload(filename: string, body: Readable, size: number | null, login?: string) {
      const sent = await sendBytes('Redmine', { body, size, contentType: null }, untold, (sending) => {
        const headers = { ...sending.headers, ...asUser(login) }
        return uploads.send('POST', '/uploads.json', { ...sending, headers, query: { filename } })
      })
      return parseWhole(uploadSchema, unwrap(done(inWords(sent)).json, 'upload'), 'an upload')
    },

    /** Uses the instance's own address, never an address from an answer. */
    async openFile(id: string) {
      const url = `${base}/attachments/download/${encodeURIComponent(id)}`
      return toFile(await streamFromTool(outbound, url, { headers: key, signal }))
    },

    /** Reads an HTML page, for facts that the API does not tell. */
    page: (path: string): Promise<{ status: number; body: string }> =>
      outbound.request(`${base}${path}`, { headers: { ...key, accept: 'text/html' }, signal, maxBytes: 1024 * 1024 }),
  }
}

/** A refusal gets our code and words. */
function inWords(sent: Sent): Sent {
  if (sent.result === 'done') return sent
  const { status, json } = sent
  if (status === 409) throw new RetryableError('something else changed a Redmine page at the same moment')
  const errors = Check(errorsSchema, json) ? json.errors : null
  // Redmine answers so when two changes of one issue collide. It did not make this one.
  if (status === 422 && errors?.length === 0) {
    throw new RetryableError('something else changed a Redmine issue at the same moment')
  }
  const said = errors?.join('. ').slice(0, 500) ?? 'Redmine refused it without a reason.'
  const [code, message] = refusals[status] ?? ['invalid', said]
  return { ...sent, code, message }
}

const refusals: Record<number, readonly [code: string, message: string]> = {
  403: ['not_allowed', 'Redmine does not allow it: the project may be closed, or the module switched off.'],
  404: ['gone', 'The record that it belongs to is no longer in Redmine.'],
  412: ['user_locked', 'Redmine has no such active user.'],
  413: ['too_large', 'The server says that the file is too large.'],
}
