import { type RawBuilder, sql } from 'kysely'

/** What time it is, as SQL: the database's clock is the same for every worker. Tests put their own in. */
export type Clock = () => RawBuilder<Date>

export const databaseClock: Clock = () => sql<Date>`now()`
