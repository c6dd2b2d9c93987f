import { escapeText, plainWords } from '../../text/plain-words.ts'
import type { OutgoingRecord } from '../contract/contract.ts'
import { type Lens, omit } from './lens.ts'
import { htmlWithPictures } from './shown-pictures.ts'

// For tools that clean HTML up and wrap it: texts are compared by their words. A line of ours in a text is no part of it.

/** Longer texts are compared by their beginning. */
const comparedCharacters = 20_000

/** `ownLine` is found among the plain words. */
export function wordsOf(html: unknown, ownLine?: RegExp): string | null {
  if (typeof html !== 'string') return null
  const beginning = html.slice(0, 3 * comparedCharacters)
  const words = ownLine
    ? plainWords(beginning).replace(ownLine, '')
    : plainWords(beginning.replace(/<p>—( [^<]* —)?<\/p>/, ''))
  return words.replace(/\s+/gu, '').slice(0, comparedCharacters) || null
}

/** A line of ours: who wrote a text, or the name of a file. Without words it stands for a text that is empty. */
export const lineOf = (words = ''): string => (words === '' ? '<p>—</p>' : `<p>— ${escapeText(words)} —</p>`)

/** The line that says who wrote a text that stands under another name; empty if nobody is known. */
export const originOf = ({ createdBy, createdAt }: Pick<OutgoingRecord, 'createdBy' | 'createdAt'>): string =>
  createdBy ? lineOf([createdBy.name, createdBy.email, createdAt?.slice(0, 10)].filter(Boolean).join(', ')) : ''

/** HTML for a tool that takes no empty texts. */
export const htmlByWords = (from: string, files: string, addresses: readonly string[]): Lens => ({
  ...htmlWithPictures(from, { files, addresses }),
  write: (body) => body,
  empty: lineOf(),
  stored: (html) => wordsOf(html),
})

/** A lens that compares in its own way. Nothing, however it is said, is null. */
export const comparing = <A>(
  field: Lens<A>,
  compare: (value: unknown, raw?: Readonly<Record<string, unknown>>) => unknown,
): Lens<A> => ({
  ...field,
  stored: (sent, raw) =>
    sent === undefined || sent === null || sent === omit || sent === '' ? null : compare(sent, raw),
})
