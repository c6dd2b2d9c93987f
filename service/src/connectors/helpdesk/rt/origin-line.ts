import { escapeHtml } from '../../../text/render-html.ts'
import { oneLine } from './stored-values.ts'

// Request Tracker stamps a message with the moment and the user of the request. Instead, a line above the text names
// its author and time. The line can be removed again when the message is read back.

export interface Origin {
  /** The number that a ticket had before. */
  number: string | null
  author: string | null
  at: string | null
}

const line = /^<div class="wherry-origin">([^\n]*?)<\/div>\n/

/** The line is always there: a message without any text would not be recorded. */
export function withOrigin({ number, author, at }: Origin, body: string): string {
  const parts = [
    number === null ? null : `<span class="wherry-number">#${escapeHtml(number)}</span>`,
    author === null ? null : escapeHtml(oneLine(author, 200)),
    at === null ? null : `<time datetime="${escapeHtml(at)}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`,
  ].filter((part) => part !== null)
  return `<div class="wherry-origin">${parts.length === 0 ? 'Imported' : parts.join(' · ')}</div>\n${body}`
}

/** The line's content without the author, who is named in words only, and the text below it. */
export type ReadOrigin = Pick<Origin, 'number' | 'at'> & { body: string }

export function readOrigin(html: string): ReadOrigin {
  const [whole = '', content = ''] = line.exec(html) ?? []
  const [, number = null] = /<span class="wherry-number">#([^<]*)<\/span>/.exec(content) ?? []
  const [, at = null] = /<time datetime="([^"]*)">/.exec(content) ?? []
  return { number: number === null ? null : unescapeHtml(number), at, body: html.slice(whole.length) }
}

/** The way back of `escapeHtml`, and of nothing else. */
function unescapeHtml(text: string): string {
  return text
    .replace(/&quot;/g, '"')
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
}
