import type { Block, Inline } from './document.ts'

/**
 * Makes quotes of lines that begin with ">". Redmine's reply button quotes that way and Redmine shows it so, but the
 * parser of Textile does not know it. In plain text the sign stays: there it may be a sign.
 */
export function quoteLines(blocks: Block[]): Block[] {
  return blocks.flatMap((block): Block[] => {
    if (block.type !== 'paragraph') return [block]
    return quoteRuns(splitLines(block.children), 0)
  })
}

const deepest = 10
const quoteMark = /^>[ \u00a0]?/

function quoteRuns(lines: Inline[][], depth: number): Block[] {
  const blocks: Block[] = []
  for (let index = 0; index < lines.length; ) {
    const quoted = isQuoted(lines[index])
    let end = index + 1
    while (end < lines.length && isQuoted(lines[end]) === quoted) end++
    const run = lines.slice(index, end)
    if (quoted && depth < deepest) blocks.push({ type: 'quote', blocks: quoteRuns(run.map(unquote), depth + 1) })
    else blocks.push(...paragraphs(run))
    index = end
  }
  return blocks
}

function isQuoted(line: Inline[] | undefined): boolean {
  const first = line?.[0]
  return first?.type === 'text' && first.value.startsWith('>')
}

function unquote(line: Inline[]): Inline[] {
  const [first, ...rest] = line
  if (first?.type !== 'text') return line
  const value = first.value.replace(quoteMark, '').trimStart()
  return value === '' ? rest : [{ type: 'text', value }, ...rest]
}

/** An empty line, as ">" alone on its line, ends a paragraph. */
function paragraphs(lines: Inline[][]): Block[] {
  const blocks: Block[] = []
  let children: Inline[] = []
  const flush = () => {
    if (children.length > 0) blocks.push({ type: 'paragraph', children })
    children = []
  }
  for (const line of lines) {
    if (line.length === 0) flush()
    else children.push(...(children.length === 0 ? line : [{ type: 'break' } as const, ...line]))
  }
  flush()
  return blocks
}

function splitLines(inlines: Inline[]): Inline[][] {
  const lines: Inline[][] = [[]]
  for (const inline of inlines) {
    if (inline.type === 'break') lines.push([])
    else lines.at(-1)?.push(inline)
  }
  return lines
}
