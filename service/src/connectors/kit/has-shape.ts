import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'

/** Compiling a schema takes time, so a schema is compiled only after this many checks. */
const uncompiledChecks = 200

interface ShapeCheck {
  uses: number
  isFitting: (value: unknown) => boolean
}

const known = new WeakMap<TSchema, ShapeCheck>()

/**
 * Whether a value fits the schema. A schema that is used often is compiled, which makes each check several times
 * faster.
 */
export function hasShape<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  const check = known.get(schema) ?? { uses: 0, isFitting: (given) => Check(schema, given) }
  if (check.uses === 0) known.set(schema, check)
  check.uses += 1
  if (check.uses === uncompiledChecks) check.isFitting = compile(schema) ?? check.isFitting
  return check.isFitting(value)
}

/** Returns the values that fit the schema. */
export const fitting = <S extends TSchema>(schema: S, values: readonly unknown[]): Static<S>[] =>
  values.filter((value): value is Static<S> => hasShape(schema, value))

/** Null for a schema that cannot be compiled, such as one of an external connector. */
function compile(schema: TSchema): ShapeCheck['isFitting'] | null {
  try {
    const compiled = Compile(schema)
    return (value) => compiled.Check(value)
  } catch {
    return null
  }
}
