import { type SendTrack, trackSends } from '../../outbound/track-sends.ts'
import type { SettledOutcome, WriteOutcome } from '../contract/contract.ts'
import { sideBySide } from './side-by-side.ts'

/** The records of one call of `write`, for tools that take several steps for each, some of them for many at once. */
export interface WriteBatch {
  settle(outcome: SettledOutcome): void
  /** A step for records of the call. Its error concerns those records that have no outcome yet. */
  attempt(keys: readonly string[], act: () => Promise<void>): Promise<void>
  /** The same for each item, several at once. After a failure no further one is begun. */
  attemptEach<T>(
    items: readonly T[],
    keysOf: (item: T) => readonly string[],
    act: (item: T) => Promise<void>,
  ): Promise<void>
  /** Whether a step has failed. Steps under way may finish; no new one should begin. */
  readonly hasFailed: boolean
  /** Throws what was thrown in a step. */
  rethrow(): void
  /** One for each record, in their order. A failure that leaves no record settled or untried is about all, and thrown. */
  outcomes(): WriteOutcome[]
}

export function openBatch(records: readonly { key: string }[], atOnce = 1): WriteBatch {
  const settled = new Map<string, SettledOutcome>()
  const sent = new Set<string>()
  const failures = new Map<string, unknown>()
  let first: { error: unknown } | null = null

  const attempt: WriteBatch['attempt'] = async (keys, act) => {
    const track: SendTrack = { mayBeSent: false }
    try {
      await trackSends(track, act)
    } catch (error) {
      first ??= { error }
      for (const key of keys) if (!failures.has(key)) failures.set(key, error)
    } finally {
      if (track.mayBeSent) for (const key of keys) sent.add(key)
    }
  }
  const outcomeOf = (key: string): WriteOutcome => {
    const outcome = settled.get(key)
    if (outcome) return outcome
    const isSent = sent.has(key)
    // One that was begun stands in doubt when the steps after it were not taken.
    if (failures.has(key) || isSent) return { key, result: 'failed', error: failures.get(key) ?? first?.error, isSent }
    return { key, result: 'untried' }
  }
  return {
    settle: (outcome) => settled.set(outcome.key, outcome),
    attempt,
    async attemptEach(items, keysOf, act) {
      await sideBySide(items, atOnce, async (item) => {
        if (first === null) await attempt(keysOf(item), () => act(item))
      })
    },
    get hasFailed() {
      return first !== null
    },
    rethrow() {
      if (first) throw first.error
    },
    outcomes() {
      const all = records.map(({ key }) => outcomeOf(key))
      if (first && all.every(({ result }) => result === 'failed')) throw first.error
      return all
    },
  }
}
