import type { RichText } from '../../families/record.ts'
import type { CellFormat } from '../contract/upload-contract.ts'
import { findMarkup } from './find-markup.ts'

/** Characters of a cell that are looked at: little enough to take no time, and more than people write. */
const mostDecided = 64 * 1024
const mostSearched = 256 * 1024

/** Looks at all values of a column for formatted text. It is HTML only if that is clear; in doubt it is plain. */
export class TextWatch {
  #filled = 0
  #marked = 0
  #misleading = 0

  add(cell: string): void {
    if (cell.trim() === '') return
    this.#filled += 1
    const { elements, strays } = findMarkup(cell, mostDecided)
    if (elements > strays.length) this.#marked += 1
    else if (strays.length > 0) this.#misleading += 1
  }

  /** At least half of the texts must have markup, and at most one for ten of these may only look like it. */
  result(): CellFormat {
    const isHtml = this.#marked > 0 && this.#marked * 2 >= this.#filled && this.#misleading * 10 <= this.#marked
    return isHtml ? 'html' : 'plain'
  }
}

const reference = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/i

/**
 * A text in the format of its column. A text without any markup in a column of HTML is plain nevertheless, so that its
 * lines stay lines. Uploads read before the format of a column was known have none: there, each cell decides.
 */
export function toRichText(cell: string, format: CellFormat | undefined): RichText {
  if (format === 'plain' || format === 'markdown') return { format, body: cell }
  const { elements, strays } = findMarkup(cell, mostSearched)
  const isHtml = elements > 0 || (format === 'html' && strays.length === 0 && reference.test(cell))
  return isHtml ? { format: 'html', body: escapeAt(cell, strays) } : { format: 'plain', body: cell }
}

function escapeAt(text: string, places: readonly number[]): string {
  const starts = [0, ...places.map((place) => place + 1)]
  return starts.map((start, index) => text.slice(start, places[index])).join('&lt;')
}
