import type { EntityDefinition, FieldDefinition } from '../../families/definition.ts'
import type { CustomFieldValue, FamilyRecord, FieldValue } from '../../families/record.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract/contract.ts'
import type { ColumnRole } from '../contract/upload-contract.ts'
import { allowsShortYears, type CellRules, readCell, readTime } from './cell-values.ts'
import { toName } from './entity-names.ts'
import { fieldNames } from './field-names.ts'
import { readField } from './read-field.ts'
import { toInstant } from './read-moment.ts'
import { toSourceId } from './source-id.ts'
import type { CsvTable } from './table.ts'

export interface MappedRow {
  record: FamilyRecord
  warnings: RecordWarning[]
}

/** Converts one row of a table to one record. Pure. */
export function toRecord(
  table: CsvTable,
  definition: EntityDefinition,
  { cells, row, line, isRepeated }: { cells: readonly string[]; row: number; line: number; isRepeated: boolean },
): MappedRow {
  const { name: entity } = definition
  const sourceId = toSourceId(table, cells, row, isRepeated)
  const warnings: RecordWarning[] = []
  const warn = (code: SourceWarning, message: string, field?: string) =>
    warnings.push({
      entity,
      sourceId,
      code,
      message: `${table.file}, line ${line}: ${message}`,
      ...(field !== undefined && { field }),
    })
  if (isRepeated) warn('duplicate_id', 'an earlier row has the same id; this one is taken as another record.')

  const currency = cells[table.columns.findIndex(({ role }) => role.kind === 'currency')]?.trim() || null
  const fields: Record<string, FieldValue> = {}
  const custom: [string, CustomFieldValue][] = []
  const times: Pick<FamilyRecord, 'createdAt' | 'updatedAt'> = {}
  table.columns.forEach(({ role, header, text, order }, index) => {
    const cell = cells[index] ?? ''
    if (cell.trim() === '') return
    const rules: CellRules = { currency, text, order, allowsShortYears: allowsShortYears(role) }
    const unreadable = () =>
      warn('value_unreadable', `the value of "${header}" is not what the column is for.`, nameOf(role))
    if (role.kind === 'created_at' || role.kind === 'updated_at') {
      const moment = readTime(cell.trim(), rules, toInstant)
      if (moment === undefined) unreadable()
      else times[role.kind === 'created_at' ? 'createdAt' : 'updatedAt'] = moment
    }
    if (role.kind === 'custom') {
      const { key, label, type, options } = role.field
      const value = readCell(type, cell, rules)
      if (value === undefined) unreadable()
      else custom.push([key, { label, type, value, ...(type === 'option' ? { options } : {}) }])
    }
    const field = role.kind === 'field' ? definition.fields[role.field] : undefined
    if (role.kind !== 'field' || !field) return
    const { values, odd } = readField(field, role, cell, rules)
    if (odd > 0) unreadable()
    const [first = odd > 0 ? fewestReaders(field) : undefined] = values
    if (field.many) fields[role.field] = values
    else if (first !== undefined) fields[role.field] = first
  })
  if (fields.name === undefined && definition.fields.name) {
    const name = fullName(table, cells)
    if (name !== '') fields.name = name
  }
  for (const [field, { required }] of Object.entries(definition.fields)) {
    if (required && fields[field] === undefined) warn('required_empty', `there is no "${field}".`, field)
  }
  const record: FamilyRecord = {
    entity,
    sourceId,
    ...times,
    fields,
    ...(custom.length > 0 ? { customFields: Object.fromEntries(custom) } : {}),
  }
  return { record, warnings }
}

/** The name that a mapping uses for the column's field. */
export function nameOf(role: ColumnRole): string {
  if (role.kind === 'custom') return `custom:${role.field.key}`
  return role.kind === 'field' ? role.field : role.kind
}

/** If the audience of a row is an unknown word, the row gets the smallest audience. */
const fewestReaders = ({ audience }: FieldDefinition): string | boolean | undefined =>
  audience?.absent === 'open' ? audience.order.at(-1) : undefined

/** Joins first and last name, for a table without a column for the full name. */
function fullName({ columns }: CsvTable, cells: readonly string[]): string {
  const parts = ['first_name', 'last_name'].map((part) => {
    const names = [part, ...(fieldNames[part] ?? [])]
    return cells[columns.findIndex(({ header }) => names.includes(toName(header)))] ?? ''
  })
  return parts.join(' ').trim()
}
