import { AsyncLocalStorage } from 'node:async_hooks'
import { AnswerTooLongError } from '../errors.ts'

/** The longest answer that is read at all. Parsing it takes several times its bytes. */
const longestAnswer = 32 * 1024 * 1024
/** The limit for all answers of a page of several records. Beyond it the page is read in smaller parts. */
const longestPage = 8 * 1024 * 1024

/** The bytes that the page under way may still use. */
const page = new AsyncLocalStorage<{ leftBytes: number }>()
/** Whether the reader wants its pages limited, and to which size. */
const wanted = new AsyncLocalStorage<{ pageBytes: number }>()

/** The limit for the next answer. */
export const answerLimit = (): number =>
  Math.max(1, Math.min(longestAnswer, page.getStore()?.leftBytes ?? longestAnswer))

/** Counts an answer that was read. */
export function countAnswer(bytes: number): void {
  const store = page.getStore()
  if (store) store.leftBytes -= bytes
}

/** Makes the pages read inside it smaller when their answers together would be too long. */
export const limitPages = <T>(read: () => Promise<T>): Promise<T> => wanted.run({ pageBytes: longestPage }, read)

/** Several records may be as long as a page, a single one as long as any answer. */
export function withinPage<T>(records: number, ask: () => Promise<T>, pageBytes = longestPage): Promise<T> {
  return page.run({ leftBytes: records > 1 ? pageBytes : Number.POSITIVE_INFINITY }, ask)
}

/** Reads a page of a list, a smaller one where the answers would be too long. */
export async function askForLess<T>(size: number, ask: (size: number) => Promise<T>): Promise<T> {
  try {
    return await withinPage(size, () => ask(size), wanted.getStore()?.pageBytes ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || size <= 1) throw error
    return askForLess(Math.max(1, Math.floor(size / 4)), ask)
  }
}

/** Looks these records up, in parts where the answers would be too long. */
export async function askInParts<R, F>(records: R[], ask: (records: R[]) => Promise<F[]>): Promise<F[]> {
  try {
    return await withinPage(records.length, () => ask(records))
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || records.length <= 1) throw error
    const half = Math.ceil(records.length / 2)
    return [...(await askInParts(records.slice(0, half), ask)), ...(await askInParts(records.slice(half), ask))]
  }
}
