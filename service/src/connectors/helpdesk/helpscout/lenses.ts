import Type from 'typebox'
import { escapeText, plainWords, readHtml } from '../../../text/plain-words.ts'
import { wordsOf } from '../../kit/compared-texts.ts'
import type { MadeField } from '../../kit/custom-fields.ts'
import { digestOf } from '../../kit/keys.ts'
import type { Lens } from '../../kit/lens.ts'

/** Facts about an account that its records refer to. */
export interface Facts {
  users: ReadonlySet<string>
  teams: ReadonlySet<string>
  /** Custom fields of conversations, by id. Each belongs to one inbox. */
  fields: ReadonlyMap<string, MadeField>
  /** Custom properties of customers, by slug. */
  properties: ReadonlyMap<string, MadeField>
  /** Custom properties of organizations, by slug. */
  organizationProperties: ReadonlyMap<string, MadeField>
}

export const objects = Type.Array(Type.Object({ id: Type.Union([Type.Integer(), Type.String()]) }))

/** A lens with its own comparison. Every kind of empty value becomes null. */
export const comparing = <A>(field: Lens<A>, compare: (value: unknown) => unknown): Lens<A> => ({
  ...field,
  stored: (sent) => {
    const plain = field.stored(sent)
    return plain === null ? null : (compare(plain) ?? null)
  },
})

export const lowered = (list: unknown): unknown =>
  Array.isArray(list) ? [...new Set(list.map((one) => String(one).trim().toLowerCase()))].sort() : list
export const trimmed = (list: unknown): unknown =>
  Array.isArray(list) ? [...new Set(list.map((one) => String(one).trim()))].sort() : list

const longestName = 40
/** A name of this length always fits, even if a letter of two units is at the border. */
export const longestWholeName = 2 * longestName - 1
/**
 * Splits a name into first and last name, each with at most 40 characters. The last word becomes the last name, or more
 * words if the first name would be too long otherwise. If no place between two words fits, a word is divided.
 */
export function splitName(name: unknown): { firstName: string | null; lastName: string | null } {
  const words = String(name ?? '')
    .trim()
    .split(/\s+/u)
  const partsAt = (at: number) => [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const
  const usual = Math.max(1, words.length - 1)
  const places = Array.from({ length: usual }, (_, back) => usual - back)
  const fits = (at: number) => partsAt(at).every(({ length }) => length <= longestName)
  const place = places.find(fits)
  const [first, last] = place === undefined ? divide(words.join(' ')) : partsAt(place)
  return { firstName: first.trim() || null, lastName: last.trim() || null }
}
function divide(name: string): readonly [string, string] {
  const first = name.slice(0, longestName).toWellFormed() === name.slice(0, longestName) ? longestName : longestName - 1
  return [name.slice(0, first), name.slice(first, first + longestName)]
}
export const joinName = ({ firstName, lastName }: Readonly<Record<string, unknown>>): string =>
  [firstName, lastName].filter((part) => typeof part === 'string' && part.trim() !== '').join(' ')

// A note for agents holds our key as one word, because the search finds only whole words. The note also holds the
// ticket's old number.

const marker = /\bwherry([0-9a-f]{32})\b/
export const markOf = (key: string): string => `wherry${digestOf(key)}`
export const markIn = (body: unknown): string | null =>
  typeof body === 'string' && body.length < 1_000 ? (marker.exec(body)?.[0] ?? null) : null
export const noteOf = (key: string, number: unknown): string =>
  `<p>Imported by Wherry${number ? `. Number before: ${escapeText(String(number))}` : ''} (${markOf(key)})</p>`
export const numberIn = (body: unknown): string | null =>
  /Number before: (.*) \(wherry/.exec(plainWords(String(body ?? '')))?.[1] ?? null

/** Whether two texts have the same words, links and pictures. */
export const isSameText = (one: unknown, other: unknown): boolean =>
  wordsOf(one) === wordsOf(other) && `${linksIn(one)}` === `${linksIn(other)}`

/** The line that we added to the beginning of a text, which names its author. */
export const lineIn = (html: unknown): string => /^\s*<p[^>]*>\s*— [^<]* —\s*<\/p>/.exec(String(html ?? ''))?.[0] ?? ''

function linksIn(html: unknown): string[] {
  const links: string[] = []
  if (typeof html === 'string')
    readHtml(html, { onopentag: (_name, { href, src }) => void links.push(...[href ?? src ?? []].flat()) })
  return links
}

export type Readers = 'public' | 'internal'

/** An article's labels without the keyword that holds our key. */
export const ownLabels = (list: unknown): string[] =>
  (Array.isArray(list) ? list.map(String) : []).filter((one) => !/^wherry[0-9a-f]{32}$/.test(one))

export const comparedLabels = (list: unknown): unknown => {
  const own = ownLabels(list)
  return own.length === 0 ? null : lowered(own)
}

/** Article names are unique in a collection, so a second article with the same name gets a number. */
export const withNumber = (name: unknown, number: number): string => (number === 1 ? `${name}` : `${name} (${number})`)
export const withoutNumber = (name: unknown): string =>
  String(name)
    .replace(/ \(\d{1,3}\)$/, '')
    .trim()

/** Our lines at the end of an article, each with a link to one of its files. */
const fileLines = /<p>📎\s*<a [^>]*>[^<]*<\/a>\s*<\/p>/gu
export const fileLinesIn = (html: unknown): string => (String(html ?? '').match(fileLines) ?? []).join('')
export const articleWords = (html: unknown): string | null =>
  typeof html === 'string' ? wordsOf(html.replace(fileLines, '')) : null
