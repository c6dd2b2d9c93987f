import type { RichText } from '../families/record.ts'
import { pinUrl } from './absolute-url.ts'
import { type ConvertedText, convertText, listLinks, rewriteLinks } from './convert-text.ts'
import type { TextFormat } from './parse-markup.ts'
import { plainWords } from './plain-words.ts'
import { escapeHtml } from './render-html.ts'

// Functions that change a text between source and destination. They take and return plain data, because
// `budget-text.ts` may run them in a thread.

/** Limits. An address longer than `longestAddress` is an embedded picture (`data:`), not a link. */
const mostAddresses = 10_000
const longestAddress = 4_000

export interface TextAddresses {
  /** Every address that the text links to or shows. */
  listed: string[]
  /** The addresses in it that can be replaced, exactly as written. */
  asked: string[]
  /** True if the text has more addresses than the limit. */
  isCut: boolean
}

export function findAddresses({ format, body }: RichText): TextAddresses {
  const all = listLinks(body, format)
  const listed = all.filter(isAddress).slice(0, mostAddresses)
  const asked = new Set<string>()
  if (all.length > 0) {
    rewriteLinks(body, format, (url) => {
      if (isAddress(url) && asked.size < mostAddresses) asked.add(url)
      return null
    })
  }
  // An embedded picture has no address to follow.
  const isLeftOut = (url: string) => !isAddress(url) && !/^data:/i.test(url)
  return { listed, asked: [...asked], isCut: listed.length === mostAddresses || all.some(isLeftOut) }
}

const isAddress = (url: string) => url.length <= longestAddress

/** The new addresses for the links in a text. */
export interface Replacements {
  links: ReadonlyMap<string, string>
  /** The source page of the text. It resolves relative addresses that are beyond the limit. */
  from: string | null
  isCut: boolean
}

/** Converts a text to another format and replaces the addresses of links and pictures. */
export function changeText(text: RichText, to: TextFormat, { links, from, isCut }: Replacements): ConvertedText {
  const isAsBefore = links.size === 0 && !isCut
  const replace = (url: string) => links.get(url) ?? (isCut ? pinUrl(url, from) : null)
  const body = isAsBefore ? text.body : rewriteLinks(text.body, text.format, replace)
  return convertText({ ...text, body }, to)
}

/** Removes the markup. Markdown and Textile keep their typed characters. */
export function changeToPlain({ format, body }: RichText, to: TextFormat): string {
  return convertText({ format: 'plain', body: format === 'html' ? plainWords(body) : body }, to).body
}

/** Keeps all characters literally, escaped if the format has markup. */
export function keepCharacters({ body }: RichText, to: TextFormat): string {
  return to === 'plain' ? body : `<pre>${escapeHtml(body)}</pre>`
}
