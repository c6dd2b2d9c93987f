import type { RichText } from '../families/record.ts'
import * as thread from '../text/budget-text.ts'
import type { TextAddresses } from '../text/change-text.ts'
import { type ConvertedText, convertText, listLinks, rewriteLinks } from '../text/convert-text.ts'
import type { TextFormat } from '../text/parse-markup.ts'

/** Where the addresses in texts lead to now; `unknown` when their record has not been written yet, null when it is none. */
export interface Links {
  resolveLink(url: string): string | 'unknown' | null
  /** The same for a picture that a text shows, by the id of its file. */
  resolveFile(attachment: string): string | 'unknown' | null
}

export interface MappedText extends ConvertedText {
  /** Something it links to is not known yet. */
  hasOpenLinks: boolean
}

/** The addresses of long texts, which were found before anything could be looked up; null when that took too long. */
export type FoundAddresses = ReadonlyMap<RichText, TextAddresses | null>

/** The addresses that a text links to or shows; those of a long one are added to `found`. */
export async function listAddresses(text: RichText, found: Map<RichText, TextAddresses | null>): Promise<string[]> {
  const listed = thread.tryHere(text, () => listLinks(text.body, text.format))
  if (listed) return listed
  const addresses = await thread.findAddresses(text)
  found.set(text, addresses)
  return addresses?.listed ?? []
}

/**
 * Texts on their way into fields. Short ones are converted when they are asked for. Long ones are noted, converted by
 * `catchUp` beside the event loop, and are there when they are asked for again.
 */
export function createTextMapper(links: Links, found: FoundAddresses) {
  const done: { text: RichText; to: TextFormat; mapped: MappedText }[] = []
  const waiting: { text: RichText; to: TextFormat }[] = []
  return {
    /** Null when it has to be asked for again. */
    mapText(text: RichText, to: TextFormat): MappedText | null {
      const known = done.find((entry) => entry.to === to && isSame(entry.text, text))
      if (known) return known.mapped
      const mapped = thread.tryHere(text, () => {
        const { resolve, hasOpenLinks } = followLinks(text, links)
        const body = rewriteLinks(text.body, text.format, resolve)
        return { ...convertText({ ...text, body }, to), hasOpenLinks: hasOpenLinks() }
      })
      if (!mapped) waiting.push({ text, to })
      return mapped
    },
    isWaiting: () => waiting.length > 0,
    async catchUp(): Promise<void> {
      for (const { text, to } of waiting.splice(0)) {
        const known = found.get(text)
        const addresses = known === undefined ? await thread.findAddresses(text) : known
        const { resolve, hasOpenLinks } = followLinks(text, links)
        const targets = new Map<string, string>()
        for (const url of addresses?.asked ?? []) {
          const target = resolve(url)
          if (target !== null) targets.set(url, target)
        }
        const converted = await thread.changeText(text, to, addresses && targets)
        done.push({ text, to, mapped: { ...converted, hasOpenLinks: hasOpenLinks() } })
      }
    },
  }
}

const isSame = (one: RichText, other: RichText) => one.format === other.format && one.body === other.body

function followLinks({ inlineFiles = [] }: RichText, { resolveLink, resolveFile }: Links) {
  const pictures = new Map(inlineFiles.map(({ url, attachment }) => [url, attachment]))
  let isOpen = false
  const resolve = (url: string): string | null => {
    const picture = pictures.get(url)
    const target = picture === undefined ? resolveLink(url) : resolveFile(picture)
    if (target !== 'unknown') return target
    isOpen = true
    return null
  }
  return { resolve, hasOpenLinks: () => isOpen }
}
