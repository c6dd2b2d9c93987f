import { setImmediate as turn } from 'node:timers/promises'
import { entityOf, type Family } from '../../families/index.ts'
import type { UploadProblem } from '../contract/upload-contract.ts'
import { readNumber } from './cell-values.ts'
import { type Encoding, openAsParsed, readHead } from './decode-text.ts'
import { detectDialect } from './detect-dialect.ts'
import { entitiesOf, entityOfFileName, toName } from './entity-names.ts'
import type { CsvFile } from './list-files.ts'
import { matchColumns } from './match-columns.ts'
import { mostCells, type ParsedRow, parseRows, tooWide } from './parse-rows.ts'
import { readMoments } from './read-moment.ts'
import { recognizeFile } from './recognize-file.ts'
import type { CsvTable } from './table.ts'

export const mostColumns = 500

/** Reads the beginning of a file and detects its dialect and its columns. Null if the file is no table. */
export async function openTable(
  file: CsvFile,
  encoding: Encoding,
  family: Family,
  problems: UploadProblem[],
): Promise<CsvTable | null> {
  const strange = recognizeFile(file.name, await readHead(await openAsParsed(file, encoding, 0)))
  if (strange) {
    problems.push(strange)
    return null
  }
  await turn()
  const { dialect, start } = await detectDialect(file, encoding)
  const origin = { offset: start, line: 1 }
  const rows = parseRows(file, encoding, dialect, origin)
  for await (const first of rows) {
    if (!('cells' in first)) {
      if (first.broken !== tooWide) continue
      const message = `Line ${first.line}: the row has more than ${mostCells.toLocaleString('en')} values.`
      const fix = 'Check that this is the right file. Tables may have up to 500 columns.'
      problems.push({ file: file.name, code: 'no_table', message, fix })
      return null
    }
    const hasHeader = looksLikeHeader(first.cells, family)
    const width = first.cells.length
    if (width > mostColumns) {
      const message = `Only the first ${mostColumns} of ${width} columns are read.`
      problems.push({ file: file.name, code: 'columns_ignored', message, fix: 'Put the columns that matter first.' })
    }
    const headers = first.cells
      .slice(0, mostColumns)
      .map((cell, index) => (hasHeader ? cell.replaceAll('\0', '').slice(0, 200) : `Column ${index + 1}`))
    // With hundreds of columns, the steps before and after take some milliseconds each, so other work gets a turn.
    await turn()
    const entity = entityOfFileName(family, file.name) ?? entityOfHeaders(family, headers)
    await turn()
    return {
      file: file.name,
      entity,
      encoding,
      dialect,
      hasHeader,
      start: hasHeader ? first.next : origin,
      columns: columnsOf(family, entity, headers, await findEmails(rows, hasHeader ? [] : first.cells)),
      width,
      key: null,
      rows: 0,
      part: 0,
      repeatedRows: [],
      content: null,
      index: null,
    }
  }
  problems.push({
    file: file.name,
    code: 'no_table',
    message: 'This file has no rows.',
    fix: 'Export your data again, and check the file before you upload it.',
  })
  return null
}

/** The columns' roles by their names, in a table of this entity. */
export function columnsOf(
  family: Family,
  entity: string | null,
  headers: readonly string[],
  emailsIn: ReadonlySet<number>,
) {
  return matchColumns(entity === null ? { name: '', fields: {} } : entityOf(family, entity), headers, emailsIn)
}

const rowsLookedAt = 20

/** Indexes of the columns whose first non-empty values are all e-mail addresses. */
async function findEmails(rows: AsyncGenerator<ParsedRow>, first: readonly string[]): Promise<Set<number>> {
  const [emails, others] = [new Set<number>(), new Set<number>()]
  const look = (cells: readonly string[]) =>
    cells.slice(0, mostColumns).forEach((cell, index) => {
      const text = cell.trim()
      if (text !== '') (text.length < 255 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? emails : others).add(index)
    })
  look(first)
  for (let count = 0; count < rowsLookedAt; count += 1) {
    const { value } = await rows.next()
    if (!value) break
    if ('cells' in value) look(value.cells)
  }
  return new Set([...emails].filter((index) => !others.has(index)))
}

/**
 * Whether the first row is a header: no cell is a number, date or address, and one name is known or all cells differ.
 */
function looksLikeHeader(cells: readonly string[], family: Family): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  const isData = texts.some(
    (text) =>
      readNumber(text) !== undefined || readMoments(text) !== null || /\S@\S+\.\S/.test(text) || text.length > 200,
  )
  if (texts.length === 0 || isData) return false
  return new Set(texts).size === texts.length || entityOfHeaders(family, cells) !== null
}

function entityOfHeaders(family: Family, headers: readonly string[]): string | null {
  if (new Set(headers.map(toName)).size < 2) return null
  const ranked = entitiesOf(family).map((entity) => {
    const columns = matchColumns(entity, headers)
    const fields = columns.flatMap(({ wanted }) => (wanted.kind === 'field' ? wanted.field : []))
    const hasRequired = Object.entries(entity.fields).every(
      ([name, { required }]) => !required || fields.includes(name),
    )
    return { entity: entity.name, score: fields.length + (hasRequired ? 0.5 : -1) }
  })
  const best = ranked.sort((a, b) => b.score - a.score)[0]
  return best && best.score >= 2 ? best.entity : null
}
