import type { Reader, Writer } from '../connectors/contract/contract.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { CursorWatch } from '../db/run-tables.ts'
import type { StageKind } from '../db/schema.ts'
import type { Family } from '../families/index.ts'
import type { Mapping } from '../mapping/find-target.ts'
import type { ClaimedRun } from './lease.ts'

/** An import with both accounts open: enough to map records, and to compare them with the destination. */
export interface OpenedImport {
  db: Db
  family: Family
  importId: string
  /** The fields that the destination takes, and the changes of the customer. */
  mapping: Mapping
  /** The label of the source tool. */
  sourceLabel: string
  destinationTool: string
  /** The first page of the source; null when it has no address. */
  sourceSite: string | null
  reader: Reader
  /** Entities for which the source can be asked whether records still exist. */
  tellsDeleted: ReadonlySet<string>
  /** Entities that the source lists only below their parents. */
  nested: ReadonlySet<string>
  /** Milliseconds that the source's clock is behind ours, by its answers so far. */
  sourceLagMs(): number
  writer: Writer
  /** Gives up this run's share of the accounts' pace. */
  close(): Promise<void>
}

/** Everything that a stage of a run works with. */
export interface RunContext extends OpenedImport {
  run: ClaimedRun
  /** Prepares the certificate of this run. The function that it returns signs and stores it in the last transaction. */
  certify(): Promise<(tx: Tx) => Promise<void>>
  /** Reverts leftovers in the destination once no worker has the run. */
  restoreIdle(): Promise<void>
  /** A named place where a test can end the process; does nothing otherwise. */
  crashPoint(name: CrashPoint): Promise<void>
}

export const crashPoints = [
  'page read',
  'files uploaded',
  'intents committed',
  'first batch sent',
  'all batches sent',
  'outcomes committed',
  'removal sent',
  'removal committed',
  'source compared',
  'stage done',
] as const

export type CrashPoint = (typeof crashPoints)[number]

/** A stage of a run, at its checkpoint. */
export interface Stage {
  position: number
  stage: StageKind
  entity: string
  cursor: string | null
  passes: number
  /** Pages of the source that were left out. */
  skipped: number
  cursor_watch: CursorWatch | null
}
