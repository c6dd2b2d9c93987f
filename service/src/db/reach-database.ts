import type { Config } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { EmbeddedPostgresError, openEmbeddedPostgres } from './embedded-postgres.ts'
import { migrateToLatest } from './migrate.ts'

/** The Postgres that the configuration names, at the newest schema. */
export interface ReachedDatabase {
  url: string
  /** Past a pooler, for the few things that need a session of their own; the same as `url` without one. */
  directUrl: string
  /** The place of the data without the password, for people. */
  place: string
  /** Restarts an embedded server that has died; does nothing for any other server. */
  ensureRunning(): Promise<void>
  /** Leaves the database. The last process to leave an embedded server stops it. */
  close(): Promise<void>
}

export async function reachDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'home'>,
  onNotice: (line: string) => void,
): Promise<ReachedDatabase> {
  const reached = config.databaseUrl
    ? external(config.databaseUrl, config.databaseDirectUrl)
    : await embedded(config.home, onNotice)
  try {
    await migrateToLatest(reached.directUrl, onNotice)
    return reached
  } catch (error) {
    await reached.close()
    if (error instanceof OperatorError) throw error
    const hint = config.databaseUrl
      ? ` Check ${config.databaseDirectUrl ? 'DATABASE_URL, WHERRY_DATABASE_DIRECT_URL' : 'DATABASE_URL'}, and that the server runs.`
      : ''
    throw new OperatorError(`The database (${reached.place}) cannot be used: ${describe(error)}.${hint}`, {
      cause: error,
    })
  }
}

function external(url: string, directUrl: string | null): ReachedDatabase {
  const { hostname, port, pathname } = new URL(url)
  return {
    url,
    directUrl: directUrl ?? url,
    place: `Postgres at ${hostname}:${port || 5432}${pathname}`,
    ensureRunning: async () => {},
    close: async () => {},
  }
}

async function embedded(home: string, onNotice: (line: string) => void): Promise<ReachedDatabase> {
  try {
    const server = await openEmbeddedPostgres({ home, onNotice })
    return {
      url: server.url,
      directUrl: server.url,
      place: `embedded Postgres, data in ${server.dataDir}`,
      ensureRunning: () => server.ensureRunning(),
      close: () => server.close(),
    }
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw new OperatorError(error.message, { cause: error })
    throw error
  }
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join(', ')
  return error instanceof Error ? error.message : String(error)
}
