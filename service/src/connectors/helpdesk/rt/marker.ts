import { createHash } from 'node:crypto'
import type { RawCustomValues } from './schema.ts'

/** The custom field of tickets, transactions, queues and users that holds our key. */
export const markerField = 'Wherry key'

/** One of these markers, in TicketSQL. */
export const hasMarker = (markers: readonly string[]): string =>
  markers.map((marker) => `'CF.{${markerField}}' = '${marker}'`).join(' OR ')

/** Texts that can be searched as a whole and need no quoting. */
const plain = /^[A-Za-z0-9_./~-]{1,180}$/

/** Our key as it stands in the custom field. Longer ones could not be searched, so they stand there as their digest. */
export function toMarker(key: string): string {
  return plain.test(key) ? key : `sha256/${createHash('sha256').update(key).digest('hex')}`
}

/** The first message of a ticket, which holds its description. */
export const textMarker = (ticketMarker: string): string => `${ticketMarker}#text`
/** A note that says what was changed later. */
export const noteMarker = (ticketMarker: string): string => `${ticketMarker}#note`

/** A removed record stays behind, disabled. This sign tells that it is ours to use again. */
const removedPrefix = 'removed/'
export const removedMarker = (marker: string): string => `${removedPrefix}${marker}`.slice(0, 250)
export const isRemovedMarker = (marker: string | null): boolean => marker?.startsWith(removedPrefix) ?? false

export function readMarker(values: RawCustomValues | undefined): string | null {
  const [value] = values?.find(({ name }) => name === markerField)?.values ?? []
  return typeof value === 'string' && value !== '' ? value : null
}
