import { escapeText, plainWords, readHtml } from '../../text/plain-words.ts'
import type { OutgoingRecord } from '../contract/contract.ts'
import { digestOf } from './keys.ts'
import { type Lens, omit } from './lens.ts'
import { htmlWithPictures } from './shown-pictures.ts'

// Some tools clean up and re-wrap HTML. For them we compare only the words of a text. A line that we added to the text
// does not count.

/** A longer text is compared by its beginning and a digest of all its words. */
const longestWords = 20_000
/** A parser would keep the process busy with a longer text. Its tags are only cut out, and further links do not count. */
const longestParsed = 60_000
const mostLinks = 2_000

/** The lines that we put in front of a text. A tool may put the text into a box, and add attributes. */
const dash = '(?:—|&mdash;|&#8212;)'
const addedLines = new RegExp(
  `^((?:\\s|<(?:div|span|html|body)\\b[^>]*>)*)(?:<p(?:\\s[^>]*)?>\\s*${dash}(?: [^<]* ${dash})?\\s*</p>\\s*)+`,
  'i',
)

/**
 * The words of an HTML text, without spaces. `ownLine` matches the line that we added, within the plain words; it is
 * removed.
 */
export function wordsOf(html: unknown, ownLine?: RegExp): string | null {
  if (typeof html !== 'string') return null
  const said = ownLine ? shownBy(html).replace(ownLine, '') : shownBy(html.replace(addedLines, '$1'))
  const words = said.replace(/\s+/gu, '')
  return (words.length > longestWords ? `${words.slice(0, longestWords)}…${digestOf(words)}` : words) || null
}

const shownBy = (html: string): string => (html.length > longestParsed ? cutTags(html).trim() : plainWords(html))

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const cutTags = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, '\n')
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) =>
      name ? (signs[name] ?? whole) : String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )

/** Separates the words of a text from its links. The words contain no spaces. */
const linksFollow = '\n'

/**
 * The same, and the web addresses of links that do not show their address. A tool may turn a shown address into a link
 * itself.
 */
export function wordsAndLinksOf(html: unknown, ownLine?: RegExp): string | null {
  const words = wordsOf(html, ownLine)
  if (typeof html !== 'string' || !/<a\s/i.test(html)) return words
  const links = new Set<string>()
  for (const [address, shown] of html.length > longestParsed ? cutLinks(html) : readLinks(html)) {
    const url = URL.parse(address)
    if (url && /^https?:$/.test(url.protocol) && !shown.replace(/\s+/gu, '').includes(address)) links.add(url.href)
  }
  return links.size === 0 ? words : [words ?? '', ...[...links].sort()].join(linksFollow)
}

/** The address of each link, and its words. */
function readLinks(html: string): [address: string, shown: string][] {
  const links: [string, string][] = []
  let open: [string, string] | null = null
  readHtml(html, {
    onopentag: (name, { href = '' }) => {
      if (name === 'a') open = [href.trim(), '']
    },
    ontext: (text) => {
      if (open) open[1] += text
    },
    onclosetag: (name) => {
      if (name !== 'a' || !open) return
      links.push(open)
      open = null
    },
  })
  return links
}

/** Each pattern reads a character once: with one pattern for both, an unfinished tag would take hours. */
const cutLinks = (html: string): [address: string, shown: string][] =>
  Array.from(html.matchAll(/<a\s([^<>]*)>([^<]*)/gi).take(mostLinks), ([, tag = '', shown = '']) => {
    const [, address = ''] = /\bhref\s?=\s?["']([^"']*)["']/i.exec(tag) ?? []
    return [cutTags(address).trim(), cutTags(shown)]
  })

/** The words alone, for versions: the version of a record that was written before links were compared has no links. */
export const withoutLinks = (compared: unknown): unknown =>
  typeof compared === 'string' ? compared.split(linksFollow)[0] || null : compared

/**
 * A line that we add to a text: its author, or the name of a file. Without words, the line takes the place of an empty
 * text.
 */
export const lineOf = (words = ''): string => (words === '' ? '<p>—</p>' : `<p>— ${escapeText(words)} —</p>`)

/**
 * The line that names the original author of a text that we post under another name. Empty when the author is unknown.
 */
export const originOf = ({ createdBy, createdAt }: Pick<OutgoingRecord, 'createdBy' | 'createdAt'>): string =>
  createdBy ? lineOf([createdBy.name, createdBy.email, createdAt?.slice(0, 10)].filter(Boolean).join(', ')) : ''

/** HTML for a tool that refuses empty texts. */
export const htmlByWords = (from: string, files: string, addresses: readonly string[]): Lens => ({
  ...htmlWithPictures(from, { files, addresses }),
  write: (body) => body,
  empty: lineOf(),
  stored: (html) => wordsOf(html),
})

/** A lens with its own comparison. Every kind of empty value compares as null. */
export const comparing = <A>(
  field: Lens<A>,
  compare: (value: unknown, raw?: Readonly<Record<string, unknown>>) => unknown,
): Lens<A> => ({
  ...field,
  stored: (sent, raw) =>
    sent === undefined || sent === null || sent === omit || sent === '' ? null : compare(sent, raw),
})
