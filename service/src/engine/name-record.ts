import { cutText } from '../text/cut-text.ts'
import { plainWords } from '../text/plain-words.ts'

/** A record's name for people: its title, and the number that its tool shows. */
export interface RecordName {
  title: string
  number: string | null
}

/** Fields that name a record, the best one first. Of a text the first words do. */
const named = ['title', 'subject', 'name', 'file_name', 'email', 'emails', 'body', 'description', 'text'] as const
const numbered = ['number', 'key'] as const
const longestTitle = 100
const longestNumber = 40
/** Characters of a text that surely hold some words. */
const mostRead = 4_000

/** The name of a record of either side. The title is empty when nothing names it. */
export function nameRecord(fields: Record<string, unknown>): RecordName {
  const number = numbered.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  return { title: titleOf(fields), number: number === undefined ? null : cutText(String(number), longestNumber) }
}

function titleOf(fields: Record<string, unknown>): string {
  for (const name of named) {
    const words = plainWords(textOf(fields[name]).slice(0, mostRead)).replace(/\s+/g, ' ').trim()
    if (words !== '') return words.length > longestTitle ? `${cutText(words, longestTitle - 1)}…` : words
  }
  return ''
}

/** A text, the body of a formatted one, or the first address of several. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return textOf(value[0])
  if (typeof value !== 'object' || value === null) return ''
  const { body, address } = value as { body?: unknown; address?: unknown }
  return typeof body === 'string' ? body : typeof address === 'string' ? address : ''
}
