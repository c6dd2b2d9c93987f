/** One line of a CSV file that people open in a spreadsheet. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  const cells = values.map((value) => `"${harmless(value === null ? '' : String(value)).replaceAll('"', '""')}"`)
  return `${cells.join(',')}\r\n`
}

/**
 * Keeps a spreadsheet from reading a cell as a formula. Spreadsheets skip invisible characters at its beginning, and
 * read full-width signs as the usual ones.
 */
function harmless(text: string): string {
  const [first = ''] = text.replace(/^[\s\p{Cc}\p{Cf}]+/u, '').normalize('NFKC')
  const isFormula = first !== '' && '=+-@|%'.includes(first)
  return isFormula || /^[\t\r\n]/.test(text) ? `'${text}` : text
}
