import { shelterCode } from './shelter-code.ts'

/** A style that makes a browser load something, or hides that it does. Two braces begin a macro, not a style. */
const loading = /(?<!\{)\{(?=[^{}\n]*:[^{}\n]*[\\(@][^{}\n]*\})/g

/**
 * Whether a text contains a style that loads something. Textile parsers differ, so a style counts if any parser would
 * read it. Code does not count.
 */
export const hasLoadingStyle = (body: string): boolean => shelterCode(body).search(loading) >= 0

/** Escapes all styles in a text. The end of a style may come after a link. */
export const escapeStyles = (text: string): string => text.replace(/(?<!\{)\{(?=[^{}\n]*:)/g, '&#123;')

const attributes = String.raw`(?:\([^()\n]{0,200}\)|\{[^{}\n]{0,500}\}|\[[^[\]\n]{0,50}\]|[<>=~^_-])*`
const tableStart = new RegExp(String.raw`^table(${attributes})\.[ \t]*\n(?:(${attributes})\.[ \t]+)?(?=\|)`, 'gm')

/**
 * Moves the style of a table, which is on a separate line, to the first row. The parser does not know the separate
 * line.
 */
export const joinTableStarts = (body: string): string =>
  body.replace(tableStart, (_found, ofTable: string, ofRow: string | undefined = '') =>
    ofTable + ofRow === '' ? '' : `${ofTable}${ofRow}. `,
  )
