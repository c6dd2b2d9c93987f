import { AnswerTooLongError } from '../errors.ts'

/** A page of a list, smaller where the answer would be too long for us. */
export async function askForLess<T>(size: number, ask: (size: number) => Promise<T>): Promise<T> {
  try {
    return await ask(size)
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || size <= 1) throw error
    return askForLess(Math.max(1, Math.floor(size / 4)), ask)
  }
}

/** What is known of these records, in parts where the answer would be too long for us. */
export async function askInParts<R, F>(records: R[], ask: (records: R[]) => Promise<F[]>): Promise<F[]> {
  try {
    return await ask(records)
  } catch (error) {
    if (!(error instanceof AnswerTooLongError) || records.length <= 1) throw error
    const half = Math.ceil(records.length / 2)
    return [...(await askInParts(records.slice(0, half), ask)), ...(await askInParts(records.slice(half), ask))]
  }
}
