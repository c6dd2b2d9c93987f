import Type from 'typebox'
import { entityOf, type Family } from '../../families/index.ts'
import { defineEntity, type Entity } from './entity.ts'
import { lens } from './lens.ts'

/** The fields of a family's entity, for a destination that converts whole records with its own code and no lenses. */
export function familyEntity(family: Family, name: string, without: readonly string[] = []): Entity {
  const taken = Object.entries(entityOf(family, name).fields).filter(([field]) => !without.includes(field))
  const fields = taken.map(([field, { type, many = false, options = [] }]) => {
    const passed = { read: () => undefined, write: (value: unknown) => value }
    return [field, lens(type, { from: null, check: Type.Unknown(), many, options, ...passed })] as const
  })
  return defineEntity(family, name, { fields: Object.fromEntries(fields) })
}
