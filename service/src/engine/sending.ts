import type { SettledOutcome } from '../connectors/contract.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import type { PreparedRecord } from './prepare-records.ts'

/** A record on its way. */
export interface Sending extends NonNullable<PreparedRecord['sending']> {
  record: FamilyRecord
  parent: RecordRef | null
  parentId: { entity: string; destinationId: string } | null
  /** It may be there already, and is sent all the same. */
  isDoubtful: boolean
  /** What the destination was just seen to have of it, from an earlier attempt. */
  base: { destinationId: string; version: string | null; hash: string } | null
}

/** What came of a record that was to be sent; `unknown`: nobody can find out whether it arrived. */
export type SendOutcome =
  | (Exclude<SettledOutcome, { result: 'changed' | 'missing' }> & { storedHash?: string })
  | { key: string; result: 'unknown' }
  /** People changed it in the destination, so it stays as it is there. */
  | { key: string; result: 'edited'; destinationId: string; url: string | null }
  /** People deleted it in the destination, so it stays deleted. */
  | { key: string; result: 'deleted' }
