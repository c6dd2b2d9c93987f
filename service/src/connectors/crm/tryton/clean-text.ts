/** Removes NUL and replaces lone surrogates: Tryton cannot store them. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Tryton refuses tabs and newlines in one-line fields. */
export const cleanLine = (text: string): string => cleanText(text).replace(/[\t\n\r\v\f]+/g, ' ')
