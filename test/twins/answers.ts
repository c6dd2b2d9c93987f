import type { IncomingHttpHeaders } from 'node:http'

/** A request as the rules of a tool see it: already checked and parsed. */
export interface TwinRequest {
  method: string
  /** The twin's address, such as `http://127.0.0.1:4000`. */
  origin: string
  url: URL
  query: URLSearchParams
  /** The values of the parameters in the operation's path. */
  params: Readonly<Record<string, string>>
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the checker has compared it with the schema of the operation
  json: any
  form: FormData | null
  /** The bytes of the form's files, by the name of the part. */
  files: ReadonlyMap<string, Buffer>
  bytes: Buffer
}

export interface TwinAnswer {
  status: number
  headers?: Record<string, string>
  json?: unknown
  body?: string | Buffer
}

/** An answer, such as a refusal, that ends a rule early. */
export class AnswerError extends Error {
  readonly answer: TwinAnswer
  constructor(answer: TwinAnswer) {
    super(`answers ${answer.status}`)
    this.answer = answer
  }
}

export const answer = (status: number, json?: unknown, headers?: Record<string, string>): TwinAnswer => ({
  status,
  ...(json === undefined ? {} : { json }),
  ...(headers && { headers }),
})

export function refuse(status: number, json: unknown, headers?: Record<string, string>): never {
  throw new AnswerError(answer(status, json, headers))
}
