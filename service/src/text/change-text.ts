import type { RichText } from '../families/record.ts'
import { pinUrl } from './absolute-url.ts'
import { type ConvertedText, convertText, listLinks, rewriteLinks } from './convert-text.ts'
import type { TextFormat } from './parse-markup.ts'
import { plainWords } from './plain-words.ts'
import { escapeHtml } from './render-html.ts'

// Changes of a text between source and destination, as functions of plain data: `budget-text.ts` runs them here or in a
// thread.

/** A longer address is not a link to a record but a picture written into the text. */
const mostAddresses = 10_000
const longestAddress = 4_000

export interface TextAddresses {
  /** Every address that the text links to or shows. */
  listed: string[]
  /** The addresses that can be replaced in it, as it writes them. */
  asked: string[]
  /** There are more than were looked at. */
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
  // A picture that is written into the text leads nowhere.
  const isLeftOut = (url: string) => !isAddress(url) && !/^data:/i.test(url)
  return { listed, asked: [...asked], isCut: listed.length === mostAddresses || all.some(isLeftOut) }
}

const isAddress = (url: string) => url.length <= longestAddress

/** The new targets of a text's addresses. */
export interface Replacements {
  links: ReadonlyMap<string, string>
  /** The page of the source with the text, for addresses that nobody looked at. */
  from: string | null
  isCut: boolean
}

/** With its links and pictures leading to where they are now, in another format. */
export function changeText(text: RichText, to: TextFormat, { links, from, isCut }: Replacements): ConvertedText {
  const isAsBefore = links.size === 0 && !isCut
  const replace = (url: string) => links.get(url) ?? (isCut ? pinUrl(url, from) : null)
  const body = isAsBefore ? text.body : rewriteLinks(text.body, text.format, replace)
  return convertText({ ...text, body }, to)
}

/** Its words alone. Markdown and Textile stay as they were typed. */
export function changeToPlain({ format, body }: RichText, to: TextFormat): string {
  return convertText({ format: 'plain', body: format === 'html' ? plainWords(body) : body }, to).body
}

/** The characters as they are; where markup means something, marked so that they mean none. */
export function keepCharacters({ body }: RichText, to: TextFormat): string {
  return to === 'plain' ? body : `<pre>${escapeHtml(body)}</pre>`
}
