/** Formats a table. The first column is aligned left, all others right. */
export function formatTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (row: string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
  return rows.map((row) => `  ${line(row).join('   ')}`.trimEnd()).join('\n')
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** The median of one value over several rounds. */
export function medianOf<Key extends string>(rounds: Record<Key, number>[], key: Key): number {
  return median(rounds.map((round) => round[key]))
}
