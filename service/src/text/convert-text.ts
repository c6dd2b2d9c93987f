import type { RichText } from '../families/record.ts'
import type { TextLoss } from '../warnings/codes.ts'
import type { Block, Losses } from './document.ts'
import { parseMarkup, type TextFormat } from './parse-markup.ts'
import { quoteLines } from './quote-lines.ts'
import { readDocument } from './read-document.ts'
import { renderHtml } from './render-html.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderPlain } from './render-plain.ts'
import { renderTextile } from './render-textile.ts'
import { isClean, sanitizeMarkup } from './sanitize-markup.ts'

export { listLinks, rewriteLinks } from './rewrite-links.ts'

export interface ConvertedText {
  body: string
  /** Machine codes of what did not come over, each once. */
  losses: TextLoss[]
}

/** What Textile writes without any HTML by its author: `p(class). `, `%{color:red}text%`, acronyms, footnotes. */
const textileOwn = {
  tags: 'span acronym cite dl dt dd caption',
  attributes: 'class style id lang title align colspan rowspan',
}

/** The text in another format; in its own it stays as it is, byte for byte, unless something in it is not safe. */
export function convertText(text: RichText, to: TextFormat): ConvertedText {
  const losses: Losses = new Set()
  if (text.format === to && to === 'plain') return { body: text.body, losses: [] }
  const html = parseMarkup(text, losses)
  if (text.format === to && losses.size === 0 && isClean(html, to === 'textile' ? textileOwn : undefined)) {
    return { body: text.body, losses: [] }
  }
  const body = render(readText(text, html, losses), to, losses)
  return { body, losses: [...losses].sort() }
}

function readText({ format, body }: RichText, html: string, losses: Losses): Block[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no tool stores and nobody sees
  const readable = html.toWellFormed().replace(/[\0-\x08\x0e-\x1f]/g, '')
  // Plain text was escaped by us a moment ago: there is no markup of anyone else in it.
  const safe = format === 'plain' ? readable : sanitizeMarkup(readable, losses)
  const blocks = readDocument(safe, { losses, linkUrls: format === 'textile' })
  // Escaped, the sign is only a sign; so the source is asked, not what became of it.
  return format === 'textile' && /^>/m.test(body) ? quoteLines(blocks) : blocks
}

function render(blocks: Block[], to: TextFormat, losses: Losses): string {
  if (to === 'html') return renderHtml(blocks)
  if (to === 'markdown') return renderMarkdown(blocks, losses)
  return to === 'textile' ? renderTextile(blocks, losses) : renderPlain(blocks, losses)
}
