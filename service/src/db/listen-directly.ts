import type { PgBoss } from 'pg-boss'

/** Properties of pg-boss' own database object beyond its published interface. */
interface OwnDatabase {
  config: object
  listen: NonNullable<ReturnType<PgBoss['getDb']>['listen']>
}

/**
 * Notifications come from the server itself, past a pooler in transaction mode, where nobody can listen. All other
 * statements of the queue go through the pooler.
 */
export function listenDirectly(boss: PgBoss, directUrl: string): void {
  const database = boss.getDb() as unknown as OwnDatabase
  const { listen } = database
  const direct = Object.create(database, {
    config: { value: { ...database.config, connectionString: directUrl } },
  }) as OwnDatabase
  database.listen = (...args) => listen.apply(direct as never, args)
}
