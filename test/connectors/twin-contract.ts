import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import type { OpenedReader } from './reader-contract.ts'
import type { OpenedWriter } from './writer-bench.ts'

/** A program that answers as a tool does, for the checks of its connector. `twin.ts` exports `startTwin`. */
export interface Twin {
  /** Credentials of the twin's account; any other token must be refused. */
  access: Partial<AccountAccess>
  /** Set if the connector is a source. Entities are those of which the twin has several pages. */
  source?: Omit<OpenedReader, 'reader'>
  /** Set if the connector is a destination. Left out until it writes something. */
  destination?: Omit<OpenedWriter, 'writer' | 'dead' | 'sides' | 'close'>
  /** Tests of the suite for writers that cannot hold for this tool, by their names, each with the reason. */
  skips?: Readonly<Record<string, string>>
  /** Fails when the connector has sent something that the tool does not know; asked after each test. */
  expectNoViolations?(): void
  close(): Promise<void>
}
