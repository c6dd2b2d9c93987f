import { escapeText, readHtml } from '../../text/plain-words.ts'

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
  readHtml(html, {
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
  readHtml(html, {
    onopentag(name, { src, href, class: classes = '' }) {
      const url = name === 'img' ? src : name === 'a' ? href : undefined
      if (!url?.trim()) return
      const id = name === 'img' ? /(?:^|\s)wp-image-(\d{1,15})(?:\s|$)/.exec(classes)?.[1] : undefined
      addresses.push({ url: url.trim(), mediaId: id === undefined ? null : Number(id) })
    },
  })
  return addresses
}
