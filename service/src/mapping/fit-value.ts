import type { DestinationField } from '../connectors/contract/contract.ts'
import { isDay, isMoment, toMoment } from '../connectors/kit/times.ts'
import type { Address, Money } from '../families/record.ts'

const textTypes = new Set(['text', 'long_text', 'email', 'phone', 'url', 'option'])

/** Converts a value to the field's type; undefined if it does not fit. Nothing is guessed. Pure. */
export function fitValue(value: unknown, rule: DestinationField): unknown {
  // Tools refuse an address with spaces around it, or remove them.
  if (rule.type === 'email' && isObject(value) && typeof value.address === 'string') {
    const address = value.address.trim()
    return rule.isDetailed ? { ...value, address } : address
  }
  if (textTypes.has(rule.type)) return rule.isDetailed && isObject(value) ? value : toText(value)
  switch (rule.type) {
    case 'rich_text':
      return toText(value)
    case 'integer':
    case 'decimal': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
      return rule.type === 'decimal' || Number.isSafeInteger(number) ? number : undefined
    }
    case 'boolean':
      if (typeof value === 'boolean') return value
      return value === 'true' ? true : value === 'false' ? false : undefined
    case 'date':
      return typeof value === 'string' && isDay(value.slice(0, 10)) ? value.slice(0, 10) : undefined
    case 'datetime':
      return typeof value === 'string' ? momentIn(value) : undefined
    case 'money':
      if (!isObject(value) || !('amount' in value)) return undefined
      return rule.currencies?.includes(String(value.currency)) === false ? undefined : value
    case 'address':
      return isObject(value) && !('amount' in value) ? value : undefined
    default:
      // Users and records are looked up, not converted.
      return undefined
  }
}

/** A day is its beginning. Connectors fail on other forms of moments, and on days that do not exist. */
function momentIn(text: string): string | undefined {
  if (isDay(text)) return `${text}T00:00:00.000Z`
  const whole = text.replace(/^(\d{4}-\d{2}-\d{2}) /, '$1T')
  return isMoment(whole) ? toMoment(whole) : undefined
}

/** The value as text; undefined for values without one, such as a person. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!isObject(value)) return undefined
  if ('amount' in value) return `${(value as unknown as Money).amount} ${(value as unknown as Money).currency}`
  if (typeof value.address === 'string') return value.address
  if (typeof value.number === 'string') return value.number
  return addressLines(value)
}

function addressLines({ line1, line2, postalCode, city, region, country }: Address): string {
  const place = [postalCode, city].filter(Boolean).join(' ')
  return [line1, line2, place, region, country].filter(Boolean).join(', ')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
