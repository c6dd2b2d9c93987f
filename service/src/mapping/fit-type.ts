import { customKey } from '../db/mapping-changes.ts'
import type { EntityDefinition, FieldType } from '../families/definition.ts'
import type { SourceField } from './find-target.ts'

const words: readonly FieldType[] = ['text', 'long_text', 'rich_text']
const readable: readonly FieldType[] = [...words, 'option']

/**
 * For each type, the types to which at least some of its values can be converted. The run reports a value that cannot
 * be converted.
 */
const fitting: Record<FieldType, readonly FieldType[]> = {
  text: [...readable, 'email', 'phone', 'url', 'integer', 'decimal', 'boolean', 'date', 'datetime'],
  long_text: [...readable, 'email', 'phone', 'url', 'integer', 'decimal', 'boolean', 'date', 'datetime'],
  option: [...readable, 'email', 'phone', 'url', 'integer', 'decimal', 'boolean', 'date', 'datetime'],
  rich_text: words,
  integer: [...readable, 'integer', 'decimal'],
  decimal: [...readable, 'decimal', 'integer'],
  boolean: [...readable, 'boolean'],
  date: [...readable, 'date', 'datetime'],
  datetime: [...readable, 'datetime', 'date'],
  email: [...readable, 'email'],
  phone: [...readable, 'phone'],
  url: [...readable, 'url'],
  money: [...words, 'money'],
  address: [...words, 'address'],
  user: ['user'],
  relation: ['relation'],
}

export const typesFor = (from: FieldType): readonly FieldType[] => fitting[from]

export const fitsType = (from: FieldType, to: FieldType): boolean => fitting[from].includes(to)

/** True if a value of the source field can become a value of the target. A link needs a target of the same kind. */
export function fitsTarget(
  definition: EntityDefinition,
  source: Pick<SourceField, 'name' | 'type'>,
  target: { name: string; rule: { type: FieldType } },
): boolean {
  if (!fitsType(source.type, target.rule.type)) return false
  if (source.type !== 'relation' || source.name === target.name) return true
  if (customKey(source.name) !== null || customKey(target.name) !== null) {
    return customKey(source.name) !== null && customKey(target.name) !== null
  }
  const from = definition.fields[source.name]?.to ?? []
  const to = definition.fields[target.name]?.to ?? []
  return from.every((entity) => to.includes(entity))
}
