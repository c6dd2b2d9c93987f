import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'

/** Compiling pays only for a schema that checks many values. */
const uncompiledChecks = 200

interface ShapeCheck {
  uses: number
  isFitting: (value: unknown) => boolean
}

const known = new WeakMap<TSchema, ShapeCheck>()

/** Whether a value has the shape. A schema that is used often is compiled, which makes each check several times faster. */
export function hasShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  const check = known.get(schema) ?? { uses: 0, isFitting: (given) => Check(schema, given) }
  if (check.uses === 0) known.set(schema, check)
  check.uses += 1
  if (check.uses === uncompiledChecks) check.isFitting = compile(schema) ?? check.isFitting
  return check.isFitting(value)
}

/** Those of them that have the shape. */
export const fitting = <S extends TSchema>(schema: S, values: readonly unknown[]): Static<S>[] =>
  values.filter((value): value is Static<S> => hasShape(schema, value))

/** Null for a schema that only the slow way understands, such as one of a connector from outside. */
function compile(schema: TSchema): ShapeCheck['isFitting'] | null {
  try {
    const compiled = Compile(schema)
    return (value) => compiled.Check(value)
  } catch {
    return null
  }
}
