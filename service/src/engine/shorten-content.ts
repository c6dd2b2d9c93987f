import type { StoredContent } from '../connectors/contract.ts'

/** People look at this. More than anyone reads is left out, so that it needs not be sent to their browser. */
const longestShown = 100_000

export const shortenContent = (content: StoredContent): StoredContent => ({
  ...content,
  fields: shorten(content.fields),
  customFields: shorten(content.customFields),
})

/** The same, with long texts cut. */
export const shorten = <T>(value: T): T =>
  changeTexts(value, (text) => (text.length > longestShown ? `${cut(text)}…` : text))

/** Not in the middle of a character. */
const cut = (text: string) => text.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')

/** What people see of a text, and one character more where there is more. */
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
