import type { StoredContent } from '../connectors/contract/contract.ts'

/** The most characters of a text that a screen gets. */
const longestShown = 100_000

export const shortenContent = (content: StoredContent): StoredContent => ({
  ...content,
  fields: shorten(content.fields),
  customFields: shorten(content.customFields),
})

/** The value with long texts cut. */
export const shorten = <T>(value: T): T =>
  changeTexts(value, (text) => (text.length > longestShown ? `${cut(text)}…` : text))

/** Not in the middle of a character. */
const cut = (text: string) => text.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')

/** The shown beginning of each text, and one character more if the text is longer. */
export const withoutRest = <T>(value: T): T => changeTexts(value, (text) => text.slice(0, longestShown + 1))

/** Whether a value has more than is shown. */
export function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longestShown
  return typeof value === 'object' && value !== null && Object.values(value).some(isLong)
}

function changeTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((entry) => changeTexts(entry, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, changeTexts(entry, change)])) as T
}
