import { CsvError, type Options, parse } from 'csv-parse'
import { type Encoding, openAsParsed, parserEncoding, toText } from './decode-text.ts'
import type { CsvFile } from './list-files.ts'

export interface Dialect {
  delimiter: ',' | ';' | '\t' | '|'
  quote: '"' | "'"
}

/** A place between two rows. */
export interface RowPosition {
  /** In the bytes that are parsed, see `openAsParsed`. */
  offset: number
  line: number
}

export type ParsedRow = { line: number; next: RowPosition } & (
  | { cells: string[] }
  /** A line that cannot be read as a row, and why. The next line is tried as if it had not been there. */
  | { broken: string }
)

/** A quote that is never closed would make one cell of the rest of the file. */
export const longestRowBytes = 16 * 1024 * 1024

const reasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote in the middle of a value',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 16 MB',
}

/** The options by which a dialect is read; sniffing uses the same. */
export const parserOptions = ({ delimiter, quote }: Dialect): Options => ({
  delimiter,
  quote,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: longestRowBytes,
})

/** The rows of a file from a position on, empty lines left out. */
export async function* parseRows(
  file: CsvFile,
  encoding: Encoding,
  dialect: Dialect,
  from: RowPosition,
): AsyncGenerator<ParsedRow> {
  let position = from
  for (;;) {
    let failure: CsvError | null = null
    for await (const step of parseUntilBroken(file, encoding, dialect, position)) {
      if ('failure' in step) {
        failure = step.failure
        continue
      }
      const { line } = position
      position = { offset: step.offset, line: line + 1 + countLineEnds(step.cells) }
      if (step.cells.length === 1 && step.cells[0] === '') continue
      yield { line, next: position, cells: step.cells.map((cell) => toText(cell, encoding)) }
    }
    if (!failure) return
    const { line } = position
    position = await afterLine(file, encoding, position)
    yield { line, next: position, broken: reasons[failure.code] ?? 'it is no CSV' }
  }
}

type Step = { cells: string[]; offset: number } | { failure: CsvError }

async function* parseUntilBroken(
  file: CsvFile,
  encoding: Encoding,
  dialect: Dialect,
  from: RowPosition,
): AsyncGenerator<Step> {
  let rows: Step[] = []
  const options: Options = {
    ...parserOptions(dialect),
    bom: false,
    encoding: parserEncoding(encoding),
    // Rows are taken here and not from the stream, which would drop those before an error.
    on_record: (cells: string[], { bytes }) => {
      rows.push({ cells, offset: from.offset + bytes })
      return null
    },
  }
  const parser = parse(options)
  parser.on('error', () => {})
  parser.resume()
  const settled = (act: (done: (error?: Error | null) => void) => void) =>
    new Promise<Error | null>((resolve) => act((error) => resolve(error ?? null)))
  let failure: Error | null = null
  try {
    for await (const chunk of await openAsParsed(file, encoding, from.offset)) {
      failure = await settled((done) => parser.write(chunk, done))
      yield* rows
      rows = []
      if (failure) break
    }
    failure ??= await settled((done) =>
      parser
        .once('error', done)
        .once('end', () => done())
        .end(),
    )
    yield* rows
  } finally {
    parser.destroy()
  }
  if (failure instanceof CsvError) yield { failure }
  else if (failure) throw failure
}

async function afterLine(file: CsvFile, encoding: Encoding, { offset, line }: RowPosition): Promise<RowPosition> {
  let passed = offset
  let hasReturn = false
  for await (const chunk of await openAsParsed(file, encoding, offset)) {
    if (hasReturn) return { offset: passed + (chunk[0] === 0x0a ? 1 : 0), line: line + 1 }
    const end = chunk.findIndex((byte) => byte === 0x0a || byte === 0x0d)
    hasReturn = chunk[end] === 0x0d
    const isAtEdge = hasReturn && end === chunk.length - 1
    if (end !== -1 && !isAtEdge) {
      const isPair = hasReturn && chunk[end + 1] === 0x0a
      return { offset: passed + end + (isPair ? 2 : 1), line: line + 1 }
    }
    passed += chunk.length
  }
  return { offset: passed, line: line + 1 }
}

function countLineEnds(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
}
