import { escapeAttribute, escapeText, readHtml } from '../../../text/plain-words.ts'

/** The inline tags that WordPress keeps in comments (`$allowedtags` of its kses.php). */
const inline = new Set(['a', 'abbr', 'b', 'blockquote', 'cite', 'code', 'del', 'em', 'i', 'q', 's', 'strong'])
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const paragraphs = new Set(
  'p div ul ol table caption figure figcaption details summary dl dt dd section article'.split(' ').concat(...headings),
)

/**
 * Writes a comment in the form that WordPress keeps: paragraphs as blank lines, breaks as line breaks, and only a few
 * tags. WordPress would drop all other tags without a replacement, and paragraphs would run together.
 */
export function writeCommentHtml(html: string): string {
  // The text is built from parts: reading the end of one growing text would take quadratic time.
  const parts: string[] = []
  let preformatted = 0
  const lists: { ordered: boolean; count: number }[] = []
  const add = (text: string) => {
    if (text !== '') parts.push(text)
  }
  const isAfter = (text: string) => parts.at(-1)?.endsWith(text) ?? false
  const isFresh = () => parts.length === 0 || isAfter('\n') || isAfter('<blockquote>')
  const trimEnd = () => {
    for (let last = parts.pop(); last !== undefined; last = parts.pop()) {
      if (last.trimEnd() === '') continue
      parts.push(last.trimEnd())
      return
    }
  }
  const startLine = () => {
    if (!isFresh()) add('\n')
  }
  const startParagraph = () => {
    if (parts.length === 0 || isAfter('<blockquote>')) return
    trimEnd()
    add('\n\n')
  }
  readHtml(html, {
    onopentag(name, { href, src, alt }) {
      if (name === 'br') add('\n')
      else if (name === 'hr') {
        startParagraph()
        add('* * *')
        startParagraph()
      } else if (name === 'img') {
        if (src) add(`<a href="${escapeAttribute(src)}">${escapeText(alt?.trim() || src)}</a>`)
      } else if (name === 'li') {
        startLine()
        const list = lists.at(-1)
        if (list) list.count += 1
        add(`${'  '.repeat(Math.max(0, lists.length - 1))}${list?.ordered ? `${list.count}. ` : '- '}`)
      } else if (name === 'tr') startLine()
      else if (name === 'td' || name === 'th') {
        if (!isFresh()) add(' | ')
      } else if (name === 'pre') {
        startParagraph()
        preformatted += 1
      } else if (name === 'a') add(href ? `<a href="${escapeAttribute(href)}">` : '<a>')
      else if (inline.has(name)) {
        if (name === 'blockquote') startParagraph()
        add(`<${name}>`)
      } else if (paragraphs.has(name)) {
        if (name === 'ul' || name === 'ol') {
          if (lists.length === 0) startParagraph()
          lists.push({ ordered: name === 'ol', count: 0 })
        } else if (lists.length === 0) startParagraph()
        if (headings.has(name)) add('<strong>')
      }
    },
    ontext(text) {
      if (preformatted > 0) {
        add(escapeText(text))
        return
      }
      const line = text.replace(/\s+/g, ' ')
      add(escapeText(isFresh() ? line.trimStart() : line))
    },
    onclosetag(name) {
      if (name === 'pre') {
        preformatted -= 1
        startParagraph()
      } else if (name === 'ul' || name === 'ol') {
        lists.pop()
        if (lists.length === 0) startParagraph()
      } else if (inline.has(name)) {
        if (name === 'blockquote') trimEnd()
        add(`</${name}>`)
        if (name === 'blockquote') startParagraph()
      } else if (paragraphs.has(name)) {
        if (headings.has(name)) add('</strong>')
        if (lists.length === 0) startParagraph()
      }
    },
  })
  return parts
    .join('')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
