import fc from 'fast-check'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { hasShape } from './has-shape.ts'

const schemas = () => [
  Type.String(),
  Type.Integer({ minimum: 0 }),
  Type.Union([Type.String(), Type.Null()]),
  Type.Array(Type.Object({ id: Type.Union([Type.String(), Type.Integer()]), name: Type.Optional(Type.String()) })),
  Type.Record(Type.String(), Type.Unknown()),
]

test('a check answers the same before and after its schema is compiled', () => {
  for (const schema of schemas()) {
    const values = [...fc.sample(fc.anything(), 400), [{ id: 1 }], [{ id: 'a', name: 'b' }], [{ id: true }], 3, -1, 'x']
    expect(values.map((value) => hasShape(schema, value))).toEqual(values.map((value) => Check(schema, value)))
    // The schema is compiled by now.
    expect(values.map((value) => hasShape(schema, value))).toEqual(values.map((value) => Check(schema, value)))
  }
})
