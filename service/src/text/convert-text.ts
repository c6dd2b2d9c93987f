import type { RichText } from '../families/record.ts'
import type { TextLoss } from '../warnings/codes.ts'
import type { Block, Losses } from './document.ts'
import { parseMarkup, type TextFormat } from './parse-markup.ts'
import { readDocument } from './read-document.ts'
import { renderHtml } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderPlain } from './render-plain.ts'
import { renderTextile } from './render-textile.ts'
import { allow, isClean, sanitizeMarkup } from './sanitize-markup.ts'
import { hasLoadingStyle } from './textile-styles.ts'

export { listLinks, rewriteLinks } from './rewrite-links.ts'

export interface ConvertedText {
  body: string
  /** Number of elements of each kind that were lost or replaced. */
  losses: Partial<Record<TextLoss, number>>
}

/** Counts the losses of a text. */
class LossCount implements Losses {
  readonly counts = new Map<TextLoss, number>()

  add(kind: TextLoss): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  toRecord(): ConvertedText['losses'] {
    return Object.fromEntries([...this.counts].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

/**
 * Tags and attributes that the Textile parser itself produces: for `p(class). `, `%{color:red}text%`, acronyms,
 * footnotes.
 */
const textileOwn = allow('span acronym cite dl dt dd caption', 'class style id lang title align colspan rowspan')

/** Converts a text to another format. In its own format it stays unchanged, byte for byte, unless it is unsafe. */
export function convertText(text: RichText, to: TextFormat): ConvertedText {
  const losses = new LossCount()
  if (text.format === to && to === 'plain') return { body: text.body, losses: {} }
  const html = parseMarkup(text, losses)
  const isKept = text.format === to && losses.counts.size === 0 && !(to === 'textile' && hasLoadingStyle(text.body))
  if (isKept && isClean(html, to === 'textile' ? textileOwn : undefined)) {
    return { body: text.body, losses: {} }
  }
  const body = render(readText(text, html, losses), to, losses)
  return { body, losses: losses.toRecord() }
}

function readText({ format }: RichText, html: string, losses: Losses): Block[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no tool stores and nobody sees
  const readable = html.toWellFormed().replace(/[\0-\x08\x0e-\x1f]/g, '')
  // We escaped plain text ourselves, so it contains no foreign markup.
  const safe = format === 'plain' ? readable : sanitizeMarkup(readable, losses)
  return readDocument(safe, { losses, linkUrls: format === 'textile' })
}

function render(blocks: Block[], to: TextFormat, losses: Losses): string {
  if (to === 'html') return renderHtml(blocks)
  if (to === 'markdown' || to === 'redmine_markdown') return renderMarkdown(blocks, losses, to === 'redmine_markdown')
  return to === 'textile' ? renderTextile(blocks, losses) : renderPlain(blocks, losses)
}
