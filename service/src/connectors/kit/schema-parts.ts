import Type, { type TSchema } from 'typebox'

// Parts of the schemas of a tool's records.

export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Several fields with the same schema. */
export const each = <S extends TSchema, N extends string>(schema: S, ...names: N[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<N, S>
