import { RetryableError } from '../../../errors.ts'
import type { FoundRecord, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

export const refusedOutcome = refused

/** One outcome for each record, in order, with the versions that were read back. */
export function writtenOutcomes(
  records: readonly { key: string }[],
  results: ReadonlyMap<string, number | TrytonRefusal>,
  found: readonly Pick<FoundRecord, 'destinationId' | 'url' | 'version'>[],
): WriteOutcome[] {
  const byId = new Map(found.map((record) => [record.destinationId, record]))
  return records.map(({ key }) => {
    const result = results.get(key)
    if (result instanceof TrytonRefusal) {
      return refusedOutcome(key, result.kind === 'too_large' ? 'too_large' : 'refused', result.message)
    }
    const destinationId = String(result)
    const there = byId.get(destinationId)
    // Someone was faster than us, or Tryton lies: neither passes for written.
    if (result === undefined || !there) throw new RetryableError('what was written to Tryton cannot be read back')
    return { key, result: 'written', destinationId, url: there.url, version: there.version }
  })
}
