import type { CompiledQuery } from 'kysely'
import type { QueryResultRow } from 'pg'
import { askByName, type NamedStatement } from './ask-by-name.ts'
import type { Db, OpenDatabase } from './open-database.ts'

export type ReadDatabase = Pick<OpenDatabase, 'db' | 'pool'>

/**
 * A query that is built once for a process, and planned once for a connection. For a large query that finds a few rows
 * by their keys, both take many times as long as the execution. `build` must not look at the values: it gets stand-ins.
 */
export function prepareQuery<Values extends unknown[], Row extends QueryResultRow>(
  name: string,
  build: (db: Db, ...values: Values) => CompiledQuery<Row>,
): (database: ReadDatabase, ...values: Values) => Promise<Row[]> {
  let built: (NamedStatement & { parameters: readonly unknown[] }) | undefined
  const standIns = Array.from({ length: build.length - 1 }, (_, place) => Symbol(`value ${place}`))
  return async ({ db, pool }, ...values) => {
    if (!built) {
      const { sql, parameters } = build(db, ...(standIns as unknown as Values))
      built = { name, text: sql, parameters }
    }
    const bound = built.parameters.map((parameter) => {
      const place = standIns.indexOf(parameter as symbol)
      return place < 0 ? parameter : values[place]
    })
    return (await askByName<Row>(pool, built, bound)).rows
  }
}
