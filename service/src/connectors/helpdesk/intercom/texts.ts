import { convertText } from '../../../text/convert-text.ts'
import { plainWords } from '../../../text/plain-words.ts'

// Intercom stores tickets and replies as plain text, notes and articles as HTML.

/** Longer texts are converted without their lists and links, because a full conversion would block the event loop. */
const longText = 200_000
export const toPlain = (html: unknown): string => {
  if (typeof html !== 'string') return ''
  return html.length > longText ? plainWords(html) : convertText({ format: 'html', body: html }, 'plain').body
}

/** Whether a text has only paragraphs and line breaks, so that plain text keeps everything. */
export const isPlain = (html: string): boolean => !/<(?!\/?(?:p|br|div|span|body|html)\b)[a-z/]/i.test(html)
