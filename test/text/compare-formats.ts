import { writeBody } from '../../service/src/connectors/blog/ghost/write-body.ts'
import { hideSigns } from '../../service/src/connectors/blog/wordpress/hide-signs.ts'
import type { RichText } from '../../service/src/families/record.ts'
import { convertText } from '../../service/src/text/convert-text.ts'
import { type DocumentFacts, normalUrl, readFacts } from './document-facts.ts'

export interface Target {
  name: string
  format: RichText['format']
  /** Changes the HTML before it is sent to the tool. */
  write?: (html: string) => string
}

const site = 'https://site.example'
export const targets: Target[] = [
  { name: 'HTML, as RT and Harbour keep it', format: 'html' },
  { name: 'HTML of WordPress', format: 'html', write: hideSigns },
  { name: 'HTML of Ghost', format: 'html', write: (html) => writeBody(html, site) },
  { name: 'Markdown', format: 'markdown' },
  { name: 'Markdown of Redmine', format: 'redmine_markdown' },
  { name: 'Textile of Redmine', format: 'textile' },
  { name: 'plain text, as Tryton keeps it', format: 'plain' },
]
export const sources: RichText['format'][] = ['html', 'markdown', 'redmine_markdown', 'textile', 'plain']

/** The losses that explain a smaller number of each kind of element. */
const told: Record<string, string[]> = {
  heading: ['plain_only', 'table_flattened', 'list_flattened'],
  emphasis: ['formatting_removed', 'plain_only'],
  highlight: ['highlight_removed', 'plain_only'],
  caption: ['caption_moved', 'table_flattened', 'list_flattened'],
  details: ['details_opened', 'table_flattened', 'list_flattened'],
  term: ['terms_listed', 'table_flattened', 'list_flattened'],
  code: ['code_simplified', 'table_flattened', 'list_flattened'],
  quote: ['table_flattened', 'list_flattened'],
  item: ['table_flattened', 'list_flattened'],
  links: ['link_as_text', 'anchor_removed'],
  pictures: ['image_removed'],
}

export function factsOf(text: RichText): DocumentFacts {
  return readFacts(convertText(text, 'html').body)
}

/** Losses in a target format that were not reported. */
export function findUntold(source: RichText, before: DocumentFacts, { format, write }: Target): string[] {
  const { body, losses } = convertText(source, format)
  if (format === 'plain') return findMissing(before, body)
  const after = factsOf({ format, body: write ? write(body) : body })
  const isTold = (kind: string) => (told[kind] ?? []).some((loss) => Object.hasOwn(losses, loss))
  // Checkboxes become characters in Textile, Ghost has no abbreviations, and an address that cannot be a link is
  // written beside its words.
  const isMore = ['abbreviation', 'box'].some((kind) => kind in before.structure) || 'link_as_text' in losses
  const lost = isMore
    ? findMissing({ ...before, links: [] }, after.words.join(' '))
    : compareLists('words', before.words, after.words)
  for (const [kind, count] of Object.entries(before.structure)) {
    const left = after.structure[kind] ?? 0
    if (kind !== 'abbreviation' && kind !== 'box' && left < count && !isTold(kind))
      lost.push(`${kind}: ${left} of ${count}`)
  }
  const absolute = (urls: string[]) => urls.map((url) => (/^\/[^/]/.test(url) ? site + url : url)).sort()
  // Redmine turns addresses in plain text into links.
  const isOwn = (url: string) => before.links.includes(url) || !before.words.some((word) => word.includes(url))
  const links = format === 'textile' ? after.links.filter(isOwn) : after.links
  if (!isTold('links')) lost.push(...compareLists('links', absolute(before.links), absolute(links)))
  if (!isTold('pictures')) lost.push(...compareLists('pictures', absolute(before.pictures), absolute(after.pictures)))
  return lost
}

function compareLists(what: string, before: string[], after: string[]): string[] {
  const at = before.findIndex((entry, index) => after[index] !== entry)
  if (at < 0 && before.length === after.length) return []
  const place = at < 0 ? before.length : at
  return [`${what}: "${before[place] ?? ''}" became "${after[place] ?? ''}" at ${place}`]
}

/** Finds missing words and addresses. Their order must be kept, but list and quote characters may be in between. */
function findMissing({ pieces, links }: DocumentFacts, text: string): string[] {
  let at = 0
  for (const word of pieces) {
    const found = text.indexOf(word, at)
    if (found < 0) return [`"${word}" is not in "${text.slice(at, at + 80)}"`]
    at = found + word.length
  }
  const addresses = links.filter((url) => !url.startsWith('#')).map((url) => url.replace(/^(?:mailto|tel):/, ''))
  const addressed = text.split(/\s+/).map(normalUrl).join(' ')
  return addresses.filter((url) => !addressed.includes(url)).map((url) => `no ${url}`)
}
