import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { AccountRefusedError, ObstacleError, RetryableError, UnreadableAnswerError } from '../../errors.ts'
import { callTool, refuseStatus, type ToolAnswer, type ToolRequest } from '../../outbound/call-tool.ts'
import { downloadFile } from '../../outbound/download-file.ts'
import { readAskedUntil, readRetryAfter } from '../../outbound/retry-after.ts'
import { sendUnless } from '../../outbound/track-sends.ts'
import { cutText } from '../../text/cut-text.ts'
import type { Account, AccountAccess, AccountInfo, Reader } from '../contract/contract.ts'
import { toFile } from './files.ts'
import { hasShape } from './has-shape.ts'
import { refuseOddKeys } from './odd-keys.ts'

/**
 * The meaning of an answer that is not 2xx.
 * - `refused`: the tool refuses this record. Other records continue.
 * - `lost`: the account is no longer accessible. The customer must connect it again.
 * - `wait`: too many requests. Nothing was done, and the request is retried later.
 * - `unsent`: certainly nothing was done. The request is retried without a search for the record.
 * - `broken`: the tool is out of order. The request is retried; if that fails, the tool's operator must act.
 * - `usual`: the default meaning of the status.
 */
export type Meaning = 'refused' | 'lost' | 'wait' | 'unsent' | 'broken' | 'usual'

export interface HttpRules {
  /** The tool's name for people. */
  label: string
  /** Beginning of every address. A final slash makes no difference. */
  base(access: AccountAccess): string
  /** Headers with the credentials. Computed for each request, because some tools' signatures expire. */
  signIn(access: AccountAccess): Record<string, string>
  /** Meanings of statuses that differ from the default. A function decides by the body. */
  answers?: Readonly<Record<number, Meaning | ((answer: ToolAnswer<unknown>) => Meaning)>>
  /** Extracts the reason from a refusal. Called only for JSON answers. */
  reason?(json: unknown): { code?: unknown; message?: unknown }
  /** The wait in seconds that an answer asks for in another way than by Retry-After. */
  waitOf?(answer: ToolAnswer<unknown>): string | string[] | undefined
  /**
   * Advice for a customer who has lost access, such as the kind of key to connect again with. A function reads the
   * answer, which may name the missing rights.
   */
  howToReturn?: string | ((json: unknown) => string)
  /**
   * The statuses with which the tool answers a change without content. Without content, any other success comes from a
   * server in between. If this is missing, every success may lack content.
   */
  emptyAnswers?: readonly number[]
}

export type Query = Record<string, string | number | boolean | readonly (string | number)[] | null | undefined>

export interface Sending {
  query?: Query
  json?: unknown
  body?: Readable | string | Uint8Array
  headers?: Record<string, string>
}

/** The result of a request that changes something. */
export type Sent =
  | { result: 'done'; status: number; headers: ToolAnswer<unknown>['headers']; json: unknown }
  | {
      result: 'refused'
      status: number
      code: string
      message: string
      json: unknown
      /** True if the request named no existing record: then a 404 concerns the whole list. */
      isOfList?: boolean
    }

export interface Http {
  label: string
  base: string
  /** Returns the JSON answer, checked against the schema. */
  get<S extends TSchema>(path: string, schema: S, query?: Query): Promise<Static<S>>
  /**
   * Returns the whole answer, for lists that name their next page in a header. A query given as text is sent unchanged.
   */
  ask(path: string, query?: Query | string): Promise<ToolAnswer<unknown>>
  /** Like `ask`, but returns answers with these statuses instead of throwing. */
  look(path: string, statuses: readonly number[], query?: Query): Promise<ToolAnswer<unknown>>
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sending?: Sending): Promise<Sent>
  /** Judges an answer that is part of another answer, such as one item of a batch. */
  settle(answer: { status: number; json: unknown; headers?: ToolAnswer<unknown>['headers'] }): Sent
  /** Opens the bytes at a path or at a full address. Only the tool's own host gets the credentials. */
  openFile(address: string): ReturnType<Reader['openFile']>
}

// Ways to sign in.
export const bearer = ({ token }: AccountAccess) => ({ authorization: `Bearer ${token}` })
/** Basic authentication with user and password. Tools that take only a key define what the other part contains. */
export const basic =
  (user: (access: AccountAccess) => string, password: (access: AccountAccess) => string) =>
  (access: AccountAccess) => ({
    authorization: `Basic ${Buffer.from(`${user(access)}:${password(access)}`).toString('base64')}`,
  })
export const keyHeader =
  (name: string) =>
  ({ token }: AccountAccess) => ({ [name]: String(token) })

/** The address that the customer gave, without slashes at the end. */
export const instance = ({ instanceUrl }: AccountAccess): string => String(instanceUrl).trim().replace(/\/+$/, '')

const ruleKeys = 'label base signIn answers reason waitOf howToReturn emptyAnswers'.split(' ')

/**
 * Sends requests to one account of a tool. A request without an answer throws an error that decides what happens next.
 */
export function openHttp({ access, outbound, signal }: Account, rules: HttpRules): Http {
  refuseOddKeys('openHttp', rules, ruleKeys)
  const base = rules.base(access).replace(/\/+$/, '')
  const told = Object.keys(rules.answers ?? {}).map(Number)
  const urlOf = (path: string, query: Query | string = {}) => `${base}${path}${queryOf(query, path.includes('?'))}`

  const call = async (
    path: string,
    request: Omit<ToolRequest, 'signal'> & { query?: Query | string | undefined },
    own: readonly number[] = [],
  ): Promise<ToolAnswer<unknown>> => {
    const { query, ...rest } = request
    const url = urlOf(path, query)
    const headers = { ...rules.signIn(access), ...rest.headers }
    const isUnsent = (answer: ToolAnswer<unknown>) => ['wait', 'unsent'].includes(meaningOf(rules, answer) ?? '')
    const answer = await sendUnless(isUnsent, () =>
      callTool<unknown>(outbound, url, { ...rest, headers, signal }, [...told, ...own, 403]),
    )
    if (!own.includes(answer.status) || isForbiddenPage(answer)) judge(rules, url, answer)
    return answer
  }

  /** A success without content comes from a server in between. It must not count as an empty list. */
  const read = async (path: string, query?: Query | string, own: readonly number[] = []) => {
    const answer = await call(path, { query }, own)
    if (answer.json !== null || own.includes(answer.status)) return answer
    throw unknownShape(rules.label, path)
  }

  const get: Http['get'] = async (path, schema, query) =>
    checkShape(rules.label, schema, (await read(path, query)).json, path)

  return {
    label: rules.label,
    base,
    get,
    ask: (path, query) => read(path, query),
    look: (path, statuses, query) => read(path, query, statuses),
    send: async (method, path, sending = {}) => {
      const sent = settle(rules, urlOf(path), await call(path, { method, ...sending }, told))
      const isEmpty = sent.result === 'done' && sent.json === null
      if (isEmpty && rules.emptyAnswers?.includes(sent.status) === false) throw unknownShape(rules.label, path)
      return sent.result === 'done' ? sent : { ...sent, isOfList: method === 'POST' && !idInPath.test(path) }
    },
    settle: ({ status, json, headers = {} }) => settle(rules, base, { status, statusText: '', headers, json }),
    async openFile(address) {
      const isWhole = /^https?:/i.test(address)
      const isHome = !isWhole || new URL(address).origin === new URL(base).origin
      const headers = isHome ? rules.signIn(access) : {}
      const answer = await downloadFile(outbound, isWhole ? address : urlOf(address), { headers, signal })
      return toFile(answer)
    },
  }
}

/** The numbers and long ids that tools use. */
const idInPath = /\/(\d+|[0-9a-f]{24})(?![^/.?])/i

/** Checks an answer that is useless unless all of it has the expected shape. */
export function checkShape<S extends TSchema>(label: string, schema: S, json: unknown, what: string): Static<S> {
  if (hasShape(schema, json)) return json as Static<S>
  throw unknownShape(label, what)
}

const unknownShape = (label: string, what: string) =>
  new UnreadableAnswerError(`${label} answered ${what.split('?')[0]} with something of an unknown shape`)

/** Signs in once. `words` tell the customer that the key is wrong; every other obstacle has its own message. */
export async function checkAccess(words: string, signIn: () => Promise<AccountInfo>): Promise<AccountInfo> {
  try {
    return await signIn()
  } catch (error) {
    if (!(error instanceof ObstacleError)) throw error
    throw new AccountRefusedError(error.code === 'authorization_lost' ? words : error.message, { cause: error })
  }
}

/** A page in place of a 403 of the tool, as firewalls show it. It does not say that a list or a record is closed. */
const isForbiddenPage = ({ status, headers, json }: ToolAnswer<unknown>): boolean =>
  status === 403 && json === null && /html/i.test(String(headers['content-type']))

/** A page of Cloudflare, which stands in front of many tools. It says nothing about the account either. */
const isOfFirewall = (answer: ToolAnswer<unknown>): boolean =>
  isForbiddenPage(answer) && /cloudflare/i.test(String(answer.headers.server))

function meaningOf({ answers = {} }: HttpRules, answer: ToolAnswer<unknown>): Meaning | undefined {
  if (isOfFirewall(answer)) return 'wait'
  const meaning = answers[answer.status]
  return typeof meaning === 'function' ? meaning(answer) : meaning
}

function settle(rules: HttpRules, url: string, answer: ToolAnswer<unknown>): Sent {
  const { status, headers, json } = answer
  if (meaningOf(rules, answer) === 'refused') return { result: 'refused', status, ...reasonOf(rules, answer), json }
  judge(rules, url, answer)
  return { result: 'done', status, headers, json }
}

/** Throws for every answer that the caller cannot use. A read has no record to refuse, so a refused read is retried. */
function judge(rules: HttpRules, url: string, answer: ToolAnswer<unknown>): void {
  const { status, statusText, headers } = answer
  const meaning = meaningOf(rules, answer) ?? 'usual'
  const answered = `answered ${status} ${statusText}`.trim()
  // A list that the plan withholds. The tool's reason tells more than its status.
  const isWithheld = meaning === 'refused' && (status === 402 || status === 403)
  if (meaning === 'lost' || isWithheld) {
    const { howToReturn = 'Please connect it again.' } = rules
    const advice = typeof howToReturn === 'string' ? howToReturn : howToReturn(answer.json)
    const reason = isWithheld ? reasonOf(rules, answer).message : answered
    const words = `${rules.label} no longer lets us in (${reason}). ${advice}`
    throw new ObstacleError('authorization_lost', 'customer', words)
  }
  if (meaning === 'wait' || meaning === 'unsent') {
    const asked = headers['retry-after'] ?? rules.waitOf?.(answer)
    const retryAfterMs = readRetryAfter(asked, Date.now())
    const askedUntil = readAskedUntil(asked, Date.now())
    throw new RetryableError(`${rules.label} ${answered}`, {
      ...(retryAfterMs !== null && { retryAfterMs, askedUntil }),
      isForAll: meaning === 'wait',
    })
  }
  if (meaning === 'broken') {
    const words = `${rules.label} keeps answering with an error (${status}). Its administrator must repair it.`
    throw new RetryableError(`${rules.label} ${answered}`, {
      obstacle: new ObstacleError('tool_broken', 'operator', words),
    })
  }
  refuseStatus(url, answer)
  // Some tools report an error with a success status.
  if (meaning === 'refused') throw new RetryableError(`${rules.label} ${answered}, but it is an error`)
}

/**
 * Message and code come from outside. Both are shortened, and the code keeps only letters, digits and underscores,
 * because it goes to logs.
 */
function reasonOf(rules: HttpRules, { status, json }: ToolAnswer<unknown>): { code: string; message: string } {
  const { code, message } = json === null ? {} : (rules.reason?.(json) ?? {})
  const words = typeof message === 'string' && message.trim() !== '' ? cutText(message.trim(), 500) : null
  // This status mostly comes from the web server in front of the tool, which sends no JSON.
  if (status === 413) return { code: 'too_large', message: words ?? `It is too large for this ${rules.label}.` }
  return {
    code: (typeof code === 'string' ? code.replace(/\W/g, '').slice(0, 60) : '') || `status_${status}`,
    message: words ?? `${rules.label} answered ${status} and gave no reason.`,
  }
}

/** Encodes a space as %20, because not every tool reads + as a space. */
function queryOf(query: Query | string, isBegun: boolean): string {
  const parts =
    typeof query === 'string'
      ? [query]
      : Object.entries(query).flatMap(([name, value]) => {
          if (value === null || value === undefined) return []
          const text = Array.isArray(value) ? value.join(',') : String(value)
          return [`${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`]
        })
  return parts.length === 0 ? '' : `${isBegun ? '&' : '?'}${parts.join('&')}`
}
