import { type AuditLine, firstPreviousHash, hashLine } from './audit-chain.ts'
import { OperatorError } from './errors.ts'

export interface VerifiedChain {
  lines: number
  first: number | null
  last: number | null
  /** The hash of the last line. A copy kept elsewhere proves later that no earlier line was changed. */
  head: string
}

/** The end of the chain as it is kept beside the log; an exported file has none. */
export interface KnownEnd {
  seq: number
  hash: string
}

/**
 * Recomputes the chain, one line at a time, and refuses at the first line that is wrong. `head` is a hash that was noted
 * earlier: its line must still be there.
 */
export async function verifyChain(
  lines: AsyncIterable<AuditLine>,
  { head, end, startsAtFirst = false }: { head?: string; end?: KnownEnd; startsAtFirst?: boolean } = {},
): Promise<VerifiedChain> {
  let before: AuditLine | null = null
  let first: number | null = null
  let count = 0
  let hasHead = head === undefined || head === firstPreviousHash
  for await (const line of lines) {
    const expected = before ? before.seq + 1 : startsAtFirst ? 1 : line.seq
    requireNext(line, expected, before)
    const previous = before?.hash ?? (line.seq === 1 ? firstPreviousHash : line.previous_hash)
    if (line.previous_hash !== previous || hashLine(line) !== line.hash) {
      throw new OperatorError(
        `Line ${line.seq} of the audit log was changed: it no longer matches its hash. Every line before it is as it was written.`,
      )
    }
    hasHead ||= line.hash === head
    first ??= line.seq
    before = line
    count += 1
  }
  if (end && (before?.seq ?? 0) !== end.seq) {
    throw new OperatorError(
      `Line ${(before?.seq ?? 0) + 1} of the audit log is missing: the log ends before its last line, number ${end.seq}.`,
    )
  }
  if (end && before && before.hash !== end.hash) {
    throw new OperatorError(`Line ${before.seq} of the audit log was changed: it is not the line that was sealed last.`)
  }
  if (!hasHead) {
    throw new OperatorError(
      `No line of the audit log has the hash ${head}: lines were removed from its end, or it was written anew.`,
    )
  }
  return { lines: count, first, last: before?.seq ?? null, head: before?.hash ?? firstPreviousHash }
}

function requireNext({ seq }: AuditLine, expected: number, before: AuditLine | null): void {
  if (seq === expected) return
  if (seq > expected)
    throw new OperatorError(`Line ${expected} of the audit log is missing: line ${seq} stands in its place.`)
  throw new OperatorError(
    `Line ${seq} of the audit log does not belong after line ${before?.seq ?? 0}: it was inserted, or swapped with another.`,
  )
}
