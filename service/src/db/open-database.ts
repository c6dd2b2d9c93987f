import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

export interface OpenDatabase {
  /** For ordinary queries. */
  db: Db
  /** For frequent requests, whose statements are prepared by name. */
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * Drops a connection at once after a time-out. The server may still execute the last statement, so no other statement
 * may follow it, and the next user of the connection must not inherit it.
 */
class ImpatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // The pool listens only while the connection is idle. An error without a listener would end the process.
    this.on('error', () => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: stands for all of pg's overloads at once
  override query(...args: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const result = (super.query as (...all: any[]) => unknown).apply(this, args)
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message === queryTimeoutMessage) (this as unknown as ClientInternals).connection.stream.destroy()
      })
    }
    return result
  }
}

const queryTimeoutMessage = 'Query read timeout'

/** pg's path to its socket, which its types leave out. */
interface ClientInternals {
  connection: { stream: { destroy(): void } }
}

interface OpenOptions {
  poolSize: number
  onLostConnection?: (error: Error) => void
  /** For an operator's command whose statements may take minutes. */
  isPatient?: boolean
}

/** Never waits for long: a database that is gone or frozen must become a 503, not a hanging request. */
export function openDatabase(url: string, options: OpenOptions) {
  const pool = new pg.Pool({
    Client: ImpatientClient,
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: 3_000,
    ...(!options.isPatient && { statement_timeout: 8_000, query_timeout: 10_000 }),
    // A process that freezes inside a transaction must release its rows before others give up.
    idle_in_transaction_session_timeout: 4_000,
    keepAlive: true,
    application_name: 'wherry',
  })
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) => options.onLostConnection?.(error))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() } satisfies OpenDatabase
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57014', // statement timeout
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // starting up or shutting down
  '53300', // too many connections
])

const unavailableMessages =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** True if the database could not answer; false if it answered with an error. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)
  const code = 'code' in error ? String(error.code) : ''
  // pg's own connection errors have no code, only a text.
  return unavailableCodes.has(code) || code.startsWith('08') || unavailableMessages.test(error.message)
}
