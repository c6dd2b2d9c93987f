import { digestOf } from '../../kit/keys.ts'
import type { RawCustomValues } from './schema.ts'

/** The custom field of tickets, transactions, queues and users that holds our key. */
export const markerField = 'Wherry key'

/** TicketSQL that matches any of these markers. */
export const hasMarker = (markers: readonly string[]): string =>
  markers.map((marker) => `'CF.{${markerField}}' = '${marker}'`).join(' OR ')

/** Texts that a search can match as a whole, without quoting. */
const plain = /^[A-Za-z0-9_./~-]{1,180}$/

/** Our key as stored in the custom field. A key that cannot be searched is stored as its digest. */
export function toMarker(key: string): string {
  return plain.test(key) ? key : `sha256/${digestOf(key, 64)}`
}

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
