import type { DestinationDescription, Reader, Writer } from '../connectors/contract.ts'
import type { Db } from '../db/open-database.ts'
import type { Family } from '../families/index.ts'
import type { ClaimedRun } from './lease.ts'

/** Everything a stage of a run works with. */
export interface RunContext {
  db: Db
  run: ClaimedRun
  family: Family
  reader: Reader
  writer: Writer
  destination: DestinationDescription
  /** A named place where a test can end the process; does nothing otherwise. */
  crashPoint(name: CrashPoint): Promise<void>
}

export const crashPoints = [
  'page read',
  'intents committed',
  'first batch sent',
  'all batches sent',
  'outcomes committed',
  'removal sent',
  'removal committed',
  'stage done',
] as const

export type CrashPoint = (typeof crashPoints)[number]

/** Where a stage stands: its checkpoint, and what to call once it is past the last page. */
export interface StageProgress {
  cursor: string | null
  isDone: boolean
}
