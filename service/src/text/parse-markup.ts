import { Marked } from 'marked'
import textile from 'textile-js'
import type { RichText } from '../families/record.ts'
import type { Losses } from './document.ts'
import { findUrls } from './find-urls.ts'
import { quoteLines } from './quote-lines.ts'
import { showHidden } from './redmine-signs.ts'
import { escapeHtml } from './render-html.ts'
import { shelterCode } from './shelter-code.ts'
import { joinTableStarts } from './textile-styles.ts'

export type TextFormat = RichText['format']

/** True for plain Markdown, and for Markdown with Redmine's special signs. */
export const isMarkdown = (format: TextFormat): boolean => format === 'markdown' || format === 'redmine_markdown'

const marked = new Marked({ gfm: true })

/** Converts a text to HTML, which is not sanitized yet. */
export function parseMarkup({ format, body }: RichText, losses: Losses): string {
  if (format === 'html') return body
  if (format === 'plain') return plainToHtml(body)
  const html = orNull(() => {
    if (format === 'textile') return parseTextile(showHidden(body, 'textile'))
    return marked.parse(format === 'markdown' ? body : showHidden(body, 'markdown'), { async: false })
  })
  if (html !== null) return html
  // A text with visible markup is better than no text.
  losses.add('markup_kept_as_text')
  return plainToHtml(body)
}

/** Our Textile writer puts an empty element where a link touches a word. The parser expects brackets there. */
const touchingLink =
  /(<notextile><\/notextile>)?("[^"\n]*":[^\s<"]{1,4000}?)([.,:!?]{0,20})(?:(<notextile><\/notextile>)|(?=[\s<"]|$))/g

function parseTextile(body: string): string {
  const sheltered = joinTableStarts(quoteLines(shelterCode(body))).replace(
    touchingLink,
    (found: string, before: string | undefined, link: string, points: string, after: string | undefined) => {
      if (after !== undefined) return `[${link}${points}]`
      return before === undefined ? found : `[${link}]${points}`
    },
  )
  return undoGlyphs(textile(sheltered), sheltered)
}

export function lexMarkdown(body: string) {
  return orNull(() => marked.lexer(body))
}

/**
 * Null if the parser fails: the parsers have bugs, and some texts exhaust the stack. The caller, `budget-text.ts`,
 * limits their time.
 */
function orNull<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}

export function plainToHtml(body: string): string {
  const paragraphs = body.replace(/\r\n?/g, '\n').split(/\n[ \t]*(?:\n[ \t]*)+/)
  return paragraphs
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${paragraph.split('\n').map(linkLine).join('<br>')}</p>`)
    .join('\n')
}

function linkLine(line: string): string {
  let html = ''
  let end = 0
  for (const { start, url } of findUrls(line)) {
    const link = `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    html += escapeHtml(line.slice(end, start)) + link
    end = start + url.length
  }
  return html + escapeHtml(line.slice(end))
}

/** The library replaces these typewriter characters. Redmine does not, so we change them back. */
const glyphs: Record<string, string> = {
  ...{ 8220: '&quot;', 8221: '&quot;', 8243: '&quot;', 8216: "'", 8217: "'", 8242: "'", 8212: '--', 8211: '-' },
  ...{ 8230: '...', 215: 'x', 169: '(c)', 174: '(r)', 8482: '(tm)', 188: '(1/4)', 189: '(1/2)', 190: '(3/4)' },
  ...{ 176: '(o)', 177: '(+/-)' },
}

function undoGlyphs(html: string, source: string): string {
  // Our Textile writer inserts this character where Redmine would misread a sign.
  return html
    .replaceAll('&#8203;', '')
    .replace(/&#(\d{3,4});/g, (entity, code: string) => (source.includes(entity) ? entity : (glyphs[code] ?? entity)))
}
