/** The only error that the API returns on purpose. Any other error is a bug and becomes a 500. */
export class DeskError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string> | undefined

  constructor(status: number, code: string, message: string, fields?: Record<string, string>) {
    super(message)
    this.name = 'DeskError'
    this.status = status
    this.code = code
    this.fields = fields
  }
}

export const notFound = (what = 'This address') => new DeskError(404, 'not_found', `${what} does not exist.`)

export const badRequest = (message: string) => new DeskError(400, 'bad_request', message)

export const invalid = (fields: Record<string, string>) =>
  new DeskError(422, 'invalid', 'Some fields are not acceptable.', fields)
