/** How many copies of a record a crash at the worst moment can leave. See docs/architecture.md. */
export type DeliveryClass = 'A' | 'B' | 'C' | 'D'

export interface Capabilities {
  deliveryClass: DeliveryClass
  delete: boolean
  /** Creating records sends no mail to anyone. */
  silentCreate: boolean
  /** The destination keeps our creation times and authors. */
  backdate: boolean
  createField: boolean
  batchSize: number
  /** Number of batches in parallel; 1 if records must be written in order. */
  concurrency: number
  /**
   * Number of parallel requests that the tool accepts, for batches that need several requests. Default: one per batch.
   */
  requestsAtOnce?: number
  /** Time after a write during which the tool may still answer with the old state. */
  settleMs: number
  /** Time during which an abandoned request may still take effect. Default: one minute. */
  lateMs?: number
  /**
   * The destination ignores a record whose revision is not higher than the stored one, so a late request does no harm.
   */
  keepsRevisions?: boolean
  /**
   * The destination writes a record sent with a version only while the stored version is the same. Edits by people are
   * never overwritten.
   */
  conditionalWrites?: boolean
  /** Class B: how long the tool remembers a key. */
  idempotencyMs?: number
  /** Requests per second that the tool accepts, if it publishes a number. */
  requestsPerSecond?: number
}

/** Capabilities that can differ between entities. A missing one has the account's value. */
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
   * Name of a relation. Records with the same target are written one after the other, such as the notes of one issue.
   * Without a lane, records are written in any order.
   */
  lane?: string
  /**
   * For lanes that are wider than one target: the text that ends their name in the target's id. With `-`, targets `12`,
   * `12-34` and `12-56` are one lane, such as a ticket and its comments, whose files could be taken for each other.
   */
  laneIdEnds?: string
}

/** How records of one entity are sent inside their parent's request. */
export interface Carried {
  /** Maximum number in one request. Further records are sent by themselves. */
  most: number
  /** For files: `uploadFile` sends their bytes before the parent's request, which then names the uploads. */
  isUploaded?: true
  /** Creation times and authors are kept for records inside a parent, but not for records sent by themselves. */
  backdate?: true
}
