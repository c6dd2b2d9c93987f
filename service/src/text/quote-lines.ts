const deepest = 10
/** Ends with an invisible second paragraph, because the parser drops the line breaks of a single one. */
const end = '\n&#8203;\n\n</blockquote>'

/**
 * Turns lines that begin with ">" into quotes. Redmine's reply button quotes this way, but the Textile parser does not
 * know it. In plain text the sign stays, because it may be an ordinary character.
 */
export function quoteLines(textile: string): string {
  if (!/^>/m.test(textile)) return textile
  const lines: string[] = []
  let depth = 0
  const goTo = (next: number) => {
    if (next === depth) return
    lines.push('', ...Array<string>(Math.max(0, next - depth)).fill('<blockquote>\n'))
    lines.push(...Array<string>(Math.max(0, depth - next)).fill(end), '')
    depth = next
  }
  for (const line of textile.split(/\r\n?|\n/)) {
    const [signs = ''] = /^>[> ]*/.exec(line) ?? []
    goTo(Math.min(signs.split('>').length - 1, deepest))
    lines.push(line.slice(signs.length))
  }
  goTo(0)
  return lines.join('\n')
}
