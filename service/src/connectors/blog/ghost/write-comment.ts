import type { Block, Inline } from '../../../text/document.ts'
import * as text from '../../../text/document.ts'
import { escapeAttribute, escapeText } from '../../../text/plain-words.ts'
import { readDocument } from '../../../text/read-document.ts'
import { comparableBody } from './compare-body.ts'
import { dropUnseen } from './mark-record.ts'

/**
 * Writes a comment with the markup that Ghost keeps: paragraphs, breaks, links and quotes. Ghost drops all other tags
 * without a replacement, and lines would run together.
 */
export function writeComment(html: string): string {
  return readDocument(html, { losses: new Set(), linkUrls: false }).map(writeBlock).join('')
}

function writeBlock(block: Block): string {
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

function writeLine(line: Inline[]): string {
  return line
    .map((inline) => {
      switch (inline.type) {
        case 'break':
          return '<br>'
        case 'image':
          return `<a href="${escapeAttribute(inline.src)}">${escapeText(inline.alt || inline.src)}</a>`
        case 'mark':
          return writeLine(inline.children)
        case 'abbr':
          return `${writeLine(inline.children)} (${escapeText(inline.meaning)})`
        case 'link':
          // Only the plain text of the link is written, because links must not be nested.
          return `<a href="${escapeAttribute(inline.href)}">${escapeText(text.plainText(inline.children) || inline.href)}</a>`
        default:
          return escapeText(inline.value)
      }
    })
    .join('')
}

export const comparableComment = (html: string): string => comparableBody(dropUnseen(html))
