import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import type { Facts } from './facts.ts'
import type { LedgerRecord, PortalOptions } from './pair-service.ts'

/** The moment at which this number of records of an entity is written. */
export type Moment = readonly [entity: string, count: number]

/** A migration from one tool to another, with a separate key for the destination that a test can revoke and replace. */
export interface Pair {
  walk: PortalOptions
  /** An account, or the files of an export. */
  source: AccountAccess | { zip: Buffer }
  destination: AccountAccess
  /** The plan's expected description of the destination. */
  promises: Record<string, unknown>
  /** The moments at which the worker, the destination and the key fail. */
  moments: readonly [Moment, Moment, Moment]
  /** Allowed beginnings of ledger lines that are neither written nor matched, or report a loss. */
  explained: readonly string[]
  /** The destination's content, read from its own database or API without our connector. */
  read(): Promise<Facts>
  /** The rows of the destination's database, without columns in which the tool records who read what and when. */
  rows?(): Promise<Facts>
  /** Differences from the source in words, field by field. */
  compare(before: Facts, now: Facts, records: readonly LedgerRecord[]): Promise<string[]>
  /** Content visible to people who could not see it in the source, checked with a user in each role. */
  outsiders?(records: readonly LedgerRecord[]): Promise<string[]>
  /** Entities whose private records the customer wants copied although the destination cannot protect them. */
  allow?: readonly string[]
  mails?(): Promise<unknown>
  /** Ends the destination in the middle of its work, and starts it again at the same address. */
  restart(): Promise<void>
  /** Revokes the key, and returns a new one. */
  revoke(): Promise<AccountAccess>
  close?(): Promise<void>
}

/** A pair that can be opened if these tools are running. */
export interface ListedPair {
  name: string
  tools: readonly string[]
  /** The tools that were not started. */
  missing: readonly string[]
  open(): Promise<Pair>
}
