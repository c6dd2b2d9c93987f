import type { RichText } from '../../../families/record.ts'
import { convertText } from '../../../text/convert-text.ts'
import { runBeside } from '../../../threads/run-beside.ts'
import { digestOf } from '../../kit/keys.ts'
import { unseenSigns } from '../../kit/unseen-signs.ts'

/**
 * Notes, wiki pages, versions and files have no field for our key. Their text ends with a mark of zero-width
 * characters: it is invisible and survives every markup. A line with author and time follows the mark, so that both
 * can be removed again.
 */
const hashBytes = 8
/** A byte for the flags, and the bytes of the hash. */
const signs = unseenSigns(['\u200b', '\u200c', '\u200d', '\u2060'], (1 + hashBytes) * 2, '\u2060\u200b\u2060')

/** The length of a mark with the empty line before it. */
export const markRoom = signs.length + 2

interface Mark {
  hash: string
  /** Whether the author in Redmine is the author in the source. */
  isAuthorKept: boolean
}

export const hashKey = (key: string): string => digestOf(key, hashBytes * 2)

/** The end of names that must be unique and that Redmine can search. */
export const endingOf = (key: string): string => hashKey(key).slice(0, 12)

/** Such a name. Its first part is readable, because people see it. `unfit` is what it must not hold. */
export function uniqueName(key: string, words: string, unfit: RegExp, joint: string, longest: number): string {
  const plain = words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const readable = plain.replace(unfit, joint).replace(/^-+|-+$/g, '')
  return `${readable.slice(0, longest)}-${endingOf(key)}`
}

const writeMark = ({ hash, isAuthorKept }: Mark): string => signs.write(`${isAuthorKept ? '01' : '00'}${hash}`)

/** The part of a mark that does not depend on the author. */
export const markOf = (key: string): string => writeMark({ hash: hashKey(key), isAuthorKept: false }).slice(-32)

export const markText = (text: string, mark: Mark, line: string): string =>
  `${text}${text === '' ? '' : '\n\n'}${writeMark(mark)}${line}`

/** Like `markText`, for fields of one line. */
export function markLine(text: string, mark: Mark, line: string): string {
  const visible = line === '' ? '' : `${text === '' ? '' : ' '}(${line})`
  return `${text}${writeMark(mark)}${visible}`
}

/** Removes mark and line. Line ends become those of Unix. */
export function readMarked(given: string | null | undefined, place: 'text' | 'line' = 'text') {
  const text = (given ?? '').replace(/\r\n?/g, '\n')
  const last = [...text.matchAll(signs.pattern)].at(-1)
  if (!last) return { text, mark: null }
  const hex = signs.read(String(last[1]))
  const mark: Mark = { hash: hex.slice(2), isAuthorKept: hex.startsWith('01') }
  const before = text.slice(0, last.index)
  return { text: place === 'text' && before.endsWith('\n\n') ? before.slice(0, -2) : before, mark }
}

/** Whether the description of a file contains our mark. */
export const isMarked = (description: string | null | undefined): boolean =>
  readMarked(description, 'line').mark !== null

/** Author and time as a line for people; empty when both are unknown. */
export function writeLine(author: string | null, createdAt: string | null, number: string | null = null): string {
  const when = createdAt === null ? null : `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`
  const parts = [author, when, number === null ? null : `was ${number}`]
  return parts.filter((part) => part !== null && part !== '').join(', ')
}

/** Removes marks of an earlier import, because they mean nothing elsewhere. The lines after them stay. */
export const withoutMarks = (text: string | null | undefined): string | undefined => text?.replace(signs.pattern, '')

/** Like `writeLine`, for markup. It escapes name and number: Redmine would link the number to another issue. */
export const writeLineIn = (format: RichText['format'], ...about: Parameters<typeof writeLine>): string =>
  convertText({ format: 'plain', body: writeLine(...about) }, format).body

/** For long texts, the function runs in a thread, beside the event loop. */
export const markers = runBeside(import.meta.url, { readMarked })
