import { AsyncLocalStorage } from 'node:async_hooks'
import { AnswerTooLongError } from '../errors.ts'

/** The longest answer that we read. Parsing takes several times its size in memory. */
const longestAnswer = 32 * 1024 * 1024
/** The limit for all answers of a page with several records. A longer page is read in smaller parts. */
const longestPage = 8 * 1024 * 1024

/** The bytes that the current page may still use. */
const page = new AsyncLocalStorage<{ leftBytes: number }>()
/** Set while the reader wants limited pages, with their size. */
const wanted = new AsyncLocalStorage<{ pageBytes: number }>()

/** The limit for the next answer. */
export const answerLimit = (): number =>
  Math.max(1, Math.min(longestAnswer, page.getStore()?.leftBytes ?? longestAnswer))

/** Subtracts an answer that was read from the page's bytes. */
export function countAnswer(bytes: number): void {
  const store = page.getStore()
  if (store) store.leftBytes -= bytes
}

/** Limits the pages that `read` requests: if their answers together are too long, smaller pages are requested. */
export const limitPages = <T>(read: () => Promise<T>): Promise<T> => wanted.run({ pageBytes: longestPage }, read)

/** Runs a request for several records with the limit of a page. A single record has only the limit of an answer. */
export function withinPage<T>(records: number, ask: () => Promise<T>, pageBytes = longestPage): Promise<T> {
  return page.run({ leftBytes: records > 1 ? pageBytes : Number.POSITIVE_INFINITY }, ask)
}

/** Requests a page of a list, and a smaller one if the answers are too long. */
export async function askForLess<T>(size: number, ask: (size: number) => Promise<T>): Promise<T> {
  try {
    return await withinPage(size, () => ask(size), wanted.getStore()?.pageBytes ?? Number.POSITIVE_INFINITY)
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || size <= 1) throw error
    return askForLess(Math.max(1, Math.floor(size / 4)), ask)
  }
}

/** Looks up these records, in smaller parts if the answers are too long. */
export async function askInParts<R, F>(records: R[], ask: (records: R[]) => Promise<F[]>): Promise<F[]> {
  try {
    return await withinPage(records.length, () => ask(records))
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || records.length <= 1) throw error
    const half = Math.ceil(records.length / 2)
    return [...(await askInParts(records.slice(0, half), ask)), ...(await askInParts(records.slice(half), ask))]
  }
}
