import type { AccountAccess } from '../../service/src/connectors/contract/contract.ts'
import type { OpenedReader } from './reader-contract.ts'
import type { OpenedWriter } from './writer-bench.ts'

/** A program that answers like a tool, for the checks of its connector. `twin.ts` exports `startTwin`. */
export interface Twin {
  /** Credentials of the twin's account; any other token must be refused. */
  access: Partial<AccountAccess>
  /** Set if the connector is a source. `entities` lists the entities that it reads; one of them needs several pages. */
  source?: Omit<OpenedReader, 'reader'>
  /** Set if the connector is a destination. Missing until the connector writes something. */
  destination?: Omit<OpenedWriter, 'writer' | 'dead' | 'sides' | 'close'>
  /** Tests of the writer suite that cannot hold for this tool: their names, each with the reason. */
  skips?: Readonly<Record<string, string>>
  /** Fails if the connector sent a request that the tool does not have. It runs after each test. */
  expectNoViolations?(): void
  close(): Promise<void>
}
