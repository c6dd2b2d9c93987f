import type { Description } from '../connectors/open/schema.ts'
import type { ProtocolClient } from './protocol-client.ts'
import type { Specimens } from './specimens.ts'

/** The tools of every check. */
export interface Bench {
  client: ProtocolClient
  description: Description
  specimens: Specimens
}

export interface Check {
  /** A sentence about what is right. */
  name: string
  /** Throws MismatchError when it is not so, SkippedError when it cannot be told. */
  run(bench: Bench): Promise<unknown>
}
