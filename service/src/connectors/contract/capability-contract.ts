/** Delivery class: how many copies of a record a crash at the worst moment can leave. See docs/architecture.md. */
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
  /** Parallel requests that the tool is known to accept, when a batch takes several. Default: one per batch. */
  requestsAtOnce?: number
  /** Time after a write during which the tool may still answer with the old state. */
  settleMs: number
  /** Time during which an abandoned request may still take effect. Default: one minute. */
  lateMs?: number
  /** It ignores a record whose revision is not higher than the one that it has, so nothing late can do harm. */
  keepsRevisions?: boolean
  /** It writes a record with a version only while it has that version, so nothing that people do meanwhile is overwritten. */
  conditionalWrites?: boolean
  /** Class B: how long the tool remembers a key. */
  idempotencyMs?: number
  /** Requests per second that the tool accepts, if it publishes a number. */
  requestsPerSecond?: number
}

/** Capabilities that can differ between entities. A missing one is taken from the account. */
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
   * A relation. Records with the same target are written one after the other, in their order, such as notes of one
   * issue. Without a lane, records are written in any order.
   */
  lane?: string
}

/** Form in which records of one entity travel inside their parent's request. */
export interface Carried {
  /** As many in one request. The others follow as records of their own. */
  most: number
  /** Created times and authors are kept there, though not when such a record is written by itself. */
  backdate?: true
}
