import { type SendTrack, trackSends } from '../../outbound/track-sends.ts'
import type { OutgoingRecord, WriteOutcome } from '../contract/contract.ts'
import { orRefused } from './outcomes.ts'

/**
 * Writes records one after the other, up to the first error. The records before it keep their outcomes, those after it
 * are untried, and the error says whether its own record may have been sent. A RefusedError is an outcome, not an error.
 */
export function writeEach<R extends { key: string; destinationId?: string | null }>(
  records: readonly R[],
  write: (record: R) => Promise<WriteOutcome>,
): Promise<WriteOutcome[]> {
  return writeParts(
    records.map((record) => ({
      keys: [record.key],
      write: async () => [await orRefused(record.key, () => write(record), record.destinationId === null)],
    })),
  )
}

interface Part {
  keys: readonly string[]
  /** The records among them that no other record carries. */
  own?: readonly string[]
  write: () => Promise<WriteOutcome[]>
}

/** Like `writeEach`, for parts of a call with one request each. An error concerns all records of its part. */
export async function writeParts(parts: readonly Part[]): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = []
  for (const [index, { keys, own = keys, write }] of parts.entries()) {
    const track: SendTrack = { mayBeSent: false }
    try {
      outcomes.push(...(await trackSends(track, write)))
    } catch (error) {
      // No record has an outcome, and no part is left to try.
      if (parts.length === 1) throw error
      outcomes.push(...keys.map((key): WriteOutcome => ({ key, result: 'failed', error, isSent: track.mayBeSent })))
    }
    // A record whose carried parts failed does not stop the others; only a failure of the record itself does.
    if (outcomes.some((outcome) => isFailure(outcome) && own.includes(outcome.key))) {
      const untried = parts.slice(index + 1).flatMap((part) => part.keys)
      return [...outcomes, ...untried.map((key): WriteOutcome => ({ key, result: 'untried' }))]
    }
  }
  return outcomes
}

const isFailure = ({ result }: WriteOutcome): boolean => result === 'failed' || result === 'untried'

/** Writes records one after the other, each together with the parts that it carries. */
export const writeWithParts = (
  records: readonly OutgoingRecord[],
  write: (record: OutgoingRecord) => Promise<WriteOutcome[]>,
): Promise<WriteOutcome[]> =>
  writeParts(
    records.map((record) => ({
      keys: [record.key, ...(record.parts ?? []).map(({ key }) => key)],
      own: [record.key],
      write: async () => [await orRefused(record.key, () => write(record), record.destinationId === null)].flat(),
    })),
  )
