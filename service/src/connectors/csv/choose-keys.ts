import { entityOf, type Family } from '../../families/index.ts'
import { toName } from './entity-names.ts'
import type { ReferenceKind } from './match-columns.ts'
import type { CsvTable } from './table.ts'

const keyFields: Record<Exclude<ReferenceKind, 'id'>, readonly string[]> = {
  email: ['emails', 'email'],
  name: ['number', 'key', 'name', 'title', 'subject'],
}

/**
 * Decides by which column the rows of each table are known: the one that other tables point at. Columns that point in
 * another way, or at a table that is not there, cannot be followed without an index and become custom fields.
 */
export function chooseKeys(tables: readonly CsvTable[], family: Family): void {
  const references = tables.flatMap(({ columns }) =>
    columns.flatMap(({ role }) => (role.kind === 'field' && role.target !== undefined ? [role] : [])),
  )
  const kindOf = new Map<string, ReferenceKind>()
  for (const entity of new Set(tables.map((table) => table.entity))) {
    if (entity === null) continue
    const own = tables.filter((table) => table.entity === entity)
    const wanted = references.filter(({ target }) => target === entity).map(({ reference }) => reference)
    const ranked = (['id', 'email', 'name'] as const)
      .filter((kind) => own.every((table) => keyColumn(table, kind) !== -1))
      .sort((a, b) => Number(wanted.includes(b)) - Number(wanted.includes(a)))
    const [kind] = ranked
    // A name that nobody points at is no key: two people may share it.
    if (kind && (kind !== 'name' || wanted.includes('name'))) kindOf.set(entity, kind)
    for (const table of own) table.key = kind && kindOf.has(entity) ? { column: keyColumn(table, kind), kind } : null
  }
  for (const table of tables) demoteReferences(table, kindOf, family)
}

function keyColumn({ columns }: CsvTable, kind: ReferenceKind): number {
  if (kind === 'id') return columns.findIndex(({ role }) => role.kind === 'id')
  const candidates = keyFields[kind].map((field) =>
    columns.findIndex(({ role }) => role.kind === 'field' && role.field === field),
  )
  return candidates.find((index) => index !== -1) ?? -1
}

function demoteReferences(table: CsvTable, kindOf: ReadonlyMap<string, ReferenceKind>, family: Family): void {
  if (table.entity === null) return
  const { fields } = entityOf(family, table.entity)
  for (const column of table.columns) {
    const { role } = column
    if (role.kind !== 'field' || role.target === undefined) continue
    // A field that may lead to several entities leads to the first that is there.
    const targets = [role.target, ...(fields[role.field]?.to ?? [])]
    const target = targets.find((entity) => kindOf.get(entity) === role.reference)
    if (target !== undefined) {
      column.role = { ...role, target }
      continue
    }
    const key = `${toName(column.header)}_text`
    const field = { key, label: column.header.trim() || role.field, type: 'text' as const, many: false, options: [] }
    column.role = { kind: 'custom', field }
  }
}
