import { escapeText, readHtml } from '../../../text/plain-words.ts'
import { comparableAddress } from './media-file.ts'

/**
 * The same text for markup with the same meaning, to compare sent and stored texts. WordPress adds `rel` to links, and
 * writes entities and quotes in its own way.
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

export interface FileAddress {
  url: string
  /** The address in the form of `comparableAddress`. */
  comparable: string
  /** The id that WordPress writes beside its own pictures. */
  mediaId: number | null
}

/** No real text shows more different files. Further addresses stay unchanged. */
const mostAddresses = 20_000

/** The addresses of files in pictures and links, each once. */
export function listAddresses(html: string, site: string): FileAddress[] {
  const found = new Map<string, FileAddress>()
  readHtml(html, {
    onopentag(name, { src, href, class: classes = '' }) {
      const url = (name === 'img' ? src : name === 'a' ? href : undefined)?.trim()
      if (!url || found.size >= mostAddresses) return
      const id = name === 'img' ? /(?:^|\s)wp-image-(\d{1,15})(?:\s|$)/.exec(classes)?.[1] : undefined
      const known = found.get(url)
      if (known && (known.mediaId !== null || id === undefined)) return
      const comparable = known?.comparable ?? comparableAddress(url, site)
      // A file of WordPress has an extension.
      if (comparable === null || !/\.[a-z0-9]{1,10}$/i.test(comparable)) return
      found.set(url, { url, comparable, mediaId: id === undefined ? null : Number(id) })
    },
  })
  return [...found.values()]
}
