import { type SendTrack, trackSends } from '../../outbound/track-sends.ts'
import type { SettledOutcome, WriteOutcome } from '../contract/contract.ts'
import { sideBySide } from './side-by-side.ts'

/**
 * Collects the outcomes of one call of `write`, for tools that need several steps per record, some of them for many
 * records at once.
 */
export interface WriteBatch {
  settle(outcome: SettledOutcome): void
  /** Runs a step for these records. If it fails, the error concerns those of them that have no outcome yet. */
  attempt(keys: readonly string[], act: () => Promise<void>): Promise<void>
  /** Runs a step for each item, several in parallel. After a failure no further item is started. */
  attemptEach<T>(
    items: readonly T[],
    keysOf: (item: T) => readonly string[],
    act: (item: T) => Promise<void>,
  ): Promise<void>
  /** Whether a step has failed. Running steps may finish, but no new one should start. */
  readonly hasFailed: boolean
  /** Throws the first error of a step, if there was one. */
  rethrow(): void
  /**
   * One outcome per record, in order. If a failure leaves no record settled or untried, it concerns all records and is
   * thrown.
   */
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
    // A record whose steps were begun but not finished may have been sent.
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
