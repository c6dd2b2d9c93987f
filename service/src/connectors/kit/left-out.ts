import { escapeText } from '../../text/plain-words.ts'
import type { OutgoingContent } from '../contract/contract.ts'
import { digestOf } from './keys.ts'
import type { Writing } from './lens.ts'

// For tools whose texts hold our mark as an HTML comment. The mark has our key, and one letter for each value that is
// left to the tool or written differently, so that it cannot be compared.

const letters = {
  author: 'a',
  byline: 'b',
  comments: 'c',
  date: 'd',
  later: 'l',
  missed: 'm',
  passed: 'q',
  private: 'p',
  scheduled: 'f',
  slug: 's',
}
export type LeftOut = keyof typeof letters

export const writeLetters = (leftOut: readonly LeftOut[]): string =>
  leftOut
    .map((name) => letters[name])
    .sort()
    .join('')

export const readLetters = (text: string): Set<LeftOut> =>
  new Set((Object.keys(letters) as LeftOut[]).filter((name) => text.includes(letters[name])))

export const writeMark = (key: string, leftOut: readonly LeftOut[]): string =>
  `<!-- wherry ${digestOf(key)} ${writeLetters(leftOut)}-->`

const mark = /<!-- wherry ([0-9a-f]{32}) ([a-z]*)-->/g

/** Takes the mark out of a text. `marker` is null if someone has removed it. */
export function takeMark(text: string): { text: string; marker: string | null; leftOut: Set<LeftOut> } {
  const [match] = text.matchAll(mark)
  return { text: text.replace(mark, ''), marker: match?.[1] ?? null, leftOut: readLetters(match?.[2] ?? '') }
}

/** Whether this value of the tool's record cannot be compared. The connector adds `left_out` to the record. */
export const isLeftOut = (raw: Readonly<Record<string, unknown>> | undefined, name: LeftOut): boolean =>
  (raw?.left_out as ReadonlySet<LeftOut> | undefined)?.has(name) === true

/** The author's name, if the author has no account in the tool. */
export const namelessAuthor = ({ createdBy }: Writing['content']): string =>
  createdBy?.userId === null ? createdBy.name.trim() : ''

/** The line below a text whose author has no account in the tool. Empty for any other author. */
export function bylineOf(content: Writing['content']): string {
  const name = namelessAuthor(content)
  return name === '' ? '' : `\n<p><em>Written by ${escapeText(name)}</em></p>`
}

/** This value differs from every status that is sent, so it counts as an edit. */
export const byHand = (status: string): string => `${status} by hand`

/** A text without the characters that tools refuse. Empty for any other value. */
export const clean = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : ''
export const textOf = (fields: OutgoingContent['fields'], name: string): string => clean(fields[name])
