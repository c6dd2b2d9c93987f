import type { RichText } from '../../../families/record.ts'
import { convertText } from '../../../text/convert-text.ts'
import { digestOf } from '../../kit/keys.ts'

/**
 * Notes, wiki pages, versions and files have no field for our key. Their text ends with a mark of zero-width
 * characters: it is invisible and survives every markup. A line with author and time follows the mark, so that both
 * can be removed again.
 */
const digits = ['\u200b', '\u200c', '\u200d', '\u2060']
const opening = '\u2060\u200b\u2060'
const hashBytes = 8
const markLength = opening.length + (1 + hashBytes) * 4

const marks = new RegExp(`${opening}[${digits.join('')}]{${markLength - opening.length}}`, 'g')

/** The length of a mark with the empty line before it. */
export const markRoom = markLength + 2

export interface Mark {
  /** The hash of our key. */
  hash: string
  /** Whether the author in Redmine is the author in the source. */
  isAuthorKept: boolean
}

export interface MarkedText {
  text: string
  mark: Mark | null
}

export const hashKey = (key: string): string => digestOf(key, hashBytes * 2)

export function writeMark({ hash, isAuthorKept }: Mark): string {
  return opening + [...Buffer.from((isAuthorKept ? '01' : '00') + hash, 'hex')].map(toDigits).join('')
}

/** Appends a mark and, after it, the visible line. */
export function markText(text: string, mark: Mark, line: string): string {
  return `${text}${text === '' ? '' : '\n\n'}${writeMark(mark)}${line}`
}

/** Like `markText`, for fields of one line. */
export function markLine(text: string, mark: Mark, line: string): string {
  const visible = line === '' ? '' : `${text === '' ? '' : ' '}(${line})`
  return `${text}${writeMark(mark)}${visible}`
}

/** Removes mark and line. Line ends become those of Unix. */
export function readMarked(given: string | null | undefined, place: 'text' | 'line' = 'text'): MarkedText {
  const text = (given ?? '').replace(/\r\n?/g, '\n')
  // Marks are matched as a whole, because a mark can contain its own opening characters.
  const last = [...text.matchAll(marks)].at(-1)
  if (!last) return { text, mark: null }
  const mark = parseMark(last[0])
  const before = text.slice(0, last.index)
  return { text: place === 'text' && before.endsWith('\n\n') ? before.slice(0, -2) : before, mark }
}

/** Whether the description of a file contains our mark. */
export const isMarked = (description: string | null | undefined): boolean =>
  readMarked(description, 'line').mark !== null

function parseMark(mark: string): Mark {
  const values = [...mark.slice(opening.length)].map((character) => digits.indexOf(character))
  const bytes = Array.from({ length: values.length / 4 }, (_, index) =>
    values.slice(index * 4, index * 4 + 4).reduce((sum, value) => sum * 4 + value, 0),
  )
  const [flags, ...hash] = bytes
  return { hash: Buffer.from(hash).toString('hex'), isAuthorKept: flags === 1 }
}

function toDigits(byte: number): string {
  return [6, 4, 2, 0].map((shift) => digits[(byte >> shift) & 3]).join('')
}

/** Author and time as a line for people; empty when both are unknown. */
export function writeLine(author: string | null, createdAt: string | null, number: string | null = null): string {
  const when = createdAt === null ? null : `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`
  const parts = [author, when, number === null ? null : `was ${number}`]
  return parts.filter((part) => part !== null && part !== '').join(', ')
}

/** Removes marks of an earlier import, because they mean nothing elsewhere. The lines after them stay. */
export const withoutMarks = (text: string | null | undefined): string | undefined => text?.replace(marks, '')

/**
 * Like `writeLine`, for texts with markup. It escapes the number and the name: Redmine would link the number to
 * another issue.
 */
export const writeLineIn = (format: RichText['format'], ...about: Parameters<typeof writeLine>): string =>
  convertText({ format: 'plain', body: writeLine(...about) }, format).body
