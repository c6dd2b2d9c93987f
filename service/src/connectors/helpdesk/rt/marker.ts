import { plainWords } from '../../../text/plain-words.ts'
import { escapeHtml } from '../../../text/render-html.ts'
import { digestOf } from '../../kit/keys.ts'
import { oneLine } from '../../kit/sent-values.ts'
import type { RawCustomValues } from './lenses.ts'

/** The custom field of tickets, transactions, queues and users that holds our key. */
export const markerField = 'Wherry key'

export const hasMarker = (markers: readonly string[]): string =>
  markers.map((marker) => `'CF.{${markerField}}' = '${marker}'`).join(' OR ')

/** Texts that a search can match as a whole, without quoting. */
const plain = /^[A-Za-z0-9_./~-]{1,180}$/

/** Our key as stored in the custom field. A key that cannot be searched is stored as its digest. */
export const toMarker = (key: string): string => (plain.test(key) ? key : `sha256/${digestOf(key, 64)}`)

/** The marker of a ticket's first message, which holds the description. */
export const textMarker = (ticketMarker: string): string => `${ticketMarker}#text`
/** The marker of a note about a later change. */
export const noteMarker = (ticketMarker: string): string => `${ticketMarker}#note`

/** Undo disables users and queues instead of deleting them. This prefix marks them as ours to use again. */
const removedPrefix = 'removed/'
export const removedMarker = (marker: string): string => `${removedPrefix}${marker}`.slice(0, 250)
export const isRemovedMarker = (marker: string | null): boolean => marker?.startsWith(removedPrefix) ?? false

export function markerOf(record: object | null | undefined): string | null {
  const { CustomFields = [] } = (record ?? {}) as { CustomFields?: RawCustomValues }
  const [value] = CustomFields.find(({ name }) => name === markerField)?.values ?? []
  return typeof value === 'string' && value !== '' ? value : null
}

// Request Tracker records the time and user of the request. So we put a line above each text that names the original
// author and time. The line is removed when the message is read back.

type Origin = Record<'number' | 'author' | 'at', string | null>

const line = /^<div class="wherry-origin">([^\n]*?)<\/div>\n/

/** Every message gets the line, because Request Tracker does not record a message without text. */
export function withOrigin({ number, author, at }: Origin, body: string): string {
  const parts = [
    number === null ? null : `<span class="wherry-number">#${escapeHtml(number)}</span>`,
    author === null ? null : escapeHtml(oneLine(author, 200)),
    at === null ? null : `<time datetime="${escapeHtml(at)}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`,
  ].filter((part) => part !== null)
  return `<div class="wherry-origin">${parts.length === 0 ? 'Imported' : parts.join(' · ')}</div>\n${body}`
}

/** The line's number and time, and the text below the line. The author is not read back. */
export type ReadOrigin = Pick<Origin, 'number' | 'at'> & { body: string }

export function readOrigin(html: string): ReadOrigin {
  const [whole = '', content = ''] = line.exec(html) ?? []
  const [, number = null] = /<span class="wherry-number">#([^<]*)<\/span>/.exec(content) ?? []
  const [, at = null] = /<time datetime="([^"]*)">/.exec(content) ?? []
  return { number: number === null ? null : plainWords(number), at, body: html.slice(whole.length) }
}
