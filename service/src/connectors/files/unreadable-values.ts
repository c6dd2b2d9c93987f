/**
 * Number of lines that are remembered, so that the customer can correct their values. Further lines are only counted.
 */
const mostKept = 20

/** The number of unreadable values in a column, and the lines of the first ones. */
export class UnreadableValues {
  count = 0
  lines: number[] = []

  add(line: number): void {
    this.count += 1
    if (this.lines.length < mostKept) this.lines.push(line)
  }

  with({ count, lines }: UnreadableValues): UnreadableValues {
    const both = new UnreadableValues()
    both.count = this.count + count
    both.lines = [...this.lines, ...lines].sort((a, b) => a - b).slice(0, mostKept)
    return both
  }
}
