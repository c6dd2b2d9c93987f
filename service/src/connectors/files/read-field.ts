import type { FieldDefinition } from '../../families/definition.ts'
import type { SingleValue } from '../../families/record.ts'
import type { ColumnRole } from '../contract/upload-contract.ts'
import { type CellRules, readCell, splitCell } from './cell-values.ts'
import { toKey, toPerson } from './table.ts'

/** Reads a cell as the values of a field, and counts the parts of the cell that are unreadable. */
export function readField(
  field: FieldDefinition,
  role: Extract<ColumnRole, { kind: 'field' }>,
  cell: string,
  rules: CellRules,
): { values: SingleValue[]; odd: number } {
  const many = field.many === true
  if (field.type === 'user') return { values: peopleIn(cell, many).map((userId) => ({ userId })), odd: 0 }
  const parts = many ? splitCell(cell) : [cell]
  const read = parts.map((part) => {
    if (field.type !== 'relation') return readCell(field.type, part, rules)
    const sourceId = toKey(part)
    return role.target === undefined || sourceId === '' ? undefined : { entity: role.target, sourceId }
  })
  const values = read.filter((value) => value !== undefined)
  return { values, odd: read.length - values.length }
}

/** The people named in a cell. */
export function peopleIn(cell: string, many: boolean): string[] {
  return (many ? splitCell(cell) : [cell]).map(toPerson).filter((person) => person !== '')
}
