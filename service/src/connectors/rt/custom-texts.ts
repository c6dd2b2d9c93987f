import type { OutgoingContent } from '../contract.ts'
import type { RtField } from './custom-fields.ts'
import { type RawCustomValues, readMoment } from './schema.ts'
import { customTexts, toRtMoment } from './stored-values.ts'

// Values of custom fields by their keys, as texts. Fields of one name are one field here.

type Fields = ReadonlyMap<string, RtField>

const byKey = (fields: Fields) => new Map([...fields.values()].map((field) => [field.key, field]))

/** What is sent. Fields that the account does not have are left out. */
export function takeCustomTexts(fields: Fields, values: OutgoingContent['customFields']): Record<string, string[]> {
  const known = byKey(fields)
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, { value }]) => {
      const field = known.get(key)
      const texts = field ? customTexts(field, value) : []
      return texts.length > 0 ? [[key, texts]] : []
    }),
  )
}

/** What was read. */
export function readCustomTexts(fields: Fields, values: RawCustomValues | undefined): Record<string, string[]> {
  return Object.fromEntries(
    (values ?? []).flatMap(({ id, values: given }) => {
      const field = fields.get(String(id))
      const texts = given.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))
      if (!field || texts.length === 0) return []
      return [[field.key, field.type === 'datetime' ? texts.flatMap((text) => readMoment(text) ?? []) : texts]]
    }),
  )
}

/** The order of several values is not kept. */
export function storedCustom(fields: Fields, texts: Record<string, string[]>): Record<string, unknown> {
  const known = byKey(fields)
  return Object.fromEntries(
    Object.entries(texts).map(([key, values]) => [key, known.get(key)?.many ? [...values].sort() : values[0]]),
  )
}

/** By name, as requests take them. */
export function customRequest(fields: Fields, texts: Record<string, string[]>): Record<string, string | string[]> {
  const known = byKey(fields)
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, values]) => {
      const field = known.get(key)
      if (!field) return []
      const sent = field.type === 'datetime' ? values.map(toRtMoment) : values
      return [[field.label, field.many ? sent : (sent[0] ?? '')]]
    }),
  )
}
