import { AsyncLocalStorage } from 'node:async_hooks'
import { AnswerTooLongError } from '../errors.ts'

/** The longest answer that is read at all. Parsing it takes several times its bytes. */
const longestAnswer = 32 * 1024 * 1024
/** All answers for a page of several records together; what is longer is asked for in smaller parts. */
const longestPage = 8 * 1024 * 1024

/** What the page that is read now may still take. */
const page = new AsyncLocalStorage<{ leftBytes: number }>()
/** Whether the reader wants no more than such a page at once. */
const wanted = new AsyncLocalStorage<{ pageBytes: number }>()

/** How long the next answer may be. */
export const answerLimit = (): number =>
  Math.max(1, Math.min(longestAnswer, page.getStore()?.leftBytes ?? longestAnswer))

/** Told of each answer that was read. */
export function countAnswer(bytes: number): void {
  const store = page.getStore()
  if (store) store.leftBytes -= bytes
}

/** Pages that are asked for in it are made smaller when all their answers together would be long. */
export const limitPages = <T>(read: () => Promise<T>): Promise<T> => wanted.run({ pageBytes: longestPage }, read)

/** Several records may be as long as a page, a single one as long as any answer. */
export function withinPage<T>(records: number, ask: () => Promise<T>, pageBytes = longestPage): Promise<T> {
  return page.run({ leftBytes: records > 1 ? pageBytes : Number.POSITIVE_INFINITY }, ask)
}

/** A page of a list, smaller where the answers would be too long for us. */
export async function askForLess<T>(size: number, ask: (size: number) => Promise<T>): Promise<T> {
  try {
    return await withinPage(size, () => ask(size), wanted.getStore()?.pageBytes ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || size <= 1) throw error
    return askForLess(Math.max(1, Math.floor(size / 4)), ask)
  }
}

/** What is known of these records, in parts where the answers would be too long for us. */
export async function askInParts<R, F>(records: R[], ask: (records: R[]) => Promise<F[]>): Promise<F[]> {
  try {
    return await withinPage(records.length, () => ask(records))
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || records.length <= 1) throw error
    const half = Math.ceil(records.length / 2)
    return [...(await askInParts(records.slice(0, half), ask)), ...(await askInParts(records.slice(half), ask))]
  }
}
