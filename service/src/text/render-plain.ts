import { type Block, cellLine, flattenBlocks, type Inline, type Losses, plainText } from './document.ts'

export function renderPlain(blocks: Block[], losses: Losses): string {
  return blocks.map((block) => renderBlock(block, losses)).join('\n\n')
}

const indent = (text: string, first: string, rest: string) =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
    .join('\n')

function renderBlock(block: Block, losses: Losses): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return renderLine(block.children)
    case 'code':
      return indent(block.value, '    ', '    ')
    case 'quote':
      return indent(renderPlain(block.blocks, losses), '> ', '> ')
    case 'rule':
      return '----'
    case 'list':
      return block.items
        .map(({ checked, blocks }, index) => {
          const marker = block.ordered ? `${block.start + index}. ` : '- '
          const box = checked === null ? '' : checked ? '[x] ' : '[ ] '
          const text = blocks.map((child) => renderBlock(child, losses)).join('\n')
          return indent(text, marker + box, ' '.repeat(marker.length))
        })
        .join('\n')
    case 'table':
      return block.rows
        .map((row) =>
          row
            .map((cell) => {
              const line = cellLine(cell)
              if (line === null) losses.add('table_flattened')
              return renderLine(line ?? flattenBlocks(cell.blocks)).replace(/\n+/g, ' ')
            })
            .join(' | '),
        )
        .join('\n')
  }
}

function renderLine(inlines: Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.type === 'text' || inline.type === 'code') return inline.value
      if (inline.type === 'break') return '\n'
      if (inline.type === 'mark') return renderLine(inline.children)
      if (inline.type === 'image') {
        // An embedded picture is pages of letters; its name is all that plain text can say.
        const address = inline.src.startsWith('data:') ? '' : inline.src
        return [inline.alt, inline.alt && address ? `(${address})` : address].filter((part) => part !== '').join(' ')
      }
      const text = renderLine(inline.children)
      const sameText = [inline.href, inline.href.replace(/^(?:mailto|tel):/, '')].includes(plainText(inline.children))
      return sameText ? text : text === '' ? inline.href : `${text} (${inline.href})`
    })
    .join('')
}
