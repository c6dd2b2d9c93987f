import { Parser, Tokenizer } from 'htmlparser2'
import type { Token } from 'marked'
import { markdownUrl } from './escape-markdown.ts'
import { findUrls } from './find-urls.ts'
import { limitDepth } from './limit-depth.ts'
import { isMarkdown, lexMarkdown, parseMarkup, type TextFormat } from './parse-markup.ts'
import { escapeHtml } from './render-html.ts'
import { rewriteTextile } from './rewrite-textile.ts'

/** Returns the new address, or null to keep the old one. */
export type Replace = (url: string) => string | null

interface Edit {
  start: number
  end: number
  text: string
}

/** Attributes with the address of a link or picture. */
const addressed: Record<string, readonly string[]> = {
  ...{ a: ['href'], area: ['href'], img: ['src'], iframe: ['src'], embed: ['src'], object: ['data'] },
  ...{ audio: ['src'], video: ['src', 'poster'], source: ['src'], track: ['src'] },
}

/** Changes the addresses of links and pictures, and no other character. */
export function rewriteLinks(body: string, format: TextFormat, replace: Replace): string {
  if (format === 'html') return applyEdits(body, htmlEdits(body, replace))
  if (isMarkdown(format)) return applyEdits(body, markdownEdits(body, replace))
  if (format === 'textile') return rewriteTextile(body, listLinks(body, format), replace)
  const edits = findUrls(body).map(({ start, url }) => ({ start, end: start + url.length, text: replace(url) ?? url }))
  return applyEdits(body, edits)
}

/** Every address that a text links to or shows, each once, in order. */
export function listLinks(body: string, format: TextFormat): string[] {
  const urls = new Set<string>()
  let quiet = 0
  const parser = new Parser({
    onopentag(name, attribs) {
      for (const attribute of addressedBy(name)) {
        const url = attribs[attribute]?.trim()
        if (url) urls.add(url)
      }
      if (isQuiet(name)) quiet++
    },
    ontext(text) {
      if (format !== 'textile' || quiet > 0) return
      for (const { url } of findUrls(text)) urls.add(url)
    },
    onclosetag(name) {
      if (isQuiet(name)) quiet--
    },
  })
  parser.write(limitDepth(parseMarkup({ format, body }, new Set())).html)
  parser.end()
  return [...urls]
}

const addressedBy = (name: string): readonly string[] => (Object.hasOwn(addressed, name) ? (addressed[name] ?? []) : [])
const isQuiet = (name: string) => name === 'a' || name === 'pre' || name === 'code'

function applyEdits(body: string, edits: Edit[]): string {
  const parts: string[] = []
  let end = 0
  for (const edit of edits.filter(({ start }) => start >= 0).sort((one, other) => one.start - other.start)) {
    if (edit.start < end) continue
    parts.push(body.slice(end, edit.start), edit.text)
    end = edit.end
  }
  return parts.join('') + body.slice(end)
}

function htmlEdits(html: string, replace: Replace): Edit[] {
  const edits: Edit[] = []
  let wanted: readonly string[] = []
  let inWanted = false
  let value = ''
  let start = -1
  const nothing = () => undefined
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(from, to) {
        wanted = addressedBy(html.slice(from, to).toLowerCase())
      },
      onattribname(from, to) {
        inWanted = wanted.length > 0 && wanted.includes(html.slice(from, to).toLowerCase())
        value = ''
        start = html.indexOf('=', to) + 1
      },
      onattribdata(from, to) {
        value += html.slice(from, to)
      },
      onattribentity(codepoint) {
        value += String.fromCodePoint(codepoint)
      },
      onattribend(quote, end) {
        const url = inWanted && quote > 0 ? replace(value.trim()) : null
        if (url === null || start <= 0) return
        // The value extends from the equals sign to here, with or without quotes. We write new quotes.
        edits.push({
          start,
          end: quote > 1 ? html.indexOf(quote === 2 ? "'" : '"', end - 1) + 1 : end,
          text: `"${escapeHtml(url)}"`,
        })
      },
      onopentagend: nothing,
      onselfclosingtag: nothing,
      onclosetag: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onend: nothing,
      onprocessinginstruction: nothing,
      ontext: nothing,
      ontextentity: nothing,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return edits
}

/** The parser reports links without positions, so we search the text for its tokens in order. */
function markdownEdits(body: string, replace: Replace): Edit[] {
  const edits: Edit[] = []
  let cursor = 0
  const locate = (raw: string): number => {
    // Only markup lies between two tokens. A longer search would take quadratic time.
    const near = body.slice(cursor, cursor + raw.length + 2_000).indexOf(raw)
    return near < 0 ? -1 : cursor + near
  }
  const pass = (raw: string) => {
    for (const line of raw.split('\n')) {
      const found = line.trim() === '' ? -1 : locate(line.trim())
      if (found >= 0) cursor = found + line.trim().length
    }
  }
  const visitLink = (token: Token & { href?: string }, children: Token[]) => {
    const raw = token.raw.trim()
    const start = locate(raw)
    if (start < 0) return children.forEach(visit)
    cursor = start + 1
    if (raw.startsWith('[')) children.forEach(visit)
    cursor = start + raw.length
    const href = token.href ?? ''
    const url = replace(href.replaceAll('&amp;', '&'))
    if (url === null) return
    const place = findWritten(raw, href)
    if (place) {
      const angled = raw[place.start - 1] === '<' || place.end - place.start === raw.length
      edits.push({ start: start + place.start, end: start + place.end, text: angled ? url : markdownUrl(url) })
    } else if (!raw.startsWith('[') && !raw.startsWith('!')) {
      edits.push({ start, end: start + raw.length, text: `[${raw}](${markdownUrl(url)})` })
    }
  }
  const visit = (token: Token): void => {
    const children: Token[] = 'items' in token ? token.items : ('tokens' in token && token.tokens) || []
    if (token.type === 'link' || token.type === 'image' || token.type === 'def') visitLink(token, children)
    else if (token.type === 'table' && 'header' in token) {
      for (const cell of [...token.header, ...token.rows.flat()]) for (const child of cell.tokens) visit(child)
    } else if (token.type === 'html') {
      const start = locate(token.raw)
      if (start < 0) return
      cursor = start + token.raw.length
      for (const edit of htmlEdits(token.raw, replace)) {
        edits.push({ start: start + edit.start, end: start + edit.end, text: edit.text })
      }
    } else if (children.length > 0) children.forEach(visit)
    else pass(token.raw)
  }
  for (const token of lexMarkdown(body) ?? []) visit(token)
  return edits
}

/** The position of the address in the link, with or without backslashes before its special characters. */
function findWritten(raw: string, href: string): { start: number; end: number } | null {
  let plain = ''
  const positions: number[] = []
  for (let index = 0; index < raw.length; index++) {
    if (raw[index] === '\\' && /[!-/:-@[-`{-~]/.test(raw[index + 1] ?? '')) index++
    plain += raw[index] ?? ''
    positions.push(index)
  }
  const at = plain.lastIndexOf(href)
  const start = positions[at]
  const last = positions[at + href.length - 1]
  return href === '' || start === undefined || last === undefined ? null : { start, end: last + 1 }
}
