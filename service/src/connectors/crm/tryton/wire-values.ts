import Type, { type Static } from 'typebox'

// Tryton sends dates, moments, decimals and bytes as objects with a class name.

const part = Type.Integer()
export const wireDate = Type.Object({ __class__: Type.Literal('date'), year: part, month: part, day: part })
export const wireMoment = Type.Object({
  __class__: Type.Literal('datetime'),
  year: part,
  month: part,
  day: part,
  hour: part,
  minute: part,
  second: part,
  microsecond: part,
})
export const wireDecimal = Type.Object({
  __class__: Type.Literal('Decimal'),
  decimal: Type.String({ pattern: '^-?\\d+(\\.\\d+)?([eE][+-]?\\d{1,3})?$' }),
})

export type WireDate = Static<typeof wireDate>
export type WireMoment = Static<typeof wireMoment>
export type WireDecimal = Static<typeof wireDecimal>

const pad = (number: number, width: number) => String(number).padStart(width, '0')

export const readDate = ({ year, month, day }: WireDate): string => `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`

/** Tryton's moments are in UTC. */
export const readMoment = (raw: WireMoment): string =>
  `${readDate({ ...raw, __class__: 'date' })}T${pad(raw.hour, 2)}:${pad(raw.minute, 2)}:${pad(raw.second, 2)}.${pad(Math.floor(raw.microsecond / 1000), 3)}Z`

/** Returns plain digits, because Tryton may send `1E+3`. */
export function readDecimal({ decimal }: WireDecimal): string {
  const [mantissa = '0', exponent] = decimal.toLowerCase().split('e')
  if (exponent === undefined) return decimal
  const isNegative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`
  const at = Math.max(1, point)
  const padded = digits.padEnd(at, '0')
  const text = padded.length > at ? `${padded.slice(0, at)}.${padded.slice(at)}` : padded
  return `${isNegative ? '-' : ''}${text}`
}

export function toWireDate(date: string): WireDate {
  const [year = 1, month = 1, day = 1] = date.slice(0, 10).split('-').map(Number)
  return { __class__: 'date', year, month, day }
}

export function toWireMoment(moment: string): WireMoment {
  const at = new Date(moment)
  return {
    __class__: 'datetime',
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: at.getUTCMilliseconds() * 1000,
  }
}

export const toWireDecimal = (decimal: string): WireDecimal => ({ __class__: 'Decimal', decimal })
