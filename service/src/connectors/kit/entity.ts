import Type, { type TSchema } from 'typebox'
import type { EntityDefinition } from '../../families/definition.ts'
import { entityOf, type Family } from '../../families/index.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract/contract.ts'
import { anyObject, type CustomFieldOf } from './custom-fields.ts'
import type { Lens } from './lens.ts'

/** A warning about a record; `count` where it is about several things. */
export type SourceNotice = [code: SourceWarning, message: string, more?: Pick<RecordWarning, 'count' | 'field'>]

/** One entity of a tool: its fields, each declared once. `A` is what has to be read along to understand a record. */
export interface EntityRules<A = unknown> {
  createdAt?: Lens<A>
  updatedAt?: Lens<A>
  createdBy?: Lens<A>
  /** The field with the address at which people see the record. */
  sourceUrl?: string
  /** Fields that count the records below it, by entity. */
  childCounts?: Readonly<Record<string, string>>
  /** By the names of the family. */
  fields: Readonly<Record<string, Lens<A>>>
  /** Fields that every record of the tool has, and the family has no place for. They become custom fields. */
  extra?: Readonly<Record<string, { label: string; lens: Lens<A> }>>
  /** Fields that the people of the account made. */
  custom?: CustomFieldOf<A>
  /** Other fields of the tool that lenses look at. */
  also?: Readonly<Record<string, TSchema>>
  /** Facts that a record refers to without containing them, such as an author who was deleted. */
  warns?(raw: Readonly<Record<string, unknown>>, around: A): SourceNotice[]
}

export interface Entity<A = unknown> extends EntityRules<A> {
  family: Family
  name: string
  definition: EntityDefinition
}

/** A declaration that does not fit the family is an error at start, and names its place. */
export function defineEntity<A = unknown>(family: Family, name: string, rules: EntityRules<A>): Entity<A> {
  const definition = entityOf(family, name)
  for (const [field, lens] of Object.entries(rules.fields)) {
    const place = `${family} ${name}.${field}`
    const rule = definition.fields[field]
    if (!rule) throw new Error(`${place}: the family has no such field`)
    if (rule.type !== lens.type) throw new Error(`${place}: the family has ${rule.type} here, the lens ${lens.type}`)
    if ((rule.many ?? false) !== lens.many) {
      const [expected, given] = lens.many ? ['a single value', 'a list'] : ['a list', 'a single value']
      throw new Error(`${place}: the family has ${expected} here, the lens ${given}`)
    }
    if (lens.relates !== undefined && !rule.to?.includes(lens.relates)) {
      throw new Error(`${place}: the family does not let it lead to ${lens.relates}`)
    }
  }
  for (const key of Object.keys(rules.extra ?? {})) {
    if (key in definition.fields) throw new Error(`${family} ${name}.${key}: the family has a place for it`)
  }
  return { ...rules, family, name, definition }
}

const shapes = new WeakMap<object, readonly [path: string, check: TSchema][]>()

/** Every field of the tool that a declaration looks at, by its path. One that several lenses look at comes several times. */
export function shapesOf<A>(entity: Entity<A>): readonly [path: string, check: TSchema][] {
  const known = shapes.get(entity)
  if (known) return known
  const { createdAt, updatedAt, createdBy, fields, extra = {}, childCounts = {}, also = {}, sourceUrl, custom } = entity
  const extras = Object.values(extra).map(({ lens }) => lens)
  const lenses = [createdAt, updatedAt, createdBy, ...Object.values(fields), ...extras]
  const made: [string, TSchema][] = [
    ...Object.entries(also),
    ...lenses.flatMap((lens): [string, TSchema][] => (lens && lens.from !== null ? [[lens.from, lens.check]] : [])),
    ...lenses.flatMap((lens) => Object.entries(lens?.also ?? {})),
    ...Object.values(childCounts).map((path): [string, TSchema] => [path, Type.Integer({ minimum: 0 })]),
  ]
  if (sourceUrl !== undefined) made.push([sourceUrl, Type.String()])
  if (custom) made.push([custom.from, custom.check ?? anyObject])
  shapes.set(entity, made)
  return made
}
