import type { Description } from '../connectors/open/schema.ts'
import type { ProtocolClient } from './protocol-client.ts'
import type { Specimens } from './specimens.ts'

/** Everything that a check needs. */
export interface Bench {
  client: ProtocolClient
  description: Description
  specimens: Specimens
}

export interface Check {
  /** The sentence that the check proves. */
  name: string
  /** Throws MismatchError if the sentence is false, SkippedError if it cannot be checked. */
  run(bench: Bench): Promise<unknown>
}
