import { plainWords } from '../../../text/plain-words.ts'
import { escapeHtml } from '../../../text/render-html.ts'
import { oneLine } from '../../kit/sent-values.ts'

// Request Tracker records the time and user of the request. So we put a line above each text that names the original
// author and time. The line is removed when the message is read back.

/** The ticket's number in the source, the author, and the time of writing. */
type Origin = Record<'number' | 'author' | 'at', string | null>

const line = /^<div class="wherry-origin">([^\n]*?)<\/div>\n/

/** Every message gets the line, because Request Tracker does not record a message without text. */
export function withOrigin({ number, author, at }: Origin, body: string): string {
  const parts = [
    number === null ? null : `<span class="wherry-number">#${escapeHtml(number)}</span>`,
    author === null ? null : escapeHtml(oneLine(author, 200)),
    at === null ? null : `<time datetime="${escapeHtml(at)}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`,
  ].filter((part) => part !== null)
  return `<div class="wherry-origin">${parts.length === 0 ? 'Imported' : parts.join(' · ')}</div>\n${body}`
}

/** The line's number and time, and the text below the line. The author is not read back. */
export type ReadOrigin = Pick<Origin, 'number' | 'at'> & { body: string }

export function readOrigin(html: string): ReadOrigin {
  const [whole = '', content = ''] = line.exec(html) ?? []
  const [, number = null] = /<span class="wherry-number">#([^<]*)<\/span>/.exec(content) ?? []
  const [, at = null] = /<time datetime="([^"]*)">/.exec(content) ?? []
  return { number: number === null ? null : plainWords(number), at, body: html.slice(whole.length) }
}
