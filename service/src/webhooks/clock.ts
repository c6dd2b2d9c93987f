import { type RawBuilder, sql } from 'kysely'

/** The current time, as SQL: the database's clock is the same for every worker. Tests hand in their own. */
export type Clock = () => RawBuilder<Date>

export const databaseClock: Clock = () => sql<Date>`now()`
