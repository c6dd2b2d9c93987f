import readWorkbook from 'read-excel-file/node'

export interface SheetText {
  name: string
  csv: string
}

/**
 * The non-empty sheets of an Excel workbook as CSV. It runs in a thread, because large workbooks take much time and
 * memory.
 */
export async function workbookToCsv(bytes: Uint8Array): Promise<SheetText[]> {
  // Numbers stay texts, so that long numbers keep all digits.
  const sheets = await readWorkbook<string>(Buffer.from(bytes), { trim: false, parseNumber: (digits) => digits })
  return sheets
    .filter(({ data }) => data.length > 0)
    .map(({ sheet, data }) => ({
      name: sheet,
      csv: data.map((row) => row.map((cell) => quote(toText(cell))).join(',')).join('\n'),
    }))
}

/** Converts a cell to text. Excel has no zones, so a moment is written as Excel shows it. */
function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell)
  // Excel stores times as fractions of days, which are inexact, so we round to seconds.
  const moment = new Date(Math.round(cell.getTime() / 1000) * 1000)
  if (Number.isNaN(moment.getTime())) return ''
  return moment.toISOString().replace(/T00:00:00.*$|\.\d+Z$/, '')
}

const quote = (text: string) => (/[",'\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
