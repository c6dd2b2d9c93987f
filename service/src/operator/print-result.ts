/** Prints JSON for programs. For people, prints a list as a table, and one object as `name: value` lines. */
export function printResult(result: unknown, asJson: boolean): void {
  console.log(asJson ? JSON.stringify(result) : describe(result))
}

function describe(result: unknown): string {
  if (Array.isArray(result)) return result.length === 0 ? 'None.' : table(result)
  const lines = Object.entries(result as Record<string, unknown>).map(([name, value]) => {
    const isLong = Array.isArray(value) && value.some((entry) => typeof entry === 'string' && entry.includes(', '))
    if (isLong) return `${name}:\n${value.map((entry) => `  ${text(entry)}`).join('\n')}`
    const nested = Array.isArray(value) && value.some((entry) => typeof entry === 'object')
    return nested ? `${name}:\n${table(value).replace(/^/gm, '  ')}` : `${name}: ${text(value)}`
  })
  return lines.join('\n')
}

function table(rows: Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names, ...rows.map((row) => names.map((name) => text(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
