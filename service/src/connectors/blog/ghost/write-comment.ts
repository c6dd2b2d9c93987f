import * as text from '../../../text/document.ts'
import { escapeText } from '../../../text/plain-words.ts'
import { readDocument } from '../../../text/read-document.ts'
import { renderInlines } from '../../../text/render-html.ts'
import { comparableBody } from './compare-body.ts'
import { dropUnseen } from './mark-record.ts'

/**
 * Writes a comment with the markup that Ghost keeps: paragraphs, breaks, links and quotes. Ghost drops all other tags
 * without a replacement, and lines would run together.
 */
export const writeComment = (html: string): string =>
  readDocument(html, { losses: new Set(), linkUrls: false }).map(writeBlock).join('')

function writeBlock(block: text.Block): string {
  if (block.type === 'quote') return `<blockquote>${writeLine(text.flattenBlocks(block.blocks))}</blockquote>`
  if (block.type === 'rule') return '<p>* * *</p>'
  if (block.type === 'code') return `<p>${block.value.split('\n').map(escapeText).join('<br>')}</p>`
  if (block.type === 'details') return text.simplifyDetails(block).map(writeBlock).join('')
  if (block.type === 'terms') return writeBlock(text.simplifyTerms(block))
  if (block.type !== 'list') return `<p>${writeLine(text.flattenBlocks([block]))}</p>`
  const items = block.items.map(({ blocks }, index) => {
    const sign = block.ordered ? `${block.start + index}. ` : '- '
    return `${sign}${writeLine(text.flattenBlocks(blocks))}`
  })
  return `<p>${items.join('<br>')}</p>`
}

/** Links and plain words. A link has only plain words, because links must not be nested. */
function toKept(inline: text.Inline): text.Inline[] {
  if (inline.type === 'image') return [text.linkTo(inline.src, inline.alt || inline.src)]
  if (inline.type === 'link') return [text.linkTo(inline.href, text.plainText(inline.children) || inline.href)]
  if (inline.type === 'code') return [{ ...inline, type: 'text' }]
  return 'children' in inline ? text.spellOut(inline).flatMap(toKept) : [inline]
}

const writeLine = (line: text.Inline[]): string => renderInlines(line.flatMap(toKept), escapeText)

export const comparableComment = (html: string): string => comparableBody(dropUnseen(html))
