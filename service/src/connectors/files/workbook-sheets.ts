import readWorkbook from 'read-excel-file/node'

export interface SheetText {
  name: string
  csv: string
}

/** The sheets of an Excel workbook as CSV, without the empty ones. Runs in a thread: it takes time and memory with the size. */
export async function workbookToCsv(bytes: Uint8Array): Promise<SheetText[]> {
  // Digits stay as they are written: a long number loses none of them.
  const sheets = await readWorkbook<string>(Buffer.from(bytes), { trim: false, parseNumber: (digits) => digits })
  return sheets
    .filter(({ data }) => data.length > 0)
    .map(({ sheet, data }) => ({
      name: sheet,
      csv: data.map((row) => row.map((cell) => quote(toText(cell))).join(',')).join('\n'),
    }))
}

/** Excel knows no zones: a moment is written as it is shown there. */
function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (!(cell instanceof Date)) return String(cell)
  // Excel counts in fractions of days, which are never exact.
  const moment = new Date(Math.round(cell.getTime() / 1000) * 1000)
  if (Number.isNaN(moment.getTime())) return ''
  return moment.toISOString().replace(/T00:00:00.*$|\.\d+Z$/, '')
}

const quote = (text: string) => (/[",'\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
