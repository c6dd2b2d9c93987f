import { DateTime, Info } from 'luxon'
import type { DayOrder } from '../contract/upload-contract.ts'

/** A day or moment in the zone that is written with it; UTC if there is none. */
export interface Moment {
  at: DateTime<true>
  hasTime: boolean
  /** True if the century is a guess: 00 to 60 means 2000 to 2060, 61 to 99 means 1961 to 1999. */
  isShortYear: boolean
}

/** A single moment, or one for each possible order of day, month and year. */
export type Readings = { moment: Moment } | { byOrder: Partial<Record<DayOrder, Moment>> }

export const dayOrders: readonly DayOrder[] = ['dmy', 'mdy', 'ymd']

/** Reads a moment in this order. Without an order, reads only unambiguous texts. */
export function readMoment(text: string, order?: DayOrder | null): Moment | undefined {
  const readings = readMoments(text)
  if (!readings) return undefined
  if ('moment' in readings) return readings.moment
  if (order) return readings.byOrder[order]
  // Dates with dots have the day first nearly everywhere. A column with another order has `order` set.
  return text.includes('.') && /^\d{1,2}\./.test(text) ? readings.byOrder.dmy : undefined
}

export const toInstant = ({ at }: Moment): string => at.toUTC().toISO()
/** The day as written. In UTC it may be another day. */
export const toDay = ({ at }: Moment): string => at.toISODate()

const longest = 60
const time =
  /^(?<gap>T|,? )\d{1,2}:\d{2}(?<second>:\d{2}(?:(?<point>[.,])\d{1,9})?)?(?<half> ?[AaPp][Mm])?(?<offset> ?[+-]\d{2}(?<minutes>:?\d{2})?)?$/
const universal = / ?(?:Z|UTC|GMT)$/
const numbered = /^(?<first>\d{1,4})(?<sign>[./-])(?<second>\d{1,2})\k<sign>(?<last>\d{1,4})(?=\D|$)/
const dayThenName =
  /^(?<day>\d{1,2})(?:\.|st|nd|rd|th|er|º)?[ -](?:de )?(?<name>\p{L}+)\.?,?[ -](?:del? )?(?<year>\d{2}|\d{4})(?=\D|$)/u
const nameThenDay = /^(?<name>\p{L}+)\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})(?=\D|$)/u
const weekday = /^\p{L}{2,10}\.?, ?(?=\d)/u

/** All ways to read a text as a day or moment; null if there is none. The whole column decides which one applies. */
export function readMoments(text: string): Readings | null {
  if (text.length > longest) return null
  const exact = /^\d[\d.]*$/.test(text) ? readDigits(text) : undefined
  if (exact) return { moment: exact }
  const named = /\p{L}{3}/u.test(text) ? nameToNumber(text.replace(weekday, '')) : null
  const sane = (named ?? text).replace(universal, '')
  const match = numbered.exec(sane)
  const { first = '', sign = '', last = '' } = match?.groups ?? {}
  const rest = sane.slice(match?.[0].length)
  const clock = rest === '' ? '' : clockFormat(rest)
  if (!match || clock === null) return null
  const read = (date: string) =>
    parse(sane, date + clock, { hasTime: rest !== '', isShortYear: !date.includes('yyyy') })
  if (first.length === 4) return last.length > 2 ? null : onlyOne(read(`yyyy${sign}M${sign}d`))
  if (first.length > 2 || (last.length !== 2 && last.length !== 4)) return null
  const year = last.length === 4 ? 'yyyy' : 'yy'
  if (named !== null) return onlyOne(read(`d${sign}M${sign}${year}`))
  const formats: [DayOrder, string][] = [
    ['dmy', `d${sign}M${sign}${year}`],
    ['mdy', `M${sign}d${sign}${year}`],
  ]
  if (year === 'yy' && first.length === 2) formats.push(['ymd', `yy${sign}M${sign}d`])
  const found = formats.map(([order, format]) => [order, read(format)] as const).filter(([, moment]) => moment)
  return found.length === 0 ? null : { byOrder: Object.fromEntries(found) }
}

const onlyOne = (moment: Moment | undefined): Readings | null => (moment ? { moment } : null)

/** Reads seconds and milliseconds since 1970 (from 1973 on), and dates without separators. */
function readDigits(text: string): Moment | undefined {
  const isSeconds = /^\d{9,10}(\.\d{1,9})?$/.test(text)
  if (isSeconds || /^\d{12,13}$/.test(text)) {
    const at = DateTime.fromMillis(Math.floor(Number(text) * (isSeconds ? 1000 : 1)), { zone: 'utc' })
    return at.isValid ? { at, hasTime: true, isShortYear: false } : undefined
  }
  if (/^(19|20)\d{6}$/.test(text)) return parse(text, 'yyyyMMdd', { hasTime: false, isShortYear: false })
  if (/^(19|20)\d{12}$/.test(text)) return parse(text, 'yyyyMMddHHmmss', { hasTime: true, isShortYear: false })
  return undefined
}

/** Replaces the month's name: `31. Dezember 2024` and `Dec 31, 2024` → `31/12/2024`. */
function nameToNumber(text: string): string | null {
  const match = dayThenName.exec(text) ?? nameThenDay.exec(text)
  const { day, name = '', year } = match?.groups ?? {}
  const month = match ? monthOf(name) : undefined
  return match && month !== undefined ? `${day}/${month}/${year}${text.slice(match[0].length)}` : null
}

const withoutAccents = (name: string) => name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

const monthNames = ['en', 'de', 'fr', 'es'].flatMap((locale) =>
  Info.months('long', { locale }).map((name, index) => [withoutAccents(name), index + 1] as const),
)

/** The month for a full name, or for at least its first three letters. */
function monthOf(name: string): number | undefined {
  const start = withoutAccents(name)
  const months = new Set(monthNames.filter(([month]) => month.startsWith(start)).map(([, number]) => number))
  // `jui` may be June or July.
  return start.length < 3 || months.size > 1 ? undefined : [...months][0]
}

/** The library's format string for the time after a date; null if the text is no time. */
function clockFormat(rest: string): string | null {
  const match = time.exec(rest)
  if (!match) return null
  const { gap, second, point, half, offset, minutes } = match.groups ?? {}
  const space = (part: string | undefined) => (part?.startsWith(' ') ? ' ' : '')
  const seconds = second === undefined ? '' : `:ss${point === undefined ? '' : `${point}u`}`
  const zone = offset === undefined ? '' : `${space(offset)}${minutes && !minutes.startsWith(':') ? 'ZZZ' : 'ZZ'}`
  return `${gap === 'T' ? "'T'" : gap}${half ? 'h' : 'H'}:mm${seconds}${half ? `${space(half)}a` : ''}${zone}`
}

const options = { zone: 'utc', locale: 'en-US', setZone: true } as const
const parsers = new Map<string, ReturnType<typeof DateTime.buildFormatParser>>()

function parse(text: string, format: string, about: Omit<Moment, 'at'>): Moment | undefined {
  // The parsers are kept, because there are only some hundred formats.
  const parser = parsers.get(format) ?? DateTime.buildFormatParser(format, { locale: options.locale })
  parsers.set(format, parser)
  const at = DateTime.fromFormatParser(text, parser, options)
  return at.isValid ? { at, ...about } : undefined
}
