import { Parser } from 'htmlparser2'

/** The last row and column of an Excel sheet. */
const most = { row: 1_048_576, column: 16_384 }
/** Maximum number of cells in a sheet, up to its last used row and column. */
const mostCells = 10_000_000

/**
 * Whether all cells of a workbook's part lie within a sheet, and close enough together that the sheet fits in memory.
 */
export async function hasSanePlaces(part: AsyncIterable<Buffer>): Promise<boolean> {
  const last = { row: 1, column: 1 }
  let isSane = true
  const note = (row: number, column: number) => {
    last.row = Math.max(last.row, row)
    last.column = Math.max(last.column, column)
    const isPlace = row >= 1 && row <= most.row && column <= most.column
    if (!isPlace || last.row * last.column > mostCells) isSane = false
  }
  const parser = new Parser(
    {
      onopentag(name, { r, ref }) {
        const tag = name.slice(name.indexOf(':') + 1)
        if (tag === 'row' && r !== undefined) note(/^\d{1,7}$/.test(r) ? Number(r) : 0, 1)
        if (tag === 'c' && r !== undefined) noteCell(r)
        if (tag === 'dimension' && ref !== undefined) for (const place of ref.split(':')) noteCell(place)
      },
    },
    { xmlMode: true },
  )
  const noteCell = (place: string) => {
    const [, letters = '', digits = '0'] = /^([A-Z]{1,3})(\d{1,7})$/.exec(place) ?? []
    note(Number(digits), columnOf(letters))
  }
  const decoder = new TextDecoder()
  for await (const chunk of part) if (isSane) parser.write(decoder.decode(chunk, { stream: true }))
  return isSane
}

/** Converts letters to a column number: A is 1, Z is 26, AA is 27. */
const columnOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
