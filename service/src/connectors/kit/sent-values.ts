import type { SentRelation } from '../contract/contract.ts'

// Values of outgoing records in the forms that most tools store.

/** Drops characters that databases cannot store, and converts line ends to `\n`. Anything but a text is empty. */
export const cleanText = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '').replace(/\r+\n/g, '\n') : ''

/** A body of a request without NUL in any of its texts: no database can store it. */
export function withoutNul(json: unknown): unknown {
  if (typeof json === 'string') return json.replaceAll('\0', '')
  if (Array.isArray(json)) return json.map(withoutNul)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withoutNul(value)]))
}

/** A text as one line, cut to `max` characters. */
export function oneLine(value: unknown, max: number): string {
  const line = cleanText(value)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim()
  return line.length <= max ? line : [...line].slice(0, max).join('').trim()
}

/** The texts in a value or in a list, without empty ones. */
export const textsOf = (values: unknown): string[] =>
  [values].flat().flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))

/** The destination's id of the record that a relation leads to. */
export const idOf = (relation: unknown): string | null =>
  (relation as SentRelation | null | undefined)?.destinationId ?? null

export const idsOf = (relations: unknown): string[] => [relations].flat().flatMap((relation) => idOf(relation) ?? [])
