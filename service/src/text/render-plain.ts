import {
  type Block,
  cellLine,
  flattenBlocks,
  type Inline,
  type Losses,
  plainText,
  simplifyDetails,
  simplifyTerms,
} from './document.ts'

/** Renders plain text. Emphasis and headings count as one loss per text. */
export function renderPlain(blocks: Block[], losses: Losses): string {
  let isTold = false
  const once: Losses = {
    add(kind) {
      if (kind !== 'plain_only' || !isTold) losses.add(kind)
      if (kind === 'plain_only') isTold = true
    },
  }
  return renderBlocks(blocks, once)
}

const renderBlocks = (blocks: Block[], losses: Losses): string =>
  blocks.map((block) => renderBlock(block, losses)).join('\n\n')

const indent = (text: string, first: string, rest: string) =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
    .join('\n')

function renderBlock(block: Block, losses: Losses): string {
  switch (block.type) {
    case 'heading':
      losses.add('plain_only')
      return renderLine(block.children, losses)
    case 'paragraph':
      return renderLine(block.children, losses)
    case 'code':
      return indent(block.value, '    ', '    ')
    case 'quote':
      return indent(renderBlocks(block.blocks, losses), '> ', '> ')
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
    case 'figure':
      return renderBlocks([...block.blocks, { type: 'paragraph', children: block.caption }], losses)
    case 'details':
      return renderBlocks(simplifyDetails(block), losses)
    case 'terms':
      return renderBlock(simplifyTerms(block), losses)
    case 'table': {
      const caption = block.caption.length > 0 ? [renderLine(block.caption, losses)] : []
      const rows = block.rows.map((row) =>
        row
          .map((cell) => {
            const line = cellLine(cell)
            if (line === null) losses.add('table_flattened')
            return renderLine(line ?? flattenBlocks(cell.blocks), losses).replace(/\n+/g, ' ')
          })
          .join(' | '),
      )
      return [...caption, ...rows].join('\n')
    }
  }
}

function renderLine(inlines: Inline[], losses: Losses): string {
  return inlines.map((inline) => renderInline(inline, losses)).join('')
}

function renderInline(inline: Inline, losses: Losses): string {
  switch (inline.type) {
    case 'text':
    case 'code':
      return inline.value
    case 'break':
      return '\n'
    case 'mark':
      losses.add('plain_only')
      return renderLine(inline.children, losses)
    case 'abbr':
      return `${renderLine(inline.children, losses)} (${inline.meaning})`
    case 'image': {
      // An embedded picture is replaced by its alternative text.
      const address = inline.src.startsWith('data:') ? '' : inline.src
      if (address === '') losses.add('image_removed')
      return [inline.alt, inline.alt && address ? `(${address})` : address].filter((part) => part !== '').join(' ')
    }
    case 'link': {
      const text = renderLine(inline.children, losses)
      const sameText = [inline.href, inline.href.replace(/^(?:mailto|tel):/, '')].includes(plainText(inline.children))
      return sameText ? text : text === '' ? inline.href : `${text} (${inline.href})`
    }
  }
}
