import type { FieldType } from '../../families/definition.ts'
import type { Money, RichText, SingleValue } from '../../families/record.ts'

// One cell → one value of a field. Undefined means that the text is nothing of the kind.

const truths = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'j', 'wahr', 'on'])
const untruths = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', 'off'])
const currencies: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' }
const markup = /<(p|br|div|span|a|ul|ol|li|table|h[1-6]|strong|em|b|i|img|blockquote|pre)\b[^<>]{0,1000}>/i

export function readCell(type: FieldType, cell: string, currency: string | null): SingleValue | undefined {
  const text = cell.trim()
  switch (type) {
    case 'text':
    case 'long_text':
      return cell
    case 'option':
    case 'url':
      return text
    case 'rich_text':
      return toRichText(cell)
    case 'integer': {
      const number = readNumber(text)
      return Number.isSafeInteger(number) ? number : undefined
    }
    case 'decimal':
      return readNumber(text)
    case 'boolean':
      return readBoolean(text)
    case 'date':
      return readMoment(text)?.slice(0, 10)
    case 'datetime':
      return readMoment(text)
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? { address: text } : undefined
    case 'phone':
      return { number: text }
    case 'address':
      return { line1: text }
    case 'money':
      return readMoney(text, currency)
    // Where these lead is decided by the table, see to-family.ts.
    case 'user':
    case 'relation':
      return undefined
  }
}

export function readBoolean(text: string): boolean | undefined {
  const word = text.toLowerCase()
  if (truths.has(word)) return true
  return untruths.has(word) ? false : undefined
}

/** `1234.5` and `1234,5`. Thousands are not grouped: `1.234` could be either. Leading zeros make a code, not a number. */
export function readNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d{0,14})([.,]\d{1,15})?$/.test(text)) return undefined
  return Number(text.replace(',', '.'))
}

const isoMoment =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d{2}:?\d{2}))?)?$/
const germanMoment = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** ISO 8601 and `31.12.2024 23:59`, UTC if there is no offset. `01/02/2024` means two days, so it means none here. */
export function readMoment(text: string): string | undefined {
  const iso = isoMoment.exec(text)
  const german = germanMoment.exec(text)
  if (iso) {
    const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = iso
    const ms = fraction.slice(0, 3).padEnd(3, '0')
    return toMoment(`${year}-${month}-${day}`, `${hour}:${minute}:${second}.${ms}`, zone === 'UTC' ? 'Z' : zone)
  }
  if (!german) return undefined
  const [, day = '', month = '', year, hour = '00', minute = '00', second = '00'] = german
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return toMoment(date, `${hour.padStart(2, '0')}:${minute}:${second}.000`, 'Z')
}

function toMoment(date: string, time: string, zone: string): string | undefined {
  const moment = new Date(`${date}T${time}${/^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`)
  // 2025-02-31 is no day, though JavaScript reads it as the third of March.
  const isDay = !Number.isNaN(Date.parse(date)) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
  return isDay && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined
}

function readMoney(text: string, currency: string | null): Money | undefined {
  const match = /^([A-Z]{3}|[€$£])?\s*(-?\d+(?:[.,]\d{1,4})?)\s*([A-Z]{3}|[€$£])?$/.exec(text)
  const given = match?.[1] ?? match?.[3] ?? currency
  if (!match?.[2] || !given) return undefined
  return { amount: match[2].replace(',', '.'), currency: currencies[given] ?? given }
}

export function toRichText(cell: string): RichText {
  return { format: markup.test(cell) ? 'html' : 'plain', body: cell }
}

/** A list in one cell: a JSON list of texts, or texts with a separator between them. */
export function splitCell(cell: string): string[] {
  if (cell.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(cell)
      if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list
    } catch {
      // No list after all; brackets are just text.
    }
  }
  return cell
    .split(/[;,|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
