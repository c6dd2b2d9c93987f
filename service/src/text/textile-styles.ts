import { shelterCode } from './shelter-code.ts'

/** A style that makes a browser load something, or hides that it does. Two braces begin a macro, not a style. */
const loading = /(?<!\{)\{(?=[^{}\n]*:[^{}\n]*[\\(@][^{}\n]*\})/g

/**
 * Readers of Textile differ in what they take for a style. Text that any reader takes for a style counts; code does
 * not.
 */
export const hasLoadingStyle = (body: string): boolean => shelterCode(body).search(loading) >= 0

/** The same text without a style; the end of the style may come after a link. */
export const escapeStyles = (text: string): string => text.replace(/(?<!\{)\{(?=[^{}\n]*:)/g, '&#123;')

const attributes = String.raw`(?:\([^()\n]{0,200}\)|\{[^{}\n]{0,500}\}|\[[^[\]\n]{0,50}\]|[<>=~^_-])*`
const tableStart = new RegExp(String.raw`^table(${attributes})\.[ \t]*\n(?:(${attributes})\.[ \t]+)?(?=\|)`, 'gm')

/**
 * A separate line sets the style of a table. The parser does not know this line, but knows a style of the first row.
 */
export const joinTableStarts = (body: string): string =>
  body.replace(tableStart, (_found, ofTable: string, ofRow: string | undefined = '') =>
    ofTable + ofRow === '' ? '' : `${ofTable}${ofRow}. `,
  )
