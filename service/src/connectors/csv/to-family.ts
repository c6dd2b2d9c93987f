import type { EntityDefinition, FieldDefinition } from '../../families/definition.ts'
import type { CustomFieldValue, FamilyRecord, FieldValue, SingleValue } from '../../families/record.ts'
import type { RecordWarning } from '../contract.ts'
import type { ColumnRole } from '../upload-contract.ts'
import { readCell, readMoment, splitCell } from './cell-values.ts'
import { toName } from './entity-names.ts'
import { fieldNames } from './field-names.ts'
import { peopleIn } from './scan-table.ts'
import { toSourceId } from './source-id.ts'
import { type CsvTable, toKey } from './table.ts'

export interface MappedRow {
  record: FamilyRecord
  warnings: RecordWarning[]
}

/** One row of a table → one record. Pure. */
export function toRecord(
  table: CsvTable,
  definition: EntityDefinition,
  { cells, row, line, isRepeated }: { cells: readonly string[]; row: number; line: number; isRepeated: boolean },
): MappedRow {
  const { name: entity } = definition
  const sourceId = toSourceId(table, cells, row, isRepeated)
  const warnings: RecordWarning[] = []
  const warn = (code: string, message: string) =>
    warnings.push({ entity, sourceId, code, message: `${table.file}, line ${line}: ${message}` })
  if (isRepeated) warn('duplicate_id', 'an earlier row has the same id; this one is taken as another record.')

  const cellOf = (kind: ColumnRole['kind']) => cells[table.columns.findIndex(({ role }) => role.kind === kind)] ?? ''
  const currency = cellOf('currency').trim() || null
  const fields: Record<string, FieldValue> = {}
  const custom: [string, CustomFieldValue][] = []
  table.columns.forEach(({ role, header }, index) => {
    const cell = cells[index] ?? ''
    if (cell.trim() === '') return
    const unreadable = () => warn('value_unreadable', `the value of "${header}" is not what the column is for.`)
    if (role.kind === 'custom') {
      const { key, label, type, options } = role.field
      const value = readCell(type, cell, currency)
      if (value === undefined) unreadable()
      else custom.push([key, { label, type, value, ...(type === 'option' ? { options } : {}) }])
    }
    const field = role.kind === 'field' ? definition.fields[role.field] : undefined
    if (role.kind !== 'field' || !field) return
    const { values, odd } = readField(field, role, cell, currency)
    if (odd > 0) unreadable()
    const [first] = values
    if (field.many) fields[role.field] = values
    else if (first !== undefined) fields[role.field] = first
  })
  if (fields.name === undefined && definition.fields.name) {
    const name = fullName(table, cells)
    if (name !== '') fields.name = name
  }
  for (const [field, { required }] of Object.entries(definition.fields)) {
    if (required && fields[field] === undefined) warn('required_empty', `there is no "${field}".`)
  }
  const createdAt = readMoment(cellOf('created_at').trim())
  const updatedAt = readMoment(cellOf('updated_at').trim())
  const record: FamilyRecord = {
    entity,
    sourceId,
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
    fields,
    ...(custom.length > 0 ? { customFields: Object.fromEntries(custom) } : {}),
  }
  return { record, warnings }
}

function readField(
  field: FieldDefinition,
  role: Extract<ColumnRole, { kind: 'field' }>,
  cell: string,
  currency: string | null,
): { values: SingleValue[]; odd: number } {
  const many = field.many === true
  if (field.type === 'user') return { values: peopleIn(cell, many).map((userId) => ({ userId })), odd: 0 }
  const parts = many ? splitCell(cell) : [cell]
  const read = parts.map((part) => {
    if (field.type !== 'relation') return readCell(field.type, part, currency)
    const sourceId = toKey(part)
    return role.target === undefined || sourceId === '' ? undefined : { entity: role.target, sourceId }
  })
  const values = read.filter((value) => value !== undefined)
  return { values, odd: read.length - values.length }
}

/** Where there is no column for the whole name, its parts make it. */
function fullName({ columns }: CsvTable, cells: readonly string[]): string {
  const parts = ['first_name', 'last_name'].map((part) => {
    const names = [part, ...(fieldNames[part] ?? [])]
    return cells[columns.findIndex(({ header }) => names.includes(toName(header)))] ?? ''
  })
  return parts.join(' ').trim()
}
