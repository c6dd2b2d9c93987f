/** The only error that the API returns on purpose. Any other error is a bug and becomes a 500. */
export class HarbourError extends Error {
  override name = 'HarbourError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const notFound = (what: string) => new HarbourError(404, 'not_found', `${what} does not exist.`)

export const breaksProtocol = (message: string) => new HarbourError(422, 'invalid_request', message)

/** The reason why Harbour refuses one record or file. The rest of the batch is written. */
export interface Refusal {
  code: string
  message: string
  field?: string
}
