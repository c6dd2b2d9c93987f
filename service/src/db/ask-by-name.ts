import type { Pool, QueryResult, QueryResultRow } from 'pg'

export interface NamedStatement {
  name: string
  text: string
}

/** The prepared statement of that name is missing, or exists already. In both cases nothing was executed. */
const nameErrors = new Set(['26000', '42P05'])

/** Pools behind a pooler that hands each transaction to another connection. They prepare nothing. */
const withoutNames = new WeakSet<Pool>()

/** Asks with a statement that is prepared by its name, where that is possible. */
export async function askByName<Row extends QueryResultRow>(
  pool: Pool,
  { name, text }: NamedStatement,
  values: unknown[],
): Promise<QueryResult<Row>> {
  if (withoutNames.has(pool)) return pool.query<Row>(text, values)
  return pool.query<Row>({ name, text, values }).catch((error: { code?: string }) => {
    if (!nameErrors.has(String(error.code))) throw error
    withoutNames.add(pool)
    return pool.query<Row>(text, values)
  })
}
