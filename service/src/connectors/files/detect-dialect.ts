import { setImmediate as turn } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { type Encoding, openAsParsed, parserEncoding, readHead, toText } from './decode-text.ts'
import type { CsvFile } from './list-files.ts'
import { type Dialect, parserOptions } from './parse-rows.ts'

const delimiters: readonly Dialect['delimiter'][] = [',', ';', '\t', '|']

/** Long enough for some rows of any table. Even a text of only separators takes about ten milliseconds. */
const sniffedBytes = 16 * 1024

export interface Detected {
  dialect: Dialect
  /** The first rows that can be read. */
  rows: string[][]
  /** Position of the first row, after a byte order mark. */
  start: number
}

export async function detectDialect(file: CsvFile, encoding: Encoding): Promise<Detected> {
  const head = (await readHead(await openAsParsed(file, encoding, 0))).subarray(0, sniffedBytes)
  const start = encoding === 'utf-8' && head.subarray(0, 3).toString('hex') === 'efbbbf' ? 3 : 0
  const text = toText(head.subarray(start).toString(parserEncoding(encoding)), encoding)
  // A single quote quotes values only in a file that begins with one. Elsewhere it is an apostrophe.
  const quote = text.startsWith("'") ? "'" : '"'
  const attempts: (Detected & { score: number })[] = []
  for (const delimiter of delimiters) {
    const dialect: Dialect = { delimiter, quote }
    const rows = parseHead(text, dialect)
    attempts.push({ dialect, rows, start, score: scoreOf(rows) })
    // Each attempt takes some milliseconds, so other work gets a turn.
    await turn()
  }
  const [best] = attempts.sort((a, b) => b.score - a.score)
  if (!best) throw new Error('there is no delimiter to try')
  return { dialect: best.dialect, rows: best.rows, start: best.start }
}

function parseHead(text: string, dialect: Dialect): string[][] {
  const rows: string[][] = []
  try {
    parse(text, {
      ...parserOptions(dialect),
      to: 100,
      on_record: (cells: string[]) => {
        if (cells.length > 1 || cells[0] !== '') rows.push(cells)
        return null
      },
    })
  } catch {
    // The head may end within a row, and a wrong delimiter breaks quotes. The rows read so far count.
  }
  return rows
}

/**
 * Rows as wide as the first row raise the score of a delimiter, and wider rows raise it more. A single column scores 0.
 */
function scoreOf(rows: string[][]): number {
  const width = rows[0]?.length ?? 0
  if (width < 2) return 0
  const alike = rows.filter((row) => row.length === width).length / rows.length
  return alike * alike * (1 + Math.log2(width)) * Math.min(rows.length, 10)
}
