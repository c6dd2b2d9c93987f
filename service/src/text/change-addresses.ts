import type { Block, Cell, Definition, Inline, ListItem } from './document.ts'

/** Returns the document with changed addresses of links and pictures. */
export function changeAddresses(blocks: Block[], change: (url: string) => string): Block[] {
  const line = (inlines: Inline[]): Inline[] => inlines.map(inline)
  const inline = (one: Inline): Inline => {
    if (one.type === 'image') return { ...one, src: change(one.src) }
    if (one.type === 'link') return { ...one, href: change(one.href), children: line(one.children) }
    return one.type === 'mark' || one.type === 'abbr' ? { ...one, children: line(one.children) } : one
  }
  const within = <T extends { blocks: Block[] }>(holder: T): T => ({ ...holder, blocks: holder.blocks.map(block) })
  const block = (one: Block): Block => {
    switch (one.type) {
      case 'paragraph':
      case 'heading':
        return { ...one, children: line(one.children) }
      case 'quote':
        return within(one)
      case 'list':
        return { ...one, items: one.items.map((item: ListItem) => within(item)) }
      case 'table':
        return {
          ...one,
          caption: line(one.caption),
          rows: one.rows.map((row) => row.map((cell: Cell) => within(cell))),
        }
      case 'figure':
        return { ...within(one), caption: line(one.caption) }
      case 'details':
        return { ...within(one), summary: line(one.summary) }
      case 'terms':
        return {
          ...one,
          items: one.items.map((item: Definition) => ('term' in item ? { term: line(item.term) } : within(item))),
        }
      default:
        return one
    }
  }
  return blocks.map(block)
}
