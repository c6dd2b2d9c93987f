import Type, { type TSchema } from 'typebox'
import type { EntityDefinition } from '../../families/definition.ts'
import { entityOf, type Family } from '../../families/index.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract/contract.ts'
import { anyObject, type CustomFieldOf } from './custom-fields.ts'
import type { Lens } from './lens.ts'
import { refuseOddKeys } from './odd-keys.ts'

/** A warning about a record. `count` is set when the warning covers several items. */
export type SourceNotice = [code: SourceWarning, message: string, more?: Pick<RecordWarning, 'count' | 'field'>]

/** `isRestricted`: fewer people may see the field than the record. */
export interface ExtraField<A = unknown> {
  label: string
  lens: Lens<A>
  isRestricted?: true
}

/**
 * One entity of a tool, with each field declared once. `A` is the type of the extra data that is read to understand a
 * record.
 */
export interface EntityRules<A = unknown> {
  createdAt?: Lens<A>
  updatedAt?: Lens<A>
  createdBy?: Lens<A>
  /** Path of the field with the name of an author who has no account any more. */
  formerAuthor?: string
  /** Path of the field with the record's web address. */
  sourceUrl?: string
  /** Paths of the fields that count child records, by the children's entity. */
  childCounts?: Readonly<Record<string, string>>
  /** Lenses, by the family's field names. */
  fields: Readonly<Record<string, Lens<A>>>
  /** The tool's own fields that the family does not have. They become custom fields. */
  extra?: Readonly<Record<string, ExtraField<A>>>
  /** The custom fields of the account. */
  custom?: CustomFieldOf<A>
  /** Other fields of the tool that lenses read, with their schemas. */
  also?: Readonly<Record<string, TSchema>>
  /** Warnings about data outside the record, such as a deleted author. */
  warns?(raw: Readonly<Record<string, unknown>>, around: A): SourceNotice[]
}

export interface Entity<A = unknown> extends EntityRules<A> {
  family: Family
  name: string
  definition: EntityDefinition
}

const ruleKeys = [
  ...['createdAt', 'updatedAt', 'createdBy', 'formerAuthor', 'sourceUrl', 'childCounts', 'fields', 'extra', 'custom'],
  ...['also', 'warns'],
]

/** Checks a declaration against its family. A mismatch is an error at start that names the field. */
export function defineEntity<A = unknown>(family: Family, name: string, rules: EntityRules<A>): Entity<A> {
  const definition = entityOf(family, name)
  refuseOddKeys(`${family} ${name}`, rules, ruleKeys)
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

/**
 * Every field of the tool that the declaration reads, with its check. A field that several lenses read appears once per
 * lens.
 */
export function shapesOf<A>(entity: Entity<A>): readonly [path: string, check: TSchema][] {
  const known = shapes.get(entity)
  if (known) return known
  const { createdAt, updatedAt, createdBy, fields, extra = {}, childCounts = {}, also = {}, custom } = entity
  const extras = Object.values(extra).map(({ lens }) => lens)
  const lenses = [createdAt, updatedAt, createdBy, ...Object.values(fields), ...extras]
  const made: [string, TSchema][] = [
    ...Object.entries(also),
    ...lenses.flatMap((lens): [string, TSchema][] => (lens && lens.from !== null ? [[lens.from, lens.check]] : [])),
    ...lenses.flatMap((lens) => Object.entries(lens?.also ?? {})),
    ...Object.values(childCounts).map((path): [string, TSchema] => [path, Type.Integer({ minimum: 0 })]),
  ]
  for (const path of [entity.sourceUrl, entity.formerAuthor]) if (path !== undefined) made.push([path, Type.String()])
  if (custom) made.push([custom.from, custom.check ?? anyObject])
  shapes.set(entity, made)
  return made
}
