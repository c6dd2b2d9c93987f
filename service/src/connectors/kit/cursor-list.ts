import Type from 'typebox'
import { UnreadableAnswerError } from '../../errors.ts'
import { hasShape } from './has-shape.ts'
import type { Http, Query } from './http.ts'
import { type RawRecord, valueAt } from './lens.ts'
import { byCursor, type Walk } from './pages.ts'
import { recordsIn } from './records-in.ts'

export interface CursorRules {
  /** Path of the records in an answer, such as `data` or `meta.records`. */
  items: string
  /** Path of the next position. Null ends the list. */
  next: string
  /** True for a tool that omits `next` on the last page. Otherwise an answer without `next` is an error. */
  endsWithout?: boolean
  /** Names of the request parameters for the page size and for the position. */
  size: string
  after: string
}

const position = Type.Union([Type.String({ minLength: 1 }), Type.Integer(), Type.Null()])

/** Lists of a tool that names the next page in each answer. A status listed in `missing` counts as an empty list. */
export const cursorList =
  (http: Http, rules: CursorRules) =>
  (path: string, query: Query, missing: readonly number[] = []): Walk<RawRecord> =>
    byCursor(
      async (asked) => {
        const { status, json } = await http.look(path, missing, { ...query, ...asked })
        if (missing.includes(status)) return { items: [], next: null }
        const answer = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
        const items = valueAt(answer, rules.items)
        const told = valueAt(answer, rules.next)
        const next = told === undefined && rules.endsWithout ? null : told
        if (!hasShape(position, next)) {
          throw new UnreadableAnswerError(`a list of ${http.label} is of an unknown shape`)
        }
        return { items: recordsIn(http.label, items), next: next === null ? null : String(next) }
      },
      { size: rules.size, after: rules.after },
    )
