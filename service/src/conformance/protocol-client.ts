import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AnswerCheck,
  answers,
  type FileResult,
  type FoundResult,
  type WriteResult,
} from '../connectors/open/schema.ts'
import type { Outbound, OutboundRequest } from '../outbound/outbound.ts'
import { readRetryAfter } from '../outbound/retry-after.ts'
import { expectThat, MismatchError } from './expectations.ts'

export interface SentRecord {
  external_id: string
  revision?: number
  version?: string
  fields: Record<string, unknown>
  custom_fields?: Record<string, unknown>
  created_at?: string
  updated_at?: string
  parts?: (SentRecord & { entity: string })[]
}

export interface SentFile {
  external_id: string
  entity: string
  /** Further parameters, such as parent, inline and private. */
  more: Record<string, string>
  file_name: string
  contentType?: string
  /** Sent as Content-Length; without it the body is chunked. */
  size?: number
  /** Called for every attempt. */
  open: () => Readable
}

export interface Answer {
  status: number
  json: unknown
}

export interface RawRequest {
  method?: OutboundRequest['method']
  token?: string | null
  headers?: Record<string, string>
  json?: unknown
  body?: string | (() => Readable)
}

export type ProtocolClient = ReturnType<typeof createProtocolClient>

const requestLimitMs = 60_000
/** Files may take longer, because the protocol sets no limit for their total time. */
const fileLimitMs = 15 * 60_000
const maxAnswerBytes = 32 * 1024 * 1024
const mostWaits = 20

/** A client that follows the protocol like our connector. It remembers the records it wrote, and waits after a 429. */
export function createProtocolClient({ url, token, outbound }: { url: string; token: string; outbound: Outbound }) {
  const base = url.replace(/\/+$/, '')
  const written = new Map<string, string>()

  const request = async (path: string, options: RawRequest = {}): Promise<Answer> => {
    const { method = 'GET', headers = {}, json, body } = options
    const sentToken = options.token === undefined ? token : options.token
    for (let waits = 0; ; waits += 1) {
      const content = json === undefined ? (typeof body === 'function' ? body() : body) : JSON.stringify(json)
      const answer = await outbound.request(`${base}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(sentToken !== null && { authorization: `Bearer ${sentToken}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(content !== undefined && { body: content }),
        signal: AbortSignal.timeout(typeof body === 'function' ? fileLimitMs : requestLimitMs),
        maxBytes: maxAnswerBytes,
      })
      if (answer.status !== 429 || waits === mostWaits)
        return { status: answer.status, json: parse(Buffer.concat(answer.pieces).toString()) }
      await sleep(Math.min(readRetryAfter(answer.headers['retry-after'], Date.now()) ?? 1000, 30_000))
    }
  }

  const send = async <T>(check: AnswerCheck<T>, path: string, options: RawRequest): Promise<T> => {
    const { status, json } = await request(path, options)
    expectThat(status === 200, 'status 200', status)
    const fault = check.findFault(json)
    if (fault !== null) throw new MismatchError(`the answer of the protocol (${fault})`, json)
    return json as T
  }
  const records = (entity: string, act = '') => `/records/${encodeURIComponent(entity)}${act}`

  return {
    request,
    /** The entity of each written record, by external id, in the order of writing. */
    written,

    async write(entity: string, batch: readonly SentRecord[]): Promise<WriteResult[]> {
      for (const { external_id, parts = [] } of batch) {
        written.set(external_id, entity)
        for (const part of parts) written.set(part.external_id, part.entity)
      }
      const { results } = await send(answers.write, records(entity), { method: 'PUT', json: { records: batch } })
      expectOrder(batch, results)
      return results
    },

    async find(entity: string, keys: readonly string[]): Promise<FoundResult[]> {
      const json = { external_ids: keys }
      return (await send(answers.find, records(entity, '/find'), { method: 'POST', json })).records
    },

    async remove(
      entity: string,
      batch: readonly { external_id: string; version?: string; revision?: number }[],
    ): Promise<string[]> {
      const json = { records: batch }
      const { results } = await send(answers.remove, records(entity, '/delete'), { method: 'POST', json })
      expectOrder(batch, results)
      return results.map(({ result }) => result)
    },

    statusOfFile: async (file: SentFile) => (await request(filePath(file), fileRequest(file))).status,

    /** Sends a file. An answer with 413 counts as refused. */
    async putFile(file: SentFile): Promise<FileResult> {
      written.set(file.external_id, file.entity)
      const { status, json } = await request(filePath(file), fileRequest(file))
      if (status === 413) return { result: 'refused', code: 'too_large', message: '413' }
      expectThat(status === 200, 'status 200 or 413', status)
      const fault = answers.file.findFault(json)
      if (fault !== null) throw new MismatchError(`the answer of the protocol (${fault})`, json)
      return json as FileResult
    },
  }
}

export function filePath({ external_id, entity, file_name, more }: SentFile): string {
  const parameters = { external_id, entity, file_name, ...more }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `/files?${query.join('&')}`
}

export function fileRequest({ contentType = 'application/octet-stream', size, open }: SentFile): RawRequest {
  const length = size === undefined ? {} : { 'content-length': String(size) }
  return { method: 'PUT', headers: { 'content-type': contentType, ...length }, body: open }
}

function expectOrder(batch: readonly { external_id: string }[], results: readonly { external_id: string }[]): void {
  const ids = (list: readonly { external_id: string }[]) => list.map(({ external_id }) => external_id)
  expectThat(ids(batch).join() === ids(results).join(), 'one result for each record, in the same order', ids(results))
}

/** An answer that is not JSON is shown as plain text. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
