import { convertText } from '../../../text/convert-text.ts'
import { plainWords } from '../../../text/plain-words.ts'

// Tickets and replies of Intercom are plain text; notes and articles are HTML.

/** Longer texts lose their lists and links: to convert them would keep the event loop from others. */
const longText = 200_000
export const toPlain = (html: unknown): string => {
  if (typeof html !== 'string') return ''
  return html.length > longText ? plainWords(html) : convertText({ format: 'html', body: html }, 'plain').body
}

/** Whether a text loses nothing when its markup goes: paragraphs and line breaks only. */
export const isPlain = (html: string): boolean => !/<(?!\/?(?:p|br|div|span|body|html)\b)[a-z/]/i.test(html)
