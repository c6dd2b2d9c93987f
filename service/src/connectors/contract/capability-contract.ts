/** How often a record can end up in the destination when we crash at the worst moment. See docs/architecture.md. */
export type DeliveryClass = 'A' | 'B' | 'C' | 'D'

export interface Capabilities {
  deliveryClass: DeliveryClass
  delete: boolean
  /** Creating records sends no mail to anyone. */
  silentCreate: boolean
  /** Created times and authors are kept. */
  backdate: boolean
  createField: boolean
  batchSize: number
  /** Batches at once: 1 where records must be written in their order. */
  concurrency: number
  /** Requests at once that the tool is known to bear, where a batch takes several. One for each batch unless said. */
  requestsAtOnce?: number
  /** How long after a write the tool may still answer with the old state. */
  settleMs: number
  /** How long what was sent may still take effect though nobody waits for its answer any more. A minute unless known better. */
  lateMs?: number
  /** It ignores a record whose revision is not higher than the one that it has, so nothing late can do harm. */
  keepsRevisions?: boolean
  /** It writes a record with a version only while it has that version, so nothing that people do meanwhile is overwritten. */
  conditionalWrites?: boolean
  /** Class B: how long the tool remembers a key. */
  idempotencyMs?: number
  /** Requests a second that the tool bears, if it says so. */
  requestsPerSecond?: number
}

/** What can differ between the entities of an account. What an entity does not say, holds as for the account. */
export interface EntityCapabilities
  extends Partial<
    Pick<
      Capabilities,
      | 'deliveryClass'
      | 'silentCreate'
      | 'backdate'
      | 'batchSize'
      | 'concurrency'
      | 'settleMs'
      | 'lateMs'
      | 'idempotencyMs'
    >
  > {
  /**
   * A relation: records that lead to the same one are written one after the other, in their order, such as notes of one
   * issue. Without a lane any order will do.
   */
  lane?: string
}

/** How records of one entity come inside the record that they belong to. */
export interface Carried {
  /** As many in one request. The others follow as records of their own. */
  most: number
  /** Created times and authors are kept there, though not when such a record is written by itself. */
  backdate?: true
}
