import type { Pool, QueryResult, QueryResultRow } from 'pg'

export interface NamedStatement {
  name: string
  text: string
}

/** The prepared statement of that name is missing, or exists already. In both cases nothing was executed. */
const nameErrors = new Set(['26000', '42P05'])

/** Prepares statements by name; without names behind a pooler that hands each transaction to another connection. */
export function createAskByName(pool: Pool) {
  let hasNames = true
  return async <Row extends QueryResultRow>(
    { name, text }: NamedStatement,
    values: unknown[],
  ): Promise<QueryResult<Row>> => {
    if (!hasNames) return pool.query<Row>(text, values)
    return pool.query<Row>({ name, text, values }).catch((error: { code?: string }) => {
      if (!nameErrors.has(String(error.code))) throw error
      hasNames = false
      return pool.query<Row>(text, values)
    })
  }
}
