import type { CustomField } from '../contract/contract.ts'
import type { DayOrder } from '../contract/upload-contract.ts'
import { readBoolean, readNumber } from './cell-values.ts'
import { MomentWatch } from './moment-watch.ts'

/** A column is a choice if it has only a few distinct values. With fewer rows than this, no choice is detected. */
const mostOptions = 20
const fewestRowsForOptions = 10
const longestOption = 60

/** Sees all values of a column and detects their type. Its memory does not grow with the number of values. */
export class ColumnTypeWatch {
  #filled = 0
  #isInteger = true
  #isDecimal = true
  #isBoolean = true
  #isLong = false
  readonly #moments = new MomentWatch({ allowsShortYears: false })
  readonly #distinct = new Set<string>()

  add(cell: string, line: number): void {
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
    if (this.#moments.isReadable) this.#moments.add(text, line)
  }

  /** The type that fits every value. Ambiguous dates stay texts. */
  result(): Pick<CustomField, 'type' | 'options'> & { order?: DayOrder | null | undefined } {
    if (this.#filled === 0) return { type: 'text', options: [] }
    // 0 and 1 alone could be numbers. Only words such as yes and no make a boolean.
    const hasWord = [...this.#distinct].some((text) => /\p{L}/u.test(text))
    if (this.#isBoolean && hasWord && this.#distinct.size > 1) return { type: 'boolean', options: [] }
    if (this.#isInteger) return { type: 'integer', options: [] }
    if (this.#isDecimal) return { type: 'decimal', options: [] }
    const { order } = this.#moments.result(undefined)
    if (this.#moments.isReadable && order !== null) {
      return { type: this.#moments.hasTime ? 'datetime' : 'date', options: [], order }
    }
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
