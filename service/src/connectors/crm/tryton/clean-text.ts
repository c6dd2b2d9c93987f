/** Characters that Tryton cannot store: NUL, and halves of characters. */
export const cleanText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Fields of one line refuse tabs and newlines. */
export const cleanLine = (text: string): string => cleanText(text).replace(/[\t\n\r\v\f]+/g, ' ')
