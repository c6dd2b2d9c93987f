import type { TextLoss } from '../warnings/codes.ts'
/** The closed vocabulary that every text passes through: what cannot be said here cannot come out of a conversion. */
export type Mark = 'strong' | 'em' | 'del' | 'u' | 'sub' | 'sup'

export type Inline =
  | { type: 'text'; value: string }
  | { type: 'code'; value: string }
  | { type: 'break' }
  | { type: 'image'; src: string; alt: string; title: string }
  | { type: 'mark'; mark: Mark; children: Inline[] }
  | { type: 'link'; href: string; title: string; children: Inline[] }

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
export type Table = { type: 'table'; rows: Cell[][] }

export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  | { type: 'code'; language: string; value: string }
  | { type: 'quote'; blocks: Block[] }
  | { type: 'rule' }
  | List
  | Table

/** Adds a loss code; a set, because each is told once per text. */
export type Losses = Set<TextLoss>

export function plainText(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text' || inline.type === 'code') return inline.value
      if (inline.type === 'break') return '\n'
      return inline.type === 'image' ? '' : plainText(inline.children)
    })
    .join('')
}

/** A list is tight when each item is one line of text with at most lists below it; all formats can write that. */
export function isTight(list: List): boolean {
  return list.items.every(({ blocks }) =>
    blocks.every((block, index) => block.type === 'list' || (index === 0 && block.type === 'paragraph')),
  )
}

/** The inlines of a cell, when it holds nothing else. */
export function cellLine(cell: Cell): Inline[] | null {
  if (cell.blocks.length === 0) return []
  const [only, ...rest] = cell.blocks
  return only?.type === 'paragraph' && rest.length === 0 ? only.children : null
}

/** Blocks as lines of text, for places that hold no blocks: a table cell, an item of a Textile list. */
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
      return block.rows.map((row) =>
        row.flatMap((cell, index): Inline[] => {
          const line = flattenBlocks(cell.blocks)
          return index === 0 ? line : [{ type: 'text', value: ' ' }, ...line]
        }),
      )
    case 'rule':
      return []
  }
}
