import type { RichText } from '../families/record.ts'
import { createGiveWay } from '../give-way.ts'
import * as thread from '../text/budget-text.ts'
import type { TextAddresses } from '../text/change-text.ts'
import { type ConvertedText, convertText, listLinks, rewriteLinks } from '../text/convert-text.ts'
import { cutText } from '../text/cut-text.ts'
import type { TextFormat } from '../text/parse-markup.ts'

/** The result for one address in a text. */
export interface FollowedLink {
  /** The new address; null to keep the old one. */
  url: string | null
  /** True if the target is not written yet but may be later. */
  isOpen?: boolean
  /**
   * Set if the link still points to the source (`old`), or is broken because the source's address is unknown
   * (`nowhere`).
   */
  end?: 'old' | 'nowhere'
}

/** Resolves the addresses in one record's texts. */
export interface Links {
  /** The source's page that shows the record. */
  from: string | null
  /** `attachment` is the id of a picture or file, if the text itself names it. */
  follow(address: string, attachment?: string): FollowedLink
}

export interface MappedText extends ConvertedText {
  /** True if the text links to a record that is not known yet. */
  hasOpenLinks: boolean
  /** Addresses that point to the source, and broken ones, up to the limit. */
  oldLinks?: string[]
  strayLinks?: string[]
}

/** Maximum number of addresses reported for a record, and their maximum length. */
export const mostTold = 10
const longestTold = 300

/** The addresses of long texts, found in a thread beforehand; null if that took too long. */
export type FoundAddresses = ReadonlyMap<RichText, TextAddresses | null>

/** Lists the addresses that a text links to or shows. Those of HTML and of long texts are also added to `found`. */
export function listAddresses(
  text: RichText,
  found: Map<RichText, TextAddresses | null>,
  budget: thread.RecordBudget,
): string[] | Promise<string[]> {
  const { format, body } = text
  const listed = thread.tryHere(text, budget, () => (format === 'html' ? listAsked(body) : listLinks(body, format)))
  if (listed) {
    if (format === 'html') found.set(text, { listed, asked: listed, isCut: false })
    return listed
  }
  return thread.findAddresses(text, budget).then((addresses) => {
    found.set(text, addresses)
    return addresses?.listed ?? []
  })
}

/** Only the addresses that can be replaced. */
function listAsked(html: string): string[] {
  const asked = new Set<string>()
  rewriteLinks(html, 'html', (url) => {
    asked.add(url)
    return null
  })
  return [...asked]
}

/**
 * Converts texts for fields. A short text is converted at once. A long text is noted, `catchUp` converts it in a
 * thread, and the next call returns it.
 */
export function createTextMapper(links: Links, found: FoundAddresses, budget = thread.createRecordBudget()) {
  const done: { text: RichText; to: TextFormat; mapped: MappedText }[] = []
  const waiting: { text: RichText; to: TextFormat }[] = []
  return {
    /** Null if the text must be requested again after `catchUp`. */
    mapText(text: RichText, to: TextFormat): MappedText | null {
      const known = done.find((entry) => entry.to === to && isSame(entry.text, text))
      if (known) return known.mapped
      const mapped = thread.tryHere(text, budget, () => {
        const { resolve, findings } = followLinks(text, links)
        const asked = found.get(text)?.asked
        // Most addresses belong to other sites, so most texts need no rewriting.
        const isUnchanged = asked !== undefined && asked.filter((url) => resolve(url) !== null).length === 0
        const body = isUnchanged ? text.body : rewriteLinks(text.body, text.format, resolve)
        return { ...convertText({ ...text, body }, to), ...findings() }
      })
      if (!mapped) waiting.push({ text, to })
      return mapped
    },
    isWaiting: () => waiting.length > 0,
    async catchUp(): Promise<void> {
      for (const { text, to } of waiting.splice(0)) {
        const known = found.get(text)
        const addresses = known === undefined ? await thread.findAddresses(text, budget) : known
        const { resolve, findings } = followLinks(text, links)
        const targets = new Map<string, string>()
        const giveWay = createGiveWay()
        for (const url of addresses?.asked ?? []) {
          await giveWay()
          const target = resolve(url)
          if (target !== null) targets.set(url, target)
        }
        const isCut = addresses?.isCut ?? false
        const replacements = addresses && { links: targets, from: links.from, isCut }
        const converted = await thread.changeText(text, to, replacements, budget)
        done.push({ text, to, mapped: { ...converted, ...findings(isCut) } })
      }
    },
  }
}

const isSame = (one: RichText, other: RichText) => one.format === other.format && one.body === other.body

function followLinks({ inlineFiles = [] }: RichText, { follow }: Links) {
  const files = inlineFiles.length === 0 ? null : new Map(inlineFiles.map(({ url, attachment }) => [url, attachment]))
  // Sets are created only for the few texts with such links.
  const ends: Partial<Record<NonNullable<FollowedLink['end']>, Set<string>>> = {}
  let hasOpenLinks = false
  const resolve = (address: string): string | null => {
    const { url, isOpen, end } = follow(address, files?.get(address))
    hasOpenLinks ||= isOpen ?? false
    if (end) {
      ends[end] ??= new Set()
      if (ends[end].size < mostTold) ends[end].add(cutText(url ?? address, longestTold))
    }
    return url
  }
  const findings = (isCut = false) => ({
    hasOpenLinks,
    oldLinks: [...(ends.old ?? []), ...(isCut ? ['…'] : [])],
    strayLinks: [...(ends.nowhere ?? [])],
  })
  return { resolve, findings }
}
