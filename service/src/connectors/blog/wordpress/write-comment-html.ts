import { type Block, captionParagraph, type Inline, linkTo } from '../../../text/document.ts'
import { escapeText } from '../../../text/plain-words.ts'
import { readDocument } from '../../../text/read-document.ts'
import { renderInlines } from '../../../text/render-html.ts'

/**
 * Writes a comment in the form that WordPress keeps: paragraphs as blank lines, breaks as line breaks, and only a few
 * tags (`$allowedtags` of its kses.php). WordPress would drop all other tags without a replacement, and paragraphs would
 * run together.
 */
export const writeCommentHtml = (html: string): string =>
  writeBlocks(readDocument(html, { losses: new Set(), linkUrls: false }))

const writeBlocks = (blocks: Block[], between = '\n\n', indent = ''): string =>
  blocks
    .map((block) => writeBlock(block, indent))
    .filter((words) => words !== '')
    .join(between)

function writeBlock(block: Block, indent: string): string {
  switch (block.type) {
    case 'heading':
      return `<strong>${writeLine(block.children)}</strong>`
    case 'code':
      return `<code>${escapeText(block.value)}</code>`
    case 'quote':
      return `<blockquote>${writeBlocks(block.blocks)}</blockquote>`
    case 'rule':
      return '* * *'
    case 'list': {
      const items = block.items.map(({ blocks }, index) => {
        const sign = block.ordered ? `${block.start + index}.` : '-'
        return `${indent}${sign} ${writeBlocks(blocks, '\n', `${indent}  `)}`
      })
      return items.join('\n')
    }
    case 'table': {
      const rows = block.rows.map((row) => row.map(({ blocks }) => writeBlocks(blocks, '\n')).join(' | '))
      return [writeLine(block.caption), ...rows].join('\n').trim()
    }
    case 'figure':
      return writeBlocks([...block.blocks, captionParagraph(block.caption)])
    case 'details':
      return writeBlocks([captionParagraph(block.summary), ...block.blocks])
    case 'terms':
      return writeBlocks(block.items.flatMap((item) => ('term' in item ? [captionParagraph(item.term)] : item.blocks)))
    default:
      return writeLine(block.children)
  }
}

const keptMarks = new Set(['strong', 'em', 'del'])

function toKept(inline: Inline): Inline[] {
  if (inline.type === 'image') return [linkTo(inline.src, inline.alt || inline.src)]
  if (!('children' in inline)) return [inline]
  const children = inline.children.flatMap(toKept)
  if (inline.type === 'link') return [{ ...inline, title: '', children }]
  return inline.type === 'abbr' || keptMarks.has(inline.mark) ? [{ ...inline, children }] : children
}

const writeLine = (line: Inline[]): string =>
  renderInlines(line.flatMap(toKept), escapeText).replaceAll('<br>', '\n').trim()
