import Type, { type Static } from 'typebox'

// Tryton sends dates, moments, decimals and bytes as objects with a class name.

const part = Type.Integer()
const day = { year: part, month: part, day: part }
const time = { hour: part, minute: part, second: part, microsecond: part }
export const wireDate = Type.Object({ __class__: Type.Literal('date'), ...day })
export const wireMoment = Type.Object({ __class__: Type.Literal('datetime'), ...day, ...time })
export const wireDecimal = Type.Object({
  __class__: Type.Literal('Decimal'),
  decimal: Type.String({ pattern: '^-?\\d+(\\.\\d+)?([eE][+-]?\\d{1,3})?$' }),
})

type WireDate = Static<typeof wireDate>
type WireMoment = Static<typeof wireMoment>
type WireDecimal = Static<typeof wireDecimal>

/** The times of a row. */
export interface Stamps {
  create_date?: WireMoment | null
  write_date?: WireMoment | null
}

/** The version of a row: its time of change. */
export const stampOf = ({ write_date, create_date }: Stamps): string => JSON.stringify(write_date ?? create_date)

const pad = (number: number, width = 2) => String(number).padStart(width, '0')

export const readDate = ({ year, month, day }: Omit<WireDate, '__class__'>): string =>
  `${pad(year, 4)}-${pad(month)}-${pad(day)}`

/** Tryton's moments are in UTC. */
export const readMoment = (raw: WireMoment): string =>
  `${readDate(raw)}T${pad(raw.hour)}:${pad(raw.minute)}:${pad(raw.second)}.${pad(Math.floor(raw.microsecond / 1000), 3)}Z`

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
  const parts = new Date(moment).toISOString().split(/\D/).map(Number)
  const [year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0, milliseconds = 0] = parts
  return { __class__: 'datetime', year, month, day, hour, minute, second, microsecond: milliseconds * 1000 }
}

export const toWireDecimal = (decimal: string): WireDecimal => ({ __class__: 'Decimal', decimal })

/** Parses Tryton's reference to the parent of a note or file: `party.party,5`. */
export function readResource(resource: string | null | undefined): { model: string; id: number } | null {
  const [, model, id] = /^(party\.party|sale\.opportunity),(\d+)$/.exec(resource ?? '') ?? []
  return model === undefined ? null : { model, id: Number(id) }
}
