/** Every error the HTTP surfaces can answer with, by its public code. `docs/errors.md` lists the same, and a test compares them. */
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

/** A valid token that may not do this. The interface has no code of its own for it: the status tells it from a bad token. */
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

  constructor(fields: FieldMessages) {
    super(`validation failed: ${Object.keys(fields).join(', ')}`)
    this.fields = fields
  }
}

/** Something the operator must put right: shown as it is by the CLI and at start, which then end with code 1. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Somebody else was faster, or the thing is no longer as the operator saw it. Nothing was changed. */
export class ConflictError extends OperatorError {
  override name = 'ConflictError'
}

/** Whether the error, or one of its causes, refuses an address. undici wraps the error of the address look-up. */
export function isAddressRefusal(error: unknown): boolean {
  return (
    error instanceof AddressNotAllowedError ||
    (error instanceof Error && error.cause !== undefined && isAddressRefusal(error.cause))
  )
}

/** The operator has not allowed requests to this address. */
export class AddressNotAllowedError extends Error {
  override name = 'AddressNotAllowedError'
}

/** Something answers at the address, but it is another program than the one that was meant. Its message is for the customer. */
export class OtherProgramError extends Error {
  override name = 'OtherProgramError'
}

/** The account on the other side refused permanently, with words that partner and customer may read. */
export class AccountRefusedError extends Error {
  override name = 'AccountRefusedError'
}

/** Something that may well work the next time: the page is tried again, at the earliest after `retryAfterMs`. */
export class RetryableError extends Error {
  override name = 'RetryableError'
  readonly retryAfterMs: number | null
  /** Until when a tool asked us to wait, if that is long; we ask again sooner. */
  readonly askedUntil: Date | null
  /** The account that it is about. Set by the code that opened the account. */
  role: 'source' | 'destination' | null = null
  /** The obstacle that repeated failures become: then someone must act. */
  readonly obstacle: ObstacleError | null

  constructor(
    message: string,
    options: ErrorOptions & { retryAfterMs?: number; askedUntil?: Date | null; obstacle?: ObstacleError } = {},
  ) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs ?? null
    this.askedUntil = options.askedUntil ?? null
    this.obstacle = options.obstacle ?? null
  }
}

/** A limit that the tool sets is used up for a while. Nothing was sent, and nothing has failed. */
export class BudgetSpentError extends RetryableError {
  override name = 'BudgetSpentError'
  /** Milliseconds until the whole limit is free again. */
  readonly freeMs: number

  constructor(bucket: string, options: { retryAfterMs: number; askedUntil: Date | null; freeMs: number }) {
    super(`the limit ${bucket} of an account is used up`, options)
    this.freeMs = options.freeMs
  }
}

/** An answer that is longer than we read. Asked for less at once, the tool may give one that is not. */
export class AnswerTooLongError extends RetryableError {
  override name = 'AnswerTooLongError'
}

/** A tool answered with something of a form that we do not know. It may be one record that is so, or the tool. */
export class UnreadableAnswerError extends RetryableError {}

/** A connector's answer breaks the contract. The engine does not use it; the author of the connector must mend it. */
export class ConnectorFaultError extends RetryableError {
  override name = 'ConnectorFaultError'

  constructor(tool: string, fault: string) {
    const message = `the connector for ${tool} does not keep its contract: ${fault}`
    super(message, { obstacle: new ObstacleError('connector_broken', 'operator', `T${message.slice(1)}.`) })
  }
}

/** A file that its source does not have any more. Its record is refused; the run goes on. */
export class FileMissingError extends Error {
  override name = 'FileMissingError'
}

/** Every reason why a run can be held up. `docs/operations.md` says what each means and what to type; a test compares. */
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
  /** The account that it is about. Set by the code that opened the account. */
  role: 'source' | 'destination' | null = null
  /** Records that were moved, that may be moved, and that the source has, where someone must pay for more. */
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
