import fc from 'fast-check'
import type { DestinationField } from '../../service/src/connectors/contract/contract.ts'
import type { RichText } from '../../service/src/families/record.ts'

const oddTexts = [
  'Rake 👩‍👩‍👧‍👦 arrived 𠮷 bent',
  'שלום עולם ‏مرحبا‎ e\u0301 ñ',
  '<script>alert("1")</script> & &amp; {{x}} $y %s \' " \\ --;',
  '*a* _b_ # c `d` [e](f) h1. "g":http://h | i | ~j~ @k !l!',
]

/**
 * Makes values of every type except relations, in the form in which they are sent. The same `seed` gives the same
 * value.
 */
export function outgoingValues(users: readonly string[], format: RichText['format']) {
  let made = 0
  const pick = <T>(arbitrary: fc.Arbitrary<T>, seed: number): T => fc.sample(arbitrary, { seed, numRuns: 1 })[0] as T
  const text = (seed: number) => {
    made += 1
    const odd = oddTexts[seed % oddTexts.length] ?? ''
    return `${made} ${odd} ${pick(fc.string({ unit: 'grapheme', maxLength: 20 }), seed)}.`
  }
  const lines = (seed: number) => `${text(seed)}\n\n  ${text(seed + 1)}\n${'Länge 🚢 '.repeat((seed % 5) * 20)}end`
  const rich = (seed: number) => {
    const escaped = lines(seed).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return format === 'html' ? `<p>${escaped}</p>\n<ul><li><strong>b</strong></li></ul>` : lines(seed)
  }
  const address = {
    type: 'work',
    line1: '1 Quay Street',
    city: 'Łódź',
    region: 'ÄÖ',
    postalCode: 'BS1 4DB',
    country: 'GB',
  }

  const makeOne = (field: DestinationField, seed: number): unknown => {
    const cut = (long: string) => (field.maxLength === null ? long : [...long].slice(0, field.maxLength).join(''))
    switch (field.type) {
      case 'text':
        return cut(text(seed))
      case 'long_text':
        return cut(lines(seed))
      case 'rich_text':
        return cut(rich(seed))
      case 'integer':
        return pick(fc.integer({ min: 0, max: 100 }), seed)
      case 'decimal':
        return pick(fc.integer({ min: 1, max: 2_400 }), seed) / 100
      case 'boolean':
        return pick(fc.boolean(), seed)
      case 'date':
        return pick(fc.date({ min: new Date('1970-01-02'), max: new Date('2037-01-01'), noInvalidDate: true }), seed)
          .toISOString()
          .slice(0, 10)
      case 'datetime':
        return momentOf(seed)
      case 'option':
        return field.options[seed % field.options.length]
      case 'email': {
        const at = `odd+${++made}.o'tag@sub.example.com`
        return field.isDetailed ? { address: at, type: 'work', isPrimary: true } : at
      }
      case 'phone': {
        const number = `+44 (0)1632 96${String(++made % 10_000).padStart(4, '0')} ext. 7`
        return field.isDetailed ? { number, type: 'mobile' } : number
      }
      case 'url':
        return `https://example.com/odd/${++made}?a=1&b=%C3%A4#c`
      case 'money':
        return {
          amount: ['0.10', '-5', '1234567890.12', '100'][seed % 4],
          currency: field.currencies?.[0] ?? ['EUR', 'JPY'][seed % 2],
        }
      case 'address':
        return seed % 2 === 0 ? address : { city: 'Cork' }
      case 'user':
        return users.length === 0 ? undefined : users[seed % users.length]
      default:
        return undefined
    }
  }

  /** Returns undefined if there is no value of that type. */
  return (field: DestinationField, seed: number): unknown => {
    const one = makeOne(field, seed)
    if (!field.many || one === undefined) return one
    const other = makeOne(field, seed + 1)
    return JSON.stringify(one) === JSON.stringify(other) ? [one] : [other, one]
  }
}

/** A moment between 1970 and 2037, with milliseconds. */
export function momentOf(seed: number): string {
  const dates = fc.date({ min: new Date('1970-01-02'), max: new Date('2037-01-01'), noInvalidDate: true })
  return fc.sample(dates, { seed, numRuns: 1 })[0]?.toISOString() ?? ''
}
