import { Parser } from 'htmlparser2'
import { limitDepth } from '../../text/limit-depth.ts'

// WordPress keeps titles, captions and names as HTML. Families want them as plain text.

export const escapeText = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const breaking = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'figcaption'])

/** The words without the markup. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim()
  let text = ''
  read(html, {
    ontext: (part) => {
      text += part
    },
    onopentag: (name) => {
      if (breaking.has(name) && text !== '' && !text.endsWith('\n')) text += '\n'
    },
  })
  return text.trim()
}

/** What WordPress leaves of a single line of text (`sanitize_text_field`). */
export function plainLine(text: string): string {
  let line = text.replace(/[\r\n\t ]+/g, ' ')
  while (/%[a-f0-9]{2}/i.test(line)) line = line.replace(/%[a-f0-9]{2}/gi, '')
  return line.replace(/ +/g, ' ').trim()
}

/**
 * The same for markup that means the same, so that what was sent can be compared with what is stored: WordPress adds
 * `rel` to links, and writes entities and quotes its own way.
 */
export function normalizeHtml(html: string): string {
  let normal = ''
  read(html, {
    onopentag(name, attributes) {
      const kept = Object.entries(attributes)
        .filter(([attribute]) => attribute !== 'rel')
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([attribute, value]) => ` ${attribute}="${escapeText(value)}"`)
      normal += `<${name}${kept.join('')}>`
    },
    ontext: (part) => {
      normal += escapeText(part)
    },
    onclosetag: (name) => {
      normal += `</${name}>`
    },
  })
  return normal
    .replace(/\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .trim()
}

/** Every address that pictures and links use, with the id that WordPress writes beside its own pictures. */
export function listAddresses(html: string): { url: string; mediaId: number | null }[] {
  const addresses: { url: string; mediaId: number | null }[] = []
  read(html, {
    onopentag(name, { src, href, class: classes = '' }) {
      const url = name === 'img' ? src : name === 'a' ? href : undefined
      if (!url?.trim()) return
      const id = name === 'img' ? /(?:^|\s)wp-image-(\d{1,15})(?:\s|$)/.exec(classes)?.[1] : undefined
      addresses.push({ url: url.trim(), mediaId: id === undefined ? null : Number(id) })
    },
  })
  return addresses
}

export function read(html: string, handler: NonNullable<ConstructorParameters<typeof Parser>[0]>): void {
  const parser = new Parser(handler)
  parser.write(limitDepth(html).html)
  parser.end()
}
