import { ObstacleError } from '../../errors.ts'
import { entityOf, type Family } from '../../families/index.ts'
import { readMoment, readNumber } from './cell-values.ts'
import { chooseKeys } from './choose-keys.ts'
import { detectEncoding } from './decode-text.ts'
import { detectDialect } from './detect-dialect.ts'
import { entitiesOf, entityOfFileName, toName } from './entity-names.ts'
import { type CsvFile, listFiles } from './list-files.ts'
import { matchColumns } from './match-columns.ts'
import { parseRows } from './parse-rows.ts'
import { scanTable } from './scan-table.ts'
import type { CsvTable, CsvTables } from './table.ts'
import { unifyCustomFields } from './unify-custom-fields.ts'
import type { CsvUpload, UploadProblem } from './upload.ts'

export const mostColumns = 500

/** Finds out what an upload holds. Reads all of it twice, in little memory. */
export async function detectTables(upload: CsvUpload, family: Family): Promise<CsvTables> {
  const { files, problems } = await listFiles(upload)
  const found: { file: CsvFile; table: CsvTable }[] = []
  const orReport = async (file: CsvFile, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof ObstacleError)) throw error
      problems.push({ file: file.name, code: 'unreadable', message: 'This file is damaged and cannot be read.' })
    }
  }
  for (const file of files) {
    await orReport(file, async () => {
      const table = await openTable(file, family, problems)
      if (table) found.push({ file, table })
    })
  }
  chooseKeys(
    found.map(({ table }) => table),
    family,
  )
  const people = new Set<string>()
  const tables: CsvTable[] = []
  for (const { file, table } of found) {
    await orReport(file, async () => {
      await scanTable(file, table, family, people, problems)
      tables.push(table)
    })
  }
  unifyCustomFields(tables)
  return { family, tables, people: [...people], problems }
}

async function openTable(file: CsvFile, family: Family, problems: UploadProblem[]): Promise<CsvTable | null> {
  const report = (code: UploadProblem['code'], message: string) => problems.push({ file: file.name, code, message })
  const encoding = await detectEncoding(file)
  const { dialect, start } = await detectDialect(file, encoding)
  const origin = { offset: start, line: 1 }
  for await (const first of parseRows(file, encoding, dialect, origin)) {
    if (!('cells' in first)) continue
    const hasHeader = looksLikeHeader(first.cells, family)
    const width = first.cells.length
    if (width > mostColumns) report('columns_ignored', `Only the first ${mostColumns} of ${width} columns are read.`)
    const headers = first.cells
      .slice(0, mostColumns)
      .map((cell, index) => (hasHeader ? cell.replaceAll('\0', '').slice(0, 200) : `Column ${index + 1}`))
    const entity = entityOfFileName(family, file.name) ?? entityOfHeaders(family, headers)
    if (entity === null) report('unknown_entity', 'Neither name nor columns of this file tell what its rows are.')
    const definition = entity === null ? { name: '', fields: {} } : entityOf(family, entity)
    return {
      file: file.name,
      entity,
      encoding,
      dialect,
      hasHeader,
      start: hasHeader ? first.next : origin,
      columns: matchColumns(definition, headers),
      width,
      key: null,
      rows: 0,
      repeatedRows: [],
    }
  }
  report('no_table', 'This file has no rows.')
  return null
}

/** Names of columns are no numbers, days or addresses; and one of them we know, or all differ. */
function looksLikeHeader(cells: readonly string[], family: Family): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const isData = texts.some(
    (text) =>
      readNumber(text) !== undefined || readMoment(text) !== undefined || /\S@\S+\.\S/.test(text) || text.length > 200,
  )
  if (texts.length === 0 || isData) return false
  return new Set(texts).size === texts.length || entityOfHeaders(family, cells) !== null
}

function entityOfHeaders(family: Family, headers: readonly string[]): string | null {
  if (new Set(headers.map(toName)).size < 2) return null
  const ranked = entitiesOf(family).map((entity) => {
    const columns = matchColumns(entity, headers)
    const fields = columns.flatMap(({ role }) => (role.kind === 'field' ? role.field : []))
    const hasRequired = Object.entries(entity.fields).every(
      ([name, { required }]) => !required || fields.includes(name),
    )
    return { entity: entity.name, score: fields.length + (hasRequired ? 0.5 : -1) }
  })
  const best = ranked.sort((a, b) => b.score - a.score)[0]
  return best && best.score >= 2 ? best.entity : null
}
