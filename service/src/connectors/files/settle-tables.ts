import { ObstacleError } from '../../errors.ts'
import type { Family } from '../../families/index.ts'
import type { KeptFile, UploadProblem, UploadProblemCode } from '../contract/upload-contract.ts'
import { chooseKeys } from './choose-keys.ts'
import type { CsvFile } from './list-files.ts'
import { scanTable } from './scan-table.ts'
import type { CsvTable, CsvTables } from './table.ts'
import { unifyCustomFields } from './unify-custom-fields.ts'

export interface FoundTable {
  file: CsvFile
  table: CsvTable
}

/** Problems that depend on the entities of the tables. They are detected again each time. */
const passing: readonly UploadProblemCode[] = [
  'unknown_entity',
  'reference_not_followed',
  'rows_abandoned',
  'rows_skipped',
  'ids_repeated',
  'values_unreadable',
]

/**
 * Decides how the tables refer to each other, and reads every row, so that a column's findings hold for all of its
 * values.
 */
export async function settleTables(
  found: readonly FoundTable[],
  family: Family,
  known: readonly UploadProblem[],
  keepIndex: (index: AsyncIterable<Buffer>) => Promise<KeptFile | null>,
): Promise<CsvTables> {
  const problems = known.filter(({ code }) => !passing.includes(code))
  for (const { table } of found) if (table.entity === null) problems.push(unknownEntity(table.file))
  chooseKeys(
    found.map(({ table }) => table),
    family,
    problems,
  )
  const people = new Set<string>()
  const tables: CsvTable[] = []
  const keysOf = new Map<string | null, Set<number>>()
  for (const { file, table } of found) {
    await orReport(file, problems, async () => {
      const keys = keysOf.get(table.entity) ?? new Set()
      keysOf.set(table.entity, keys)
      table.part = tables.filter(({ entity }) => entity === table.entity).length
      table.index = await keepIndex(scanTable(file, table, family, { people, keys, problems }))
      tables.push(table)
    })
  }
  unifyCustomFields(tables)
  return { family, tables, people: [...people], problems }
}

const unknownEntity = (file: string): UploadProblem => ({
  file,
  code: 'unknown_entity',
  message: 'We cannot tell from name or columns of this file what its rows are, so it is left out.',
  fix: 'Choose what it holds, or name it after its content, such as contacts.csv, and upload it again.',
})

/** Reports a damaged file as a problem, so that the other files still work. */
export async function orReport(file: CsvFile, problems: UploadProblem[], act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ObstacleError)) throw error
    problems.push({
      file: file.name,
      code: 'unreadable',
      message: 'This file is damaged and cannot be read.',
      fix: 'Make the zip again and upload it.',
    })
  }
}
