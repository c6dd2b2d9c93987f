import { createHash } from 'node:crypto'
import type { EntityDefinition } from '../../families/definition.ts'
import type { RecordRef } from '../../families/record.ts'
import { toName } from './entity-names.ts'
import { type CsvTable, toKey } from './table.ts'

/** The id of a row, equal in every reading of the same file. */
export function toSourceId(table: CsvTable, cells: readonly string[], row: number, isRepeated: boolean): string {
  const key = table.key ? toKey(cells[table.key.column] ?? '') : ''
  const place = table.part === 0 ? `${row + 1}` : `${table.part + 1}-${row + 1}`
  if (key !== '') return isRepeated ? `${key}#${place}` : key
  // The same file produces the same ids again, and two equal rows get different ids.
  const hash = createHash('sha256')
    .update(JSON.stringify([table.file, cells]))
    .digest('hex')
  return `${toName(table.file).slice(0, 20)}-${row + 1}-${hash.slice(0, 12)}`
}

/** The parent of a row, if the parent is a record of another table. */
export function parentKey(
  { columns }: CsvTable,
  { parent }: EntityDefinition,
  cells: readonly string[],
): RecordRef | null {
  const column = columns.findIndex(({ role }) => role.kind === 'field' && role.field === parent)
  const role = columns[column]?.role
  const sourceId = toKey(cells[column] ?? '')
  if (role?.kind !== 'field' || role.target === undefined || sourceId === '') return null
  return { entity: role.target, sourceId }
}
