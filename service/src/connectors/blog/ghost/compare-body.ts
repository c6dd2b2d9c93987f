import { escapeText, readHtml } from '../../../text/plain-words.ts'

const blocks = new Set(
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol li pre hr br img table thead tbody tr td th div figure figcaption'.split(' '),
)
const styleSign = '\ue000'
const unseen = new Set(['figure', 'div', 'tbody', 'thead'])
const marks: Record<string, string> = {
  ...{ strong: 'strong', b: 'strong', em: 'em', i: 'em', s: 's', del: 's', strike: 's' },
  ...{ u: 'u', sub: 'sub', sup: 'sup', code: 'code' },
}

/**
 * The same text for markup with the same meaning. It ignores Ghost's additions (classes, ids, sizes, cards), empty
 * space, and the order of the marks around a word.
 */
export function comparableBody(html: string): string {
  // The text is built from parts: reading the end of one growing text would take quadratic time.
  const parts: string[] = []
  let style = ''
  let href = ''
  let preformatted = 0
  const active: string[] = []
  const styleNow = () => [...new Set(active)].sort().join(' ') + (href === '' ? '' : ` @${href}`)
  // Space before and after a block is invisible, so it is dropped. A character that no text contains surrounds the
  // style of the following words.
  const breakLine = (tag: string) => {
    if (preformatted === 0) dropEnd(parts)
    if (tag !== '') parts.push(tag)
    style = ''
  }
  readHtml(html, {
    onopentag(name, attributes) {
      const mark = marks[name]
      if (name === 'a') href = attributes.href ?? ''
      else if (name === 'img') {
        breakLine(`<img ${attributes.src} ${attributes.alt ?? ''}${href === '' ? '' : ` @${href}`}>`)
      } else if (blocks.has(name)) {
        breakLine(unseen.has(name) ? '' : `<${name}${attributes.start ? ` ${attributes.start}` : ''}>`)
        if (name === 'pre') preformatted += 1
      } else if (mark) active.push(mark)
    },
    ontext(given) {
      const words = escapeText(preformatted > 0 ? given : given.replace(/[ \t\n\r]+/g, ' '))
      const text = preformatted === 0 && (parts.at(-1) ?? '>').endsWith('>') ? words.trimStart() : words
      if (text === '') return
      const now = styleNow()
      if (now !== style) parts.push(`${styleSign}${now}${styleSign}`)
      style = now
      parts.push(text)
    },
    onclosetag(name) {
      const mark = marks[name]
      if (name === 'a') href = ''
      else if (name === 'pre') {
        breakLine('</pre>')
        preformatted -= 1
      } else if (blocks.has(name)) {
        breakLine(unseen.has(name) || ['br', 'img', 'hr'].includes(name) ? '' : `</${name}>`)
      } else if (mark) active.splice(active.lastIndexOf(mark), 1)
    },
  })
  return parts
    .join('')
    .replace(/<p><\/p>/g, '')
    .trim()
}

/** Removes the spaces at the end, and a style before them that has no words. */
function dropEnd(parts: string[]): void {
  for (let last = parts.pop(); last !== undefined; last = parts.pop()) {
    if (last.length > 1 && last.startsWith(styleSign) && last.endsWith(styleSign)) return
    let end = last.length
    while (last[end - 1] === ' ') end--
    if (end === 0) continue
    parts.push(last.slice(0, end))
    return
  }
}
