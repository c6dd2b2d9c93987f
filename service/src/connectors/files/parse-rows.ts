import { CsvError, type Options, parse } from 'csv-parse'
import { createGiveWay } from '../../give-way.ts'
import { type Encoding, openAsParsed, parserEncoding, toText } from './decode-text.ts'
import type { CsvFile } from './list-files.ts'

export interface Dialect {
  delimiter: ',' | ';' | '\t' | '|'
  quote: '"' | "'"
}

/** A position between two rows. */
export interface RowPosition {
  /** Position in the parsed bytes, see `openAsParsed`. */
  offset: number
  line: number
}

export type ParsedRow = { line: number; next: RowPosition } & (
  | { cells: string[] }
  /** The reason why a line cannot be read as a row. Parsing continues at the next line. */
  | { broken: string }
)

/** A limit, because a quote that is never closed would turn the rest of the file into one cell. */
export const longestRowBytes = 16 * 1024 * 1024
/** A limit, because a row of only separators would fill the memory. No real table is this wide. */
export const mostCells = 10_000
/** Bytes parsed at once. With any content this takes only some milliseconds. */
const sliceBytes = 8 * 1024

const reasons: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote in the middle of a value',
  CSV_MAX_RECORD_SIZE: 'the row is longer than 16 MB',
}
export const tooWide = `the row has more than ${mostCells.toLocaleString('en')} values`

/** The parser's options for a dialect, also used to detect it. */
export const parserOptions = ({ delimiter, quote }: Dialect): Options => ({
  delimiter,
  quote,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  max_record_size: longestRowBytes,
})

/** Yields the rows of a file from a position on, without empty lines. */
export async function* parseRows(
  file: CsvFile,
  encoding: Encoding,
  dialect: Dialect,
  from: RowPosition,
): AsyncGenerator<ParsedRow> {
  let position = from
  const giveWay = createGiveWay()
  for (;;) {
    let failure: string | null = null
    for await (const step of parseUntilBroken(file, encoding, dialect, position)) {
      const pause = giveWay()
      if (pause) await pause
      if ('failure' in step) {
        failure = step.failure
        continue
      }
      const line = position.line + step.emptyLines
      position = { offset: step.offset, line: line + 1 + (await countLineEnds(step.cells, giveWay)) }
      if (step.cells.length === 1 && step.cells[0] === '') continue
      yield { line, next: position, cells: step.cells.map((cell) => toText(cell, encoding)) }
    }
    if (!failure) return
    position = await afterEmptyLines(file, encoding, position)
    const { line } = position
    position = await afterLine(file, encoding, position)
    yield { line, next: position, broken: failure }
  }
}

type Step = { cells: string[]; offset: number /** Empty lines before. */; emptyLines: number } | { failure: string }

async function* parseUntilBroken(
  file: CsvFile,
  encoding: Encoding,
  dialect: Dialect,
  from: RowPosition,
): AsyncGenerator<Step> {
  let rows: Step[] = []
  let emptyLines = 0
  const options: Options = {
    ...parserOptions(dialect),
    bom: false,
    // The parser skips empty lines itself, because a file may consist of millions of them.
    skip_empty_lines: true,
    encoding: parserEncoding(encoding),
    // Rows are collected here, because the parser's stream drops the rows before an error.
    on_record: (cells: string[], { bytes, empty_lines }) => {
      rows.push({ cells, offset: from.offset + bytes, emptyLines: empty_lines - emptyLines })
      emptyLines = empty_lines
      return null
    },
  }
  const parser = parse(options)
  parser.on('error', () => {})
  parser.resume()
  const settled = (act: (done: (error?: Error | null) => void) => void) =>
    new Promise<Error | null>((resolve) => act((error) => resolve(error ?? null)))
  const giveWay = createGiveWay()
  let failure: Error | null = null
  try {
    for await (const chunk of slicesOf(await openAsParsed(file, encoding, from.offset))) {
      const pause = giveWay()
      if (pause) await pause
      failure = await settled((done) => parser.write(chunk, done))
      const wide = rows.findIndex((row) => 'cells' in row && row.cells.length > mostCells)
      yield* wide === -1 ? rows : rows.slice(0, wide)
      rows = []
      if (wide !== -1 || (parser as unknown as OpenRow).state.record.length > mostCells) {
        yield { failure: tooWide }
        return
      }
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
  if (failure instanceof CsvError) yield { failure: reasons[failure.code] ?? 'it is no CSV' }
  else if (failure) throw failure
}

/** The parser's unfinished row. */
interface OpenRow {
  state: { record: unknown[] }
}

/** Cuts chunks of any size into small slices. */
export async function* slicesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes)
  }
}

async function afterEmptyLines(file: CsvFile, encoding: Encoding, from: RowPosition): Promise<RowPosition> {
  const giveWay = createGiveWay()
  let { offset, line } = from
  let last = 0
  for await (const chunk of slicesOf(await openAsParsed(file, encoding, offset))) {
    await giveWay()
    for (const byte of chunk) {
      if (byte !== 0x0a && byte !== 0x0d) return { offset, line }
      // The second character of a CR LF pair belongs to the same line end.
      if (byte === 0x0d || last !== 0x0d) line += 1
      offset += 1
      last = byte
    }
  }
  return { offset, line }
}

async function afterLine(file: CsvFile, encoding: Encoding, { offset, line }: RowPosition): Promise<RowPosition> {
  const giveWay = createGiveWay()
  let passed = offset
  let hasReturn = false
  for await (const chunk of slicesOf(await openAsParsed(file, encoding, offset))) {
    await giveWay()
    if (hasReturn) return { offset: passed + (chunk[0] === 0x0a ? 1 : 0), line: line + 1 }
    const ends = [chunk.indexOf(0x0a), chunk.indexOf(0x0d)].filter((at) => at !== -1)
    const end = Math.min(...ends)
    hasReturn = chunk[end] === 0x0d
    const isAtEdge = hasReturn && end === chunk.length - 1
    if (ends.length > 0 && !isAtEdge) {
      const isPair = hasReturn && chunk[end + 1] === 0x0a
      return { offset: passed + end + (isPair ? 2 : 1), line: line + 1 }
    }
    passed += chunk.length
  }
  return { offset: passed, line: line + 1 }
}

/** Number of characters to examine before other work gets a turn. */
const turnCharacters = 256 * 1024

async function countLineEnds(cells: readonly string[], giveWay: () => Promise<void> | undefined): Promise<number> {
  let ends = 0
  for (const cell of cells) {
    for (let start = 0; start < cell.length; start += turnCharacters) {
      if (start > 0) await giveWay()
      const stop = Math.min(start + turnCharacters, cell.length)
      for (let at = start; at < stop; at++) {
        const sign = cell.charCodeAt(at)
        if (sign === 0x0a || (sign === 0x0d && cell.charCodeAt(at + 1) !== 0x0a)) ends++
      }
    }
  }
  return ends
}
