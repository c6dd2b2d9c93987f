import { shelterCode } from './shelter-code.ts'

/** A style that makes a browser load something, or that hides such a thing. Two braces begin a macro, which is none. */
const loading = /(?<!\{)\{(?=[^{}\n]*:[^{}\n]*[\\(@][^{}\n]*\})/g

/** Readers of Textile differ in what they take for a style. A style for any of them counts; code does not. */
export const hasLoadingStyle = (body: string): boolean => shelterCode(body).search(loading) >= 0

/** The same text, in which nobody sees a style: its end may stand behind a link. */
export const escapeStyles = (text: string): string => text.replace(/(?<!\{)\{(?=[^{}\n]*:)/g, '&#123;')

const attributes = String.raw`(?:\([^()\n]{0,200}\)|\{[^{}\n]{0,500}\}|\[[^[\]\n]{0,50}\]|[<>=~^_-])*`
const tableStart = new RegExp(String.raw`^table(${attributes})\.[ \t]*\n(?:(${attributes})\.[ \t]+)?(?=\|)`, 'gm')

/** A line of its own says how a table looks. The parser does not know it; it knows the same for the first row. */
export const joinTableStarts = (body: string): string =>
  body.replace(tableStart, (_found, ofTable: string, ofRow: string | undefined = '') =>
    ofTable + ofRow === '' ? '' : `${ofTable}${ofRow}. `,
  )
