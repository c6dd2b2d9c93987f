import type { CustomField } from '../contract.ts'
import { readBoolean, readMoment, readNumber } from './cell-values.ts'

/** A choice has few names that come back; with fewer rows than this nothing can be said. */
const mostOptions = 20
const fewestRowsForOptions = 10
const longestOption = 60

/** Watches all values of a column to tell what they are. Keeps little, however many there are. */
export class ColumnTypeWatch {
  #filled = 0
  #isInteger = true
  #isDecimal = true
  #isBoolean = true
  #isDate = true
  #isDatetime = true
  #isLong = false
  readonly #distinct = new Set<string>()

  add(cell: string): void {
    const text = cell.trim()
    if (text === '') return
    this.#filled += 1
    if (this.#distinct.size <= mostOptions) this.#distinct.add(text.slice(0, longestOption + 1))
    this.#isLong ||= text.length > 255 || text.includes('\n')
    if (this.#isInteger || this.#isDecimal) {
      const number = readNumber(text)
      this.#isDecimal &&= number !== undefined
      this.#isInteger &&= Number.isSafeInteger(number) && !/[.,]/.test(text)
    }
    this.#isBoolean &&= readBoolean(text) !== undefined
    if (this.#isDate || this.#isDatetime) {
      const moment = readMoment(text)
      this.#isDatetime &&= moment !== undefined
      this.#isDate &&= moment !== undefined && text.length <= 10
    }
  }

  /** The type that holds every value there was. */
  result(): Pick<CustomField, 'type' | 'options'> {
    if (this.#filled === 0) return { type: 'text', options: [] }
    // 0 and 1 alone are numbers as well as truths; words decide.
    const hasWord = [...this.#distinct].some((text) => /\p{L}/u.test(text))
    if (this.#isBoolean && hasWord && this.#distinct.size > 1) return { type: 'boolean', options: [] }
    if (this.#isInteger) return { type: 'integer', options: [] }
    if (this.#isDecimal) return { type: 'decimal', options: [] }
    if (this.#isDate) return { type: 'date', options: [] }
    if (this.#isDatetime) return { type: 'datetime', options: [] }
    if (this.#isLong) return { type: 'long_text', options: [] }
    if (this.#looksLikeOptions()) return { type: 'option', options: [...this.#distinct].sort() }
    return { type: 'text', options: [] }
  }

  #looksLikeOptions(): boolean {
    const isFew = this.#distinct.size <= mostOptions && this.#distinct.size * 3 <= this.#filled
    const areShort = [...this.#distinct].every((text) => text.length <= longestOption)
    return isFew && areShort && this.#filled >= fewestRowsForOptions
  }
}
