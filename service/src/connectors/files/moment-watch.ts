import type { DayOrder, DayQuestion } from '../contract/upload-contract.ts'
import { dayOrders, type Moment, type Readings, readMoments, toDay } from './read-moment.ts'
import { UnreadableValues } from './unreadable-values.ts'

/** The result for a column of dates or moments. */
export interface MomentFinding {
  /** The order of day, month and year. Null if it is undecided; undefined if no value depends on it. */
  order: DayOrder | null | undefined
  /** Set only if the customer has a choice. */
  question: DayQuestion | null
  unreadable: UnreadableValues
}

/**
 * Sees all values of a column and detects the order of day, month and year. Its memory does not grow with the number of
 * values.
 */
export class MomentWatch {
  readonly #allowsShortYears: boolean
  /** Number of values that depend on the order. */
  #dependent = 0
  readonly #read: Record<DayOrder, number> = { dmy: 0, mdy: 0, ymd: 0 }
  readonly #unreadIn: Record<DayOrder, UnreadableValues>
  readonly #unreadable = new UnreadableValues()
  /** A value that two orders read as different days. */
  #twofold: string | null = null
  /** For each order, a value that only this order can read. */
  readonly #onlyIn = new Map<DayOrder, string>()
  hasTime = false

  constructor({ allowsShortYears }: { allowsShortYears: boolean }) {
    this.#allowsShortYears = allowsShortYears
    this.#unreadIn = { dmy: new UnreadableValues(), mdy: new UnreadableValues(), ymd: new UnreadableValues() }
  }

  add(cell: string, line: number): void {
    const text = cell.trim()
    if (text === '') return
    const readings = readMoments(text)
    const moments = this.#usable(readings, text)
    if (moments.length === 0 || readings === null) {
      this.#unreadable.add(line)
      return
    }
    this.hasTime ||= moments.some(([, { hasTime }]) => hasTime)
    if (!('moment' in readings)) this.#addDependent(text, line, new Map(moments))
  }

  get isReadable(): boolean {
    return this.#unreadable.count === 0
  }

  #usable(readings: Readings | null, text: string): [DayOrder, Moment][] {
    if (readings === null) return []
    const byOrder = 'moment' in readings ? { dmy: readings.moment } : readings.byOrder
    const moments = dayOrders.flatMap((order): [DayOrder, Moment][] => {
      const moment = byOrder[order]
      return moment && (this.#allowsShortYears || !moment.isShortYear) ? [[order, moment]] : []
    })
    // Dates with dots have the day first nearly everywhere. Other orders count only if that is impossible.
    const [first] = moments
    return first?.[0] === 'dmy' && /^\d{1,2}\./.test(text) ? [first] : moments
  }

  #addDependent(text: string, line: number, moments: ReadonlyMap<DayOrder, Moment>): void {
    this.#dependent += 1
    for (const order of dayOrders) {
      if (moments.has(order)) this.#read[order] += 1
      else this.#unreadIn[order].add(line)
    }
    const [only] = moments.keys()
    if (moments.size === 1 && only && !this.#onlyIn.has(only)) this.#onlyIn.set(only, text)
    if (new Set([...moments.values()].map(toDay)).size > 1) this.#twofold ??= text
  }

  /** The customer's choice wins, if it can read the column. */
  result(chosen: DayOrder | undefined): MomentFinding {
    const orders = this.#candidates()
    const [first] = orders
    if (first === undefined) return { order: undefined, question: null, unreadable: this.#unreadable }
    const isOpen = orders.length > 1 && (this.#read[first] < this.#dependent || this.#twofold !== null)
    const order = !isOpen ? first : chosen && orders.includes(chosen) ? chosen : null
    return {
      order,
      question: isOpen ? this.#ask(order, orders) : null,
      unreadable: order === null ? this.#unreadable : this.#unreadable.with(this.#unreadIn[order]),
    }
  }

  /** The orders that can read all values. If there are none, the orders that can read some. */
  #candidates(): DayOrder[] {
    if (this.#dependent === 0) return []
    const whole = dayOrders.filter((order) => this.#read[order] === this.#dependent)
    return whole.length > 0 ? whole : dayOrders.filter((order) => this.#read[order] > 0)
  }

  #ask(order: DayOrder | null, orders: readonly DayOrder[]): DayQuestion {
    const example = this.#twofold ?? [...this.#onlyIn.values()][0] ?? ''
    const readings = readMoments(example)
    const byOrder = readings && 'byOrder' in readings ? readings.byOrder : {}
    return {
      order,
      example,
      readings: orders.map((one) => {
        const moment = byOrder[one]
        return { order: one, day: moment ? toDay(moment) : null, unreadable: this.#unreadIn[one].count }
      }),
    }
  }
}
