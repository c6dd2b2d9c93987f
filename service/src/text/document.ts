import type { TextLoss } from '../warnings/codes.ts'
/** All elements that a conversion can produce. No other element can be in the output. */
export type Mark = 'strong' | 'em' | 'del' | 'u' | 'sub' | 'sup' | 'mark'

export type Inline =
  | { type: 'text'; value: string }
  | { type: 'code'; value: string }
  | { type: 'break' }
  | { type: 'image'; src: string; alt: string; title: string }
  | { type: 'mark'; mark: Mark; children: Inline[] }
  | { type: 'link'; href: string; title: string; children: Inline[] }
  /** An abbreviation and its meaning. */
  | { type: 'abbr'; meaning: string; children: Inline[] }

export interface ListItem {
  checked: boolean | null
  blocks: Block[]
}

export interface Cell {
  head: boolean
  align: 'left' | 'center' | 'right' | null
  blocks: Block[]
}

export type List = { type: 'list'; ordered: boolean; start: number; items: ListItem[] }
export type Table = { type: 'table'; caption: Inline[]; rows: Cell[][] }
/** One line of a list of terms: a term, or the description of the terms before it. */
export type Definition = { term: Inline[] } | { blocks: Block[] }

export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'code'; language: string; value: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'rule' }
  | List
  | Table
  | { type: 'figure'; blocks: Block[]; caption: Inline[] }
  | { type: 'details'; summary: Inline[]; blocks: Block[] }
  | { type: 'terms'; items: Definition[] }

/** Receives the kind of each loss of a text. */
export interface Losses {
  add(kind: TextLoss): unknown
}

export function plainText(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text' || inline.type === 'code') return inline.value
      if (inline.type === 'break') return '\n'
      return inline.type === 'image' ? '' : plainText(inline.children)
    })
    .join('')
}

/**
 * A list is tight if each item is one line of text, optionally with lists below it. All formats can write a tight list.
 */
export function isTight(list: List): boolean {
  return list.items.every(({ blocks }) =>
    blocks.every((block, index) => block.type === 'list' || (index === 0 && block.type === 'paragraph')),
  )
}

/** The inlines of a cell; null if the cell holds anything else. */
export function cellLine(cell: Cell): Inline[] | null {
  if (cell.blocks.length === 0) return []
  const [only, ...rest] = cell.blocks
  return only?.type === 'paragraph' && rest.length === 0 ? only.children : null
}

/** Converts blocks to lines of text, for places that cannot hold blocks: a table cell, an item of a Textile list. */
export function flattenBlocks(blocks: Block[]): Inline[] {
  const lines = blocks.flatMap(blockLines)
  return lines.flatMap((line, index): Inline[] => (index === 0 ? line : [{ type: 'break' }, ...line]))
}

function blockLines(block: Block): Inline[][] {
  switch (block.type) {
    case 'paragraph':
      return [block.children]
    case 'heading':
      return [[{ type: 'mark', mark: 'strong', children: block.children }]]
    case 'code':
      return block.value.split('\n').flatMap((line): Inline[][] => {
        const value = line.trim().replace(/\s+/g, ' ')
        return value === '' ? [] : [[{ type: 'code', value }]]
      })
    case 'quote':
      return block.blocks.flatMap(blockLines)
    case 'list':
      return block.items.flatMap((item) => item.blocks.flatMap(blockLines))
    case 'table':
      return [...(block.caption.length > 0 ? [block.caption] : []), ...block.rows.map(rowLine)]
    case 'rule':
      return []
    case 'figure':
      return [...block.blocks.flatMap(blockLines), block.caption]
    case 'details':
      return simplifyDetails(block).flatMap(blockLines)
    case 'terms':
      return block.items.flatMap((item) => ('term' in item ? [item.term] : item.blocks.flatMap(blockLines)))
  }
}

function rowLine(row: Cell[]): Inline[] {
  return row.flatMap((cell, index): Inline[] => {
    const line = flattenBlocks(cell.blocks)
    return index === 0 ? line : [{ type: 'text', value: ' ' }, ...line]
  })
}

const strong = (children: Inline[]): Inline[] => [{ type: 'mark', mark: 'strong', children }]

/** For formats without collapsible parts: the summary, then the content. */
export function simplifyDetails({ summary, blocks }: Extract<Block, { type: 'details' }>): Block[] {
  return summary.length === 0 ? blocks : [{ type: 'paragraph', children: strong(summary) }, ...blocks]
}

/** For formats without lists of terms: each term becomes an item, with its description below. */
export function simplifyTerms({ items }: Extract<Block, { type: 'terms' }>): List {
  const list: List = { type: 'list', ordered: false, start: 1, items: [] }
  for (const item of items) {
    const last = list.items.at(-1)
    const blocks: Block[] = 'term' in item ? [{ type: 'paragraph', children: strong(item.term) }] : item.blocks
    if ('term' in item || !last) list.items.push({ checked: null, blocks: [...blocks] })
    else last.blocks.push(...blocks)
  }
  return list
}

/** Writes a caption as a separate paragraph, for formats without captions. */
export const captionParagraph = (children: Inline[]): Block => ({ type: 'paragraph', children })

export const linkTo = (href: string, words: string): Inline => ({
  type: 'link',
  href,
  title: '',
  children: [{ type: 'text', value: words }],
})

/** The words of a mark or an abbreviation without its element. The meaning of an abbreviation follows in brackets. */
export const spellOut = (inline: Extract<Inline, { children: Inline[] }>): Inline[] =>
  inline.type === 'abbr' ? [...inline.children, { type: 'text', value: ` (${inline.meaning})` }] : inline.children
