import { digestOf } from '../../kit/keys.ts'
import { unseenSigns } from '../../kit/unseen-signs.ts'

// Notes, activities and files have no field for our key. We append it to their text in invisible characters: Pipedrive
// removes comments and attributes from HTML, but keeps the text.

const edge = '\u2060'
const { pattern: signs, ...code } = unseenSigns(['\u200b', '\u200c'], 16, edge, edge)

export const signsOf = (key: string): string => code.write(digestOf(key, 16))

/** The person whom Pipedrive refused follows the key. If our answer gets lost, it shows that nobody replaced the person. */
export const refusedSigns = (userId: unknown): string => code.write(Number(userId).toString(16))
export function refusedIn(text: unknown): number | null {
  const [, second] = typeof text === 'string' ? (text.match(signs) ?? []) : []
  return second === undefined ? null : Number.parseInt(code.read(second.slice(1, -1)), 16)
}

export const hasSigns = (text: unknown, key: string): boolean => typeof text === 'string' && text.includes(signsOf(key))

export const hasAnySigns = (text: unknown): boolean => typeof text === 'string' && text.search(signs) >= 0

export const withoutSigns = (text: string): string => text.replaceAll(signs, '')

/** Inserts the key before the extension, so that tools still recognize the file type. */
export function nameWithSigns(name: string, key: string): string {
  const [, stem = name, extension = ''] = /^(.*?)(\.\w{1,8})?$/s.exec(name) ?? []
  return `${stem}${signsOf(key)}${extension}`
}

const dropped = /<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>|\s(?!href=|src=)[\w:-]+=("[^"<>]*"|'[^'<>]*')/gi
const entities: Record<string, string> = { '&quot;': '"', '&#39;': "'", '&apos;': "'", '&nbsp;': '\u00a0' }

/** Brings a sent and a stored text into the same form: Pipedrive removes harmful markup and reformats the rest. */
export function evenHtml(html: unknown): unknown {
  if (typeof html !== 'string') return html
  return withoutSigns(html)
    .replace(dropped, '')
    .replace(/&(?:quot|#39|apos|nbsp);/g, (found) => entities[found] ?? found)
    .replace(/\s*\/>/g, '>')
    .replace(/\s+/g, ' ')
    .trim()
}
