import type { CustomField } from '../contract/contract.ts'
import type { CsvTable } from './table.ts'

/**
 * Several files may hold the same entity. A column that two of them share becomes one field, with a type that fits
 * both.
 */
export function unifyCustomFields(tables: readonly CsvTable[]): void {
  const byKey = Map.groupBy(
    tables.flatMap((table) =>
      table.columns.flatMap(({ role }) =>
        role.kind === 'custom' ? [{ entity: table.entity, field: role.field }] : [],
      ),
    ),
    ({ entity, field }) => `${entity} ${field.key}`,
  )
  for (const same of byKey.values()) {
    const fields = same.map(({ field }) => field)
    const [first] = fields
    if (!first || fields.length < 2) continue
    const isOneType = fields.every(({ type }) => type === first.type)
    const type = isOneType ? first.type : 'text'
    const options = type === 'option' ? [...new Set(fields.flatMap((field) => field.options))].sort() : []
    for (const field of fields)
      Object.assign(field, { type, options, label: first.label } satisfies Partial<CustomField>)
  }
}
