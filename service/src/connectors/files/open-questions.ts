import type { CsvTable } from './table.ts'

/** Questions about the tables' values that only the customer can answer. Nothing is read before they are answered. */
export function openQuestions(tables: readonly CsvTable[]): string[] {
  return tables
    .filter(({ entity, rows }) => entity !== null && rows > 0)
    .flatMap(({ file, columns }) =>
      columns.flatMap(({ header, days }) => {
        if (days?.order !== null) return []
        const meanings = days.readings.flatMap(({ day }) => day ?? [])
        const what =
          meanings.length > 1
            ? `holds ${days.example}, which can be ${meanings.join(' or ')}`
            : `writes days in more than one way, such as ${days.example}`
        return [`${file}: the column "${header}" ${what}. Choose how its days are written.`]
      }),
    )
}
