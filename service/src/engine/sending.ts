import type { SettledOutcome } from '../connectors/contract/contract.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import type { LeftOut } from './leave-out-parts.ts'
import type { PreparedSending } from './prepare-records.ts'

/** A record that is being sent. */
export interface Sending extends PreparedSending {
  record: FamilyRecord
  parent: RecordRef | null
  parentId: { entity: string; destinationId: string } | null
  /** Whether the destination may already have the record from an earlier request. It is sent anyway. */
  isDoubtful: boolean
  /** The record of an earlier attempt, as the destination has it now. */
  base: { destinationId: string; version: string | null; hash: string } | null
  /** Its parts, sent in the same request. */
  parts?: readonly Sending[]
  /** Set once the destination has refused it with all of its parts. */
  leftOut?: LeftOut
  /** Of a part: its position among the parts of its entity. */
  position?: number
  /** Whether `parts` are all parts that the source shows. None of them waits for links. */
  isWhole?: boolean
  /** Parts of an earlier attempt that are not sent again with it. */
  dropped?: readonly RecordRef[]
  /** It was sent at this position inside its parent, and its outcome is unknown. */
  soughtAt?: number
}

export const hasParts = ({ parts = [] }: Sending): boolean => parts.length > 0

/** All records, each followed by its parts. */
export const withParts = (sendings: readonly Sending[]): Sending[] =>
  sendings.some(hasParts) ? sendings.flatMap((sending) => [sending, ...(sending.parts ?? [])]) : [...sendings]

/** The outcome of a record. `unknown`: nobody can find out whether it arrived. */
export type SendOutcome =
  | (Exclude<SettledOutcome, { result: 'changed' | 'missing' }> & {
      storedHash?: string
      /** Of a part: its hash, now that its parent has an id. */
      hash?: string
    })
  | { key: string; result: 'unknown' }
  /** People changed the record in the destination, so their version stays. */
  | { key: string; result: 'edited'; destinationId: string; url: string | null }
  /** People deleted it in the destination, so it stays deleted. */
  | { key: string; result: 'deleted' }
