import type { NewImport } from './types.ts'

/** Error codes of the API. A 422 has no code of its own; here it gets `validation_failed`. */
export type ApiErrorCode = 'bad_request' | 'unauthorized' | 'not_found' | 'rate_limited' | 'internal' | 'unavailable'

export type WherryErrorCode = ApiErrorCode | 'validation_failed' | 'unexpected_answer'

/**
 * Names of fields in error messages. `destination` is the whole account. `payment` is a decision that came too late.
 */
export type FieldName = keyof NewImport | 'destination' | 'payment' | 'idempotency_key'

/** Messages by field. Only fields with errors are present. */
export type FieldMessages = { [Name in FieldName]?: string[] } & { [name: string]: string[] | undefined }

/** The API answered with an error. With the code `validation_failed`, `fields` says what to correct. */
export class WherryError extends Error {
  override name = 'WherryError'
  readonly status: number
  readonly code: WherryErrorCode
  readonly fields: FieldMessages
  /** For 429 and 503: how long to wait before the next attempt. */
  readonly retryAfterSeconds: number | null
  /** The id of the request. Quote it to support. */
  readonly requestId: string | null

  constructor(details: {
    status: number
    code: WherryErrorCode
    message: string
    fields?: FieldMessages
    retryAfterSeconds?: number | null
    requestId?: string | null
  }) {
    super(details.message)
    this.status = details.status
    this.code = details.code
    this.fields = details.fields ?? {}
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.requestId = details.requestId ?? null
  }
}

/** No attempt got an answer, because of the network, the address or the time limit. `cause` is the last failure. */
export class WherryConnectionError extends Error {
  override name = 'WherryConnectionError'
}

/** Converts an answer to an error. A proxy may have written the answer, so every part of it is checked. */
export function errorFrom(answer: Response, body: unknown): WherryError {
  const properties = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const { status } = answer
  const common = {
    status,
    retryAfterSeconds: readRetryAfter(answer.headers.get('retry-after')),
    requestId: answer.headers.get('x-request-id'),
  }
  if (status === 422) {
    const fields = readFields(properties)
    return new WherryError({ ...common, code: 'validation_failed', message: describe(fields), fields })
  }
  const isOurs = typeof properties.error === 'string' && typeof properties.message === 'string'
  return new WherryError({
    ...common,
    code: isOurs ? (properties.error as ApiErrorCode) : 'unexpected_answer',
    message: isOurs ? String(properties.message) : `The API answered ${status} ${answer.statusText}`.trim(),
  })
}

/** Returns seconds. The header holds a number or a date. */
export function readRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds))
}

function readFields(properties: Record<string, unknown>): FieldMessages {
  const isMessages = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((message) => typeof message === 'string')
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, string[]] => isMessages(entry[1])),
  )
}

function describe(fields: FieldMessages): string {
  const lines = Object.entries(fields).map(([name, messages = []]) => `${name} ${messages.join(', ')}`)
  return lines.length > 0 ? lines.join('; ') : 'The API answered 422'
}
