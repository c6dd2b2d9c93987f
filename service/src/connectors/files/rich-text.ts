import type { RichText } from '../../families/record.ts'
import type { CellFormat } from '../contract/upload-contract.ts'
import { findMarkup } from './find-markup.ts'

/** Number of characters of a cell that are examined: few enough to be quick, and more than people usually write. */
const mostDecided = 64 * 1024
const mostSearched = 256 * 1024

/**
 * Sees all values of a column for formatted text. The column is HTML only if that is clear; otherwise it is plain text.
 */
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

  /** HTML if at least half of the texts have markup, and at most one for every ten of these only looks like markup. */
  result(): CellFormat {
    const isHtml = this.#marked > 0 && this.#marked * 2 >= this.#filled && this.#misleading * 10 <= this.#marked
    return isHtml ? 'html' : 'plain'
  }
}

const reference = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/i

/**
 * A text in its column's format. A text without markup in an HTML column stays plain, so that it keeps its line breaks.
 * Uploads examined by earlier versions have no column format; there, each cell decides.
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
