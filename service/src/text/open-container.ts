import type { Container, DocumentBuilder, Leave } from './build-document.ts'
import type { Cell, Definition, Inline, List, Losses, Table } from './document.ts'

const names = new Set(['blockquote', 'ul', 'ol', 'dl', 'table', 'figure', 'details'])
/** The deepest nesting that all formats can write. */
const deepest = 24

export const isContainer = (name: string): boolean => names.has(name)

/** Opens an element that contains blocks. */
export function openContainer(
  builder: DocumentBuilder,
  name: string,
  attribs: Record<string, string>,
  losses: Losses,
): Leave {
  builder.flush()
  if (builder.containers.length > deepest) {
    losses.add('nesting_flattened')
    return () => builder.flush()
  }
  const target = builder.place()
  if (name === 'table') return openTable(builder, target)
  if (name === 'ul' || name === 'ol') return openList(builder, target, name, attribs)
  if (name === 'dl') return openTerms(builder, target)
  if (name === 'figure' || name === 'details') return openCaptioned(builder, target, name)
  const container: Container = { blocks: [], heading: 0 }
  const leave = builder.enter(container)
  return () => {
    leave()
    if (container.blocks.length > 0) target.blocks.push({ type: 'quote', blocks: container.blocks })
  }
}

function openTable(builder: DocumentBuilder, target: Container): Leave {
  const caption: Inline[] = []
  const table: Table = { type: 'table', caption, rows: [] }
  // Content of a table outside its cells is placed before the table, as in browsers.
  const leave = builder.enter({ blocks: target.blocks, table, caption, heading: 0 })
  return () => {
    leave()
    const isFilled = table.rows.some((row) => row.some((cell) => cell.blocks.length > 0))
    if (isFilled) target.blocks.push(trimTable(table))
    else if (caption.length > 0) target.blocks.push({ type: 'paragraph', children: caption })
  }
}

/** Drops an empty header row: Markdown has no table without a header, so an empty one means none. */
function trimTable(table: Table): Table {
  const rows = table.rows.filter((row) => row.length > 0)
  const [first, ...rest] = rows
  const isEmptyHead = first?.every((cell) => cell.head && cell.blocks.length === 0) ?? false
  return { ...table, rows: isEmptyHead && rest.length > 0 ? rest : rows }
}

export function openCell(builder: DocumentBuilder, table: Table, name: string, attribs: Record<string, string>): Leave {
  if (table.rows.length === 0) table.rows.push([])
  const align = (['left', 'center', 'right'] as const).find((side) => side === attribs.align?.toLowerCase()) ?? null
  const cell: Cell = { head: name === 'th', align, blocks: [] }
  table.rows.at(-1)?.push(cell)
  return builder.enter({ blocks: cell.blocks, heading: 0 })
}

function openList(builder: DocumentBuilder, target: Container, name: string, attribs: Record<string, string>): Leave {
  const start = Math.min(Math.max(Math.trunc(Number(attribs.start ?? 1)) || 0, 0), 999_999_999)
  const list: List = { type: 'list', ordered: name === 'ol', start: name === 'ol' ? start : 1, items: [] }
  const leave = builder.enter({ blocks: target.blocks, list, heading: 0 })
  return () => {
    leave()
    list.items = list.items.filter((item) => item.blocks.length > 0)
    if (list.items.length > 0) target.blocks.push(list)
  }
}

function openTerms(builder: DocumentBuilder, target: Container): Leave {
  const terms: Definition[] = []
  const leave = builder.enter({ blocks: target.blocks, terms, heading: 0 })
  return () => {
    leave()
    const items = terms.filter((item) => ('term' in item ? item.term.length > 0 : item.blocks.length > 0))
    if (items.length > 0) target.blocks.push({ type: 'terms', items })
  }
}

/** Opens one line of a list of terms. */
export function openDefinition(builder: DocumentBuilder, terms: Definition[], name: string): Leave {
  if (name === 'dt') {
    const term: Inline[] = []
    terms.push({ term })
    return builder.enterLines(term)
  }
  const item = { blocks: [] }
  terms.push(item)
  return builder.enter({ blocks: item.blocks, heading: 0 })
}

/**
 * Opens a figure or a collapsible part. A figure without a caption, or an empty collapsible part, is replaced by its
 * content.
 */
function openCaptioned(builder: DocumentBuilder, target: Container, name: 'figure' | 'details'): Leave {
  const caption: Inline[] = []
  const container: Container = { blocks: [], caption, heading: 0 }
  const leave = builder.enter(container)
  return () => {
    leave()
    const { blocks } = container
    if (caption.length === 0) target.blocks.push(...blocks)
    else if (blocks.length === 0) target.blocks.push({ type: 'paragraph', children: caption })
    else if (name === 'figure') target.blocks.push({ type: 'figure', blocks, caption })
    else target.blocks.push({ type: 'details', summary: caption, blocks })
  }
}
