/**
 * Every error the HTTP surfaces can answer with, by its public code. `docs/errors.md` lists the same, and a test
 * compares them.
 */
export const publicErrors = {
  bad_request: { status: 400, meaning: 'The request cannot be read: fix its syntax and send it again.' },
  unauthorized: { status: 401, meaning: 'No API token was sent, or it is not valid.' },
  not_found: { status: 404, meaning: 'There is no such path or import, or the import was cancelled or archived.' },
  rate_limited: { status: 429, meaning: 'Too many requests: wait for the time in Retry-After and send it again.' },
  internal: { status: 500, meaning: 'Our fault. The message carries a reference for support.' },
  unavailable: { status: 503, meaning: 'The database cannot be reached at the moment: send the request again later.' },
} as const

export type PublicErrorCode = keyof typeof publicErrors

/** A request that gets one of the public codes. The message is for the person who wrote the request. */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly code: PublicErrorCode
  readonly headers: Record<string, string>
  get status(): number {
    return publicErrors[this.code].status
  }

  constructor(code: PublicErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.code = code
    this.headers = headers
  }
}

/**
 * A valid token that may not do this. The API has no separate code for it: the status 403 distinguishes it from a bad
 * token.
 */
export class ScopeMissingError extends RequestError {
  override name = 'ScopeMissingError'
  override get status(): number {
    return 403
  }

  constructor(message: string) {
    super('unauthorized', message)
  }
}

/** Messages by property; a property is present only when it failed. */
export type FieldMessages = Record<string, string[]>

/** A well-formed request that breaks a rule: 422 with the messages as its body. */
export class ValidationError extends Error {
  override name = 'ValidationError'
  readonly fields: FieldMessages

  constructor(fields: FieldMessages, options: ErrorOptions = {}) {
    super(`validation failed: ${Object.keys(fields).join(', ')}`, options)
    this.fields = fields
  }
}

/** Something that the operator must correct. The CLI and the start print the message and end with code 1. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Somebody else acted first, or the state has changed since the operator saw it. Nothing was changed. */
export class ConflictError extends OperatorError {
  override name = 'ConflictError'
}

/** Whether the error, or one of its causes, refuses an address. undici wraps the error of the address look-up. */
export function isAddressRefusal(error: unknown): boolean {
  const causes = new Set<unknown>()
  // An error of a connector may be its own cause.
  for (let one = error; one instanceof Error && !causes.has(one); one = one.cause) causes.add(one)
  return [...causes].some((one) => one instanceof AddressNotAllowedError)
}

/** The operator has not allowed requests to this address. */
export class AddressNotAllowedError extends Error {
  override name = 'AddressNotAllowedError'
}

/**
 * Another program than expected answers at the address. Its message is for the
 * customer.
 */
export class OtherProgramError extends Error {
  override name = 'OtherProgramError'
}

/** The account on the other side refused permanently, with words that partner and customer may read. */
export class AccountRefusedError extends Error {
  override name = 'AccountRefusedError'
}

/** A temporary failure: the page is tried again, at the earliest after `retryAfterMs`. */
export class RetryableError extends Error {
  override name = 'RetryableError'
  readonly retryAfterMs: number | null
  /** The end of a long wait that a tool asked for; we ask again sooner. */
  readonly askedUntil: Date | null
  /** The account of this error. Set by the code that opened the account. */
  role: 'source' | 'destination' | null = null
  /** The obstacle that repeated failures become: then someone must act. */
  readonly obstacle: ObstacleError | null
  /** Whether the tool would have turned any request away at that moment. So no record is the reason. */
  readonly isForAll: boolean

  constructor(
    message: string,
    options: ErrorOptions & {
      retryAfterMs?: number
      askedUntil?: Date | null
      obstacle?: ObstacleError
      isForAll?: boolean
    } = {},
  ) {
    super(message, options)
    this.isForAll = options.isForAll === true
    this.retryAfterMs = options.retryAfterMs ?? null
    this.askedUntil = options.askedUntil ?? null
    this.obstacle = options.obstacle ?? null
  }
}

/** A limit of the tool says nothing about single records. */
export const isLimit = (error: unknown): boolean => error instanceof RetryableError && error.isForAll

/** A limit that the tool sets is used up for a while. Nothing was sent, and nothing has failed. */
export class BudgetSpentError extends RetryableError {
  override name = 'BudgetSpentError'
  /** Milliseconds until the whole limit is free again. */
  readonly freeMs: number

  constructor(bucket: string, options: { retryAfterMs: number; askedUntil: Date | null; freeMs: number }) {
    super(`the limit ${bucket} of an account is used up`, { ...options, isForAll: true })
    this.freeMs = options.freeMs
  }
}

/** An answer that exceeds our limit. A request for fewer records may get a shorter answer. */
export class AnswerTooLongError extends RetryableError {
  override name = 'AnswerTooLongError'
}

/** A tool answered in an unknown form. The cause may be one record, or the whole tool. */
export class UnreadableAnswerError extends RetryableError {}

/** A connector's answer breaks the contract. The engine does not use it; the author of the connector must mend it. */
export class ConnectorFaultError extends RetryableError {
  override name = 'ConnectorFaultError'

  constructor(tool: string, fault: string, options: ErrorOptions = {}) {
    const message = `the connector for ${tool} does not keep its contract: ${fault}`
    const obstacle = new ObstacleError('connector_broken', 'operator', `T${message.slice(1)}.`)
    super(message, { ...options, obstacle })
  }
}

/** A file that the source no longer has. Its record is refused; the run goes on. */
export class FileMissingError extends Error {
  override name = 'FileMissingError'
}

/**
 * Every obstacle of a run. `docs/operations.md` says what each means and what to type; a test compares.
 */
export const obstacleCodes = [
  'address_wrong',
  'asked_to_wait',
  'authorization_lost',
  'budget_spent',
  'budget_too_small',
  'comments_closed',
  'connector_broken',
  'days_unclear',
  'destination_not_connected',
  'internal',
  'key_field_missing',
  'look_for_mail',
  'marker_missing',
  'no_connector',
  'not_permitted',
  'not_prepared',
  'oauth_client_missing',
  'oauth_client_refused',
  'paused',
  'paused_by_operator',
  'project_archived',
  'protocol_broken',
  'records_not_paid',
  'redirected',
  'requests_refused',
  'source_not_connected',
  'source_page_failing',
  'tool_broken',
  'tool_unreachable',
  'upload_missing',
  'upload_unreadable',
  'web_pages_closed',
] as const

export type ObstacleCode = (typeof obstacleCodes)[number]

export interface ObstacleRecords {
  moved: number
  covered: number
  counted: number | null
}

/** Why a run must pause, and who has to act before it can go on. The message is for that person. */
export class ObstacleError extends Error {
  override name = 'ObstacleError'
  readonly code: ObstacleCode
  readonly mustAct: 'customer' | 'operator'
  /** The account of this error. Set by the code that opened the account. */
  role: 'source' | 'destination' | null = null
  /** Records moved, records allowed and records in the source, if someone must pay for more. */
  readonly records: ObstacleRecords | null

  constructor(
    code: ObstacleCode,
    mustAct: 'customer' | 'operator',
    message: string,
    options: ErrorOptions & { records?: ObstacleRecords } = {},
  ) {
    super(message, options)
    this.code = code
    this.mustAct = mustAct
    this.records = options.records ?? null
  }
}
