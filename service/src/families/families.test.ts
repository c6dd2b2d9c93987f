import { describe, expect, test } from 'vitest'
import { families, familyDefinitions } from './index.ts'

describe.each(families)('the family %s', (family) => {
  const { entities } = familyDefinitions[family]
  const position = new Map(entities.map(({ name }, index) => [name, index]))

  test('names each entity once and has something to sample', () => {
    expect(position.size).toBe(entities.length)
    expect(entities.some(({ isTop }) => isTop)).toBe(true)
  })

  test('writes the targets of a record before it, or in the second pass', () => {
    for (const [index, { name, fields, secondPass = [] }] of entities.entries()) {
      for (const [field, definition] of Object.entries(fields)) {
        expect(definition.type === 'relation', `${name}.${field}`).toBe(definition.to !== undefined)
        for (const target of definition.to ?? []) {
          expect(position.has(target), `${name}.${field} leads to ${target}`).toBe(true)
          const isEarlier = (position.get(target) ?? Number.POSITIVE_INFINITY) < index
          expect(isEarlier || secondPass.includes(field), `${name}.${field} leads to ${target}`).toBe(true)
        }
      }
    }
  })

  test('links each dependent entity to an earlier one by a relation, and samples both together', () => {
    for (const { name, parent, fields, isTop } of entities) {
      if (parent === undefined) continue
      expect(fields[parent]?.type, name).toBe('relation')
      expect(isTop, `${name} is sampled with what it hangs on`).toBeUndefined()
    }
  })

  test('names second-pass fields that exist and are relations', () => {
    for (const { name, secondPass = [], fields } of entities) {
      for (const field of secondPass) expect(fields[field]?.type, `${name}.${field}`).toBe('relation')
    }
  })

  test('gives every option its names', () => {
    for (const { name, fields } of entities) {
      for (const [field, { type, options }] of Object.entries(fields)) {
        expect(type === 'option', `${name}.${field}`).toBe((options?.length ?? 0) > 1)
      }
    }
  })
})
