import type { Description } from '../connectors/open/schema.ts'
import type { OfferedField } from './offers.ts'

/**
 * Returns a function that makes a value for a field, different on each call if possible. Null for relations and for
 * types without a possible value.
 */
export function plainValues(prefix: string, { text_format }: Description, userIds: readonly string[]) {
  let made = 0
  return ({ type, max_length, options = [] }: OfferedField): unknown => {
    // The number makes each new text sort after the earlier ones.
    const number = 1000 + ++made
    const cut = (text: string) => text.slice(0, max_length ?? undefined)
    switch (type) {
      case 'text':
        return cut(`Conformance ${number}`)
      case 'long_text':
        return cut(`Conformance ${number}, first line\nand second`)
      case 'rich_text':
        return cut(text_format === 'html' ? `<p>Conformance <strong>${number}</strong></p>` : `Conformance ${number}`)
      case 'integer':
        return 42
      case 'decimal':
        return 12.5
      case 'boolean':
        return true
      case 'date':
        return '2026-03-01'
      case 'datetime':
        return '2026-03-01T09:30:00.000Z'
      case 'option':
        return options[0] ?? null
      case 'email':
        return `conformance-${prefix.slice(-8)}-${number}@example.com`
      case 'phone':
        return '+44 1632 960114'
      case 'url':
        return `https://example.com/conformance/${number}`
      case 'money':
        return { amount: '12.50', currency: 'EUR' }
      case 'address':
        return { line1: '1 Quay Street', city: 'Bristol', postal_code: 'BS1 4DB', country: 'GB' }
      case 'user':
        return userIds[0] ?? null
      default:
        return null
    }
  }
}
