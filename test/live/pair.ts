import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import type { Facts } from './facts.ts'
import type { LedgerRecord, PortalOptions } from './pair-service.ts'

/** So many records of an entity are there. */
export type Moment = readonly [entity: string, count: number]

/** One way from a tool to another, with a key of its own for the destination that can be taken away and given back. */
export interface Pair {
  walk: PortalOptions
  /** An account, or the files of an export. */
  source: AccountAccess | { zip: Buffer }
  destination: AccountAccess
  /** The plan's expected description of the destination. */
  promises: Record<string, unknown>
  /** When it is the worker, the destination, the key that breaks. */
  moments: readonly [Moment, Moment, Moment]
  /** Allowed beginnings of ledger lines that are neither written nor matched, or report a loss. */
  explained: readonly string[]
  /** The destination's content, read from its own database or API without our connector. */
  read(): Promise<Facts>
  /** Row by row, as far as the tool does not note there who looked at it and when. */
  rows?(): Promise<Facts>
  /** Differences from the source in words, field by field. */
  compare(before: Facts, now: Facts, records: readonly LedgerRecord[]): Promise<string[]>
  /** Content visible to people who could not see it in the source, tried with a role of each kind. */
  outsiders?(records: readonly LedgerRecord[]): Promise<string[]>
  /** Entities of which the customer wants private records copied though the destination cannot protect them. */
  allow?: readonly string[]
  mails?(): Promise<unknown>
  /** Ends the destination in the middle of its work, and starts it again at the same address. */
  restart(): Promise<void>
  /** Makes the key useless; answers a new one. */
  revoke(): Promise<AccountAccess>
  close?(): Promise<void>
}

/** A pair that can be opened when these tools are there. */
export interface ListedPair {
  name: string
  tools: readonly string[]
  /** The tools that were not started. */
  missing: readonly string[]
  open(): Promise<Pair>
}
