/** Lines that are kept, so that their values can be corrected; of the others only their number. */
const mostKept = 20

/** Values of a column that cannot be read, and in which lines the first of them are. */
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
