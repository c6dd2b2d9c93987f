import type { CustomField } from '../connectors/contract/contract.ts'
import { type Correction, customKey } from '../db/mapping-changes.ts'
import type { EntityDefinition, FieldType } from '../families/definition.ts'
import type { FieldValue, SingleValue } from '../families/record.ts'

/** A field of a record that can be corrected. */
export interface CorrectableField {
  type: FieldType
  many: boolean
  /** The target entity of a link. */
  to: string | null
}

/** A field of a record whose value the customer can type. */
export interface Correctable {
  name: string
  label: string
  type: FieldType
  many: boolean
  required: boolean
  /** The destination's options, for a field with options. */
  options: string[]
  /** The value in the source. */
  value: string | null
  correction: string | null
  /** True if the refusal seems to be about this field. */
  is_blamed: boolean
}

/** The times of creation and change are corrected like fields. */
export const stamps = { created_at: 'createdAt', updated_at: 'updatedAt' } as const
export const isStamp = (name: string): name is keyof typeof stamps => Object.hasOwn(stamps, name)

/** Null for a field that the records lack, and for values that do not fit on one line. */
export function findCorrectable(
  { fields }: EntityDefinition,
  custom: readonly CustomField[],
  name: string,
): CorrectableField | null {
  if (isStamp(name)) return { type: 'datetime', many: false, to: null }
  const key = customKey(name)
  const field = key === null ? fields : null
  const own = field && Object.hasOwn(field, name) ? field[name] : undefined
  const found = own ?? custom.find((one) => one.key === key)
  if (!found || untyped.includes(found.type)) return null
  const [to = null, ...others] = own?.to ?? []
  if (found.type === 'relation' && (to === null || others.length > 0)) return null
  return { type: found.type, many: found.many === true, to }
}

const untyped: readonly FieldType[] = ['money', 'address']

/** Reads the customer's text as a value of the field; undefined if it does not fit. An empty text clears the field. */
export function readCorrection(given: Correction, { type, many, to }: CorrectableField): FieldValue | undefined {
  const text = String(given).trim()
  if (text === '') return many ? [] : null
  const parts = many
    ? text
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [text]
  const values = parts.map((part) => readPart(part, type, to))
  const read = values.filter((value) => value !== undefined)
  if (read.length < values.length) return undefined
  return many ? read : read[0]
}

function readPart(text: string, type: FieldType, to: string | null): SingleValue | undefined {
  switch (type) {
    case 'rich_text':
      return { format: 'plain', body: text }
    case 'integer':
    case 'decimal': {
      const number = Number(text)
      return Number.isFinite(number) && (type === 'decimal' || Number.isSafeInteger(number)) ? number : undefined
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'date':
      return toMoment(text)?.slice(0, 10)
    case 'datetime':
      return toMoment(text)
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? { address: text } : undefined
    case 'phone':
      return { number: text }
    case 'url':
      return URL.canParse(text) ? text : undefined
    case 'relation':
      return to === null ? undefined : { entity: to, sourceId: text }
    case 'user':
      return { userId: text }
    default:
      return text
  }
}

/** Reads a day or a moment. Without a zone it is UTC. Days that do not exist are refused. */
function toMoment(text: string): string | undefined {
  const [, day = '', time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text) ?? []
  const date = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day) return undefined
  const moment = new Date(time === undefined ? date : `${day}T${time}${zone}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** Tells which values the type accepts, with an example. */
export function sayType({ type, many }: CorrectableField): string {
  const words: Partial<Record<FieldType, string>> = {
    integer: 'must be a whole number',
    decimal: 'must be a number, such as 12.5',
    boolean: 'must be true or false',
    date: 'must be a day, such as 2024-12-31',
    datetime: 'must be a moment, such as 2024-12-31T23:59Z',
    email: 'must be an e-mail address',
    url: 'must be an address, such as https://acme.example',
  }
  const said = words[type] ?? 'must be a text'
  return many ? `${said}; several are separated by semicolons` : said
}
