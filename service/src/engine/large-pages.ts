import type { FamilyRecord } from '../families/record.ts'
import { createTurns } from '../turns.ts'

/** The most text that is worked on at once. A single record may hold more. */
export const mostCharacters = 4 * 1024 * 1024
/** A page with more text than this is finished before the next one is read. */
const largePage = 1024 * 1024
/** Large pages that a process has in memory at once, of all imports together; of very large ones, one. */
const turns = createTurns(2)
const weightOf = (characters: number) => (characters > mostCharacters / 2 ? 2 : 1)

/** The approximate number of characters in a record. */
export function charactersOf({ fields, customFields = {} }: FamilyRecord): number {
  let sum = 0
  const add = (value: unknown) => {
    if (typeof value === 'string') sum += value.length
    else if (typeof value === 'object' && value !== null && 'body' in value) sum += String(value.body).length
  }
  for (const value of Object.values(fields)) add(value)
  for (const { value } of Object.values(customFields)) add(value)
  return sum
}

const sumOf = (records: readonly FamilyRecord[]): number =>
  records.reduce((sum, record) => sum + charactersOf(record), 0)

/**
 * Reads records. Large ones come with a turn that the caller ends when it needs them no more. While others have all
 * turns, nothing is kept: it is read again when the turn has come.
 */
export async function readInTurn<P extends { items: FamilyRecord[] }>(
  read: () => Promise<P>,
  signal?: AbortSignal,
): Promise<{ page: P; endTurn: (() => void) | null }> {
  let page: P | undefined = await read()
  const characters = sumOf(page.items)
  if (characters <= largePage) return { page, endTurn: null }
  const free = turns.tryTake(weightOf(characters))
  if (free) return { page, endTurn: free }
  page = undefined
  const endTurn = await turns.take(signal, weightOf(characters))
  try {
    return { page: await read(), endTurn }
  } catch (error) {
    endTurn()
    throw error
  }
}

/** Splits records, in their order, into parts of limited text and of at most `most` records. */
export function splitBySize(records: FamilyRecord[], most: number): FamilyRecord[][] {
  const parts: FamilyRecord[][] = []
  let part: FamilyRecord[] = []
  let characters = 0
  for (const record of records) {
    const own = charactersOf(record)
    if (part.length > 0 && (part.length >= most || characters + own > mostCharacters)) {
      parts.push(part)
      part = []
      characters = 0
    }
    part.push(record)
    characters += own
  }
  return part.length > 0 || parts.length === 0 ? [...parts, part] : parts
}
