import Type, { type TSchema } from 'typebox'
import { hasShape } from './has-shape.ts'
import { objectsIn, type RawRecord, valueAt } from './lens.ts'
import { hasId } from './records-in.ts'

// Values of another form than documented, in parts of a record that no lens reads itself, such as a list that a reader
// takes apart. `readRecord` reports them with the record.

type Raw = Readonly<Record<string, unknown>>

export const objects = Type.Array(Type.Object({}))
export const parts = Type.Array(hasId)
export const anId = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1, pattern: '^[\\w-]+$' })])

/** The objects with an id in a list of the tool, such as files. */
export const partsIn = (value: unknown): RawRecord[] => objectsIn(value).filter((one) => hasShape(hasId, one))

const odd = Symbol('odd places')
export const oddIn = (raw: object): readonly string[] => (raw as { [odd]?: readonly string[] })[odd] ?? []
export const withOdd = <R extends object>(raw: R, places: readonly string[]): R =>
  places.length === 0 ? raw : { ...raw, [odd]: [...oddIn(raw), ...places] }

/** Those of the places whose value has another shape. Null and an empty text say nothing. */
export const oddAt = (raw: Raw, shapes: Readonly<Record<string, TSchema>>): string[] =>
  Object.keys(shapes).filter((path) => {
    const value = valueAt(raw, path) ?? ''
    return value === '' ? isBroken(raw, path) : !hasShape(shapes[path] as TSchema, value)
  })

/** Whether a value cannot be there because something on the way to it is no object, such as a text. */
export function isBroken(raw: Raw, path: string): boolean {
  for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
    const outer = valueAt(raw, path.slice(0, end))
    if (outer !== undefined && outer !== null && outer !== '') {
      if (typeof outer !== 'object' || (Array.isArray(outer) && outer.length > 0)) return true
    }
  }
  return false
}
