/** Any answer that is not a success. `fields` tells what to put right when the status is 422. */
export class WherryError extends Error {
  override name = 'WherryError'
  readonly status: number
  /** Machine code, such as `rate_limited`; `validation_failed` for a 422. */
  readonly code: string
  readonly fields: Record<string, string[]>
  /** For 429 and 503: when to try again. */
  readonly retryAfterSeconds: number | null
  /** To be quoted to support. */
  readonly requestId: string | null

  constructor(answer: Response, body: unknown) {
    const properties = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    const isValidation = answer.status === 422
    super(
      isValidation ? describe(properties as Record<string, string[]>) : String(properties.message ?? answer.statusText),
    )
    this.status = answer.status
    this.code = isValidation ? 'validation_failed' : String(properties.error ?? 'unknown')
    this.fields = isValidation ? (properties as Record<string, string[]>) : {}
    this.retryAfterSeconds = Number(answer.headers.get('retry-after')) || null
    this.requestId = answer.headers.get('x-request-id')
  }
}

function describe(fields: Record<string, string[]>): string {
  return Object.entries(fields)
    .map(([name, messages]) => `${name} ${messages.join(', ')}`)
    .join('; ')
}
