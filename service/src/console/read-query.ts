import { ValidationError } from '../errors.ts'
import { readTexts } from '../portal/read-body.ts'

const mostRows = 200
const usualRows = 50

/** Reads named texts from a query. A repeated name is refused. */
export const readQuery = <N extends string>(query: unknown, names: N[]): Record<N, string | null> =>
  readTexts(query, names)

/** Reads the number of rows for a list. */
export function readRows(limit: string | null): number {
  if (limit === null) return usualRows
  const rows = Number(limit)
  if (!/^\d{1,4}$/.test(limit) || rows < 1 || rows > mostRows) {
    throw new ValidationError({ limit: [`must be a whole number from 1 to ${mostRows}`] })
  }
  return rows
}

/** Reads one of the choices, or undefined if none is given. */
export function readChoice<C extends string>(name: string, given: string | null, choices: readonly C[]): C | undefined {
  if (given === null) return undefined
  const choice = choices.find((one) => one === given)
  if (choice === undefined) throw new ValidationError({ [name]: [`must be one of ${choices.join(', ')}`] })
  return choice
}
