import type { StoredContent } from '../connectors/contract.ts'

/** People look at this. More than anyone reads is left out, so that it needs not be sent to their browser. */
const longestShown = 100_000

export const shortenContent = (content: StoredContent): StoredContent => ({
  ...content,
  fields: shorten(content.fields),
  customFields: shorten(content.customFields),
})

/** The same, with long texts cut. */
export function shorten<T>(value: T): T {
  if (typeof value === 'string') return (value.length > longestShown ? `${value.slice(0, longestShown)}…` : value) as T
  if (Array.isArray(value)) return value.map(shorten) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shorten(entry)])) as T
}
