const deepest = 10
/** With a second paragraph, which nobody sees: the parser takes one alone for a line, and forgets its breaks. */
const end = '\n&#8203;\n\n</blockquote>'

/**
 * Makes quotes of lines that begin with ">". Redmine's reply button quotes that way and Redmine shows it so, but the
 * parser of Textile does not know it. In plain text the sign stays: there it may be a sign.
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
