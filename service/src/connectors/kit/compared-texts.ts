import { Parser } from 'htmlparser2'
import { escapeText, plainWords } from '../../text/plain-words.ts'
import type { OutgoingRecord } from '../contract/contract.ts'
import { type Lens, omit } from './lens.ts'
import { htmlWithPictures } from './shown-pictures.ts'

// Some tools clean up and re-wrap HTML. For them we compare only the words of a text. A line that we added to the text
// does not count.

/** We compare only this many characters from the beginning of a longer text. */
const comparedCharacters = 20_000

/**
 * The words of an HTML text, without spaces. `ownLine` matches the line that we added, within the plain words; it is
 * removed.
 */
export function wordsOf(html: unknown, ownLine?: RegExp): string | null {
  if (typeof html !== 'string') return null
  const beginning = html.slice(0, 3 * comparedCharacters)
  const words = ownLine
    ? plainWords(beginning).replace(ownLine, '')
    : plainWords(beginning.replace(/<p>—( [^<]* —)?<\/p>/, ''))
  return words.replace(/\s+/gu, '').slice(0, comparedCharacters) || null
}

/** Separates the words of a text from its links. The words contain no spaces. */
const linksFollow = '\n'

/**
 * The same, and the web addresses of links that the words do not show. A tool may turn a shown address into a link
 * itself. Texts that are too long to compare as a whole have no links here.
 */
export function wordsAndLinksOf(html: unknown, ownLine?: RegExp): string | null {
  const words = wordsOf(html, ownLine)
  if (typeof html !== 'string' || html.length > 3 * comparedCharacters || !/<a\s/i.test(html)) return words
  if (words?.length === comparedCharacters) return words
  const links = new Set<string>()
  const parser = new Parser({
    onopentag: (name, { href = '' }) => {
      const url = name === 'a' ? URL.parse(href.trim()) : null
      if (url && /^https?:$/.test(url.protocol) && !words?.includes(href.trim())) links.add(url.href)
    },
  })
  parser.end(html)
  return links.size === 0 ? words : [words ?? '', ...[...links].sort()].join(linksFollow)
}

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
