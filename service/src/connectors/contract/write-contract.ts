import type { Readable } from 'node:stream'
import type { FieldType } from '../../families/definition.ts'
import type { RichText, ToolUser } from '../../families/record.ts'
import type { WriteLoss } from '../../warnings/codes.ts'
import type { FixedRecords } from '../kit/fixed-records.ts'
import type { AccountInfo, Leftover, SideOutcome, SideRecord } from './account-contract.ts'
import type { Capabilities, Carried, EntityCapabilities } from './capability-contract.ts'
import type { CustomField, Page } from './read-contract.ts'

export interface DestinationField {
  type: FieldType
  many: boolean
  required: boolean
  maxLength: number | null
  /** Empty unless the type is option. */
  options: string[]
  /**
   * True if the destination takes e-mail addresses and phone numbers as objects with their kind, not as plain texts.
   */
  isDetailed?: boolean
  /** For money: the only currencies that the field can hold. Money in another currency is left out with a warning. */
  currencies?: string[]
  /**
   * True for a value that cannot be changed after writing. In a text, links to records written later are not rewritten.
   */
  isFixed?: boolean
  /** Only records with this value in another field have the field. In the others it is left out with a warning. */
  onlyWith?: { field: string; value: string }
}

export interface DestinationEntity {
  fields: Record<string, DestinationField>
  customFields: CustomField[] | 'any'
  capabilities?: EntityCapabilities
  /** True if people may get a mail about each new record and no request can prevent it. */
  sendsMail?: boolean
  /**
   * True if the compared form of a text lacks its links and pictures. Such a record is sent again once they are known,
   * and when it has changed in the source since the last run, although it compares equal.
   */
  hidesLinks?: boolean
  /** How an undo removes a record: with its own request (default), together with its parent, or not at all. */
  removal?: 'itself' | 'with parent' | 'never'
  /** True if only `find` returns the record's web address. Until then, the record has its parent's address. */
  isPlacedByFind?: boolean
  /**
   * True if nobody can change such a record in the tool. An undo that removes it together with its parent does not
   * check it.
   */
  isUnchangeable?: boolean
  /**
   * Records with equal values in these fields become one record: tags with the same name, people with the same address,
   * milestones with the same name and project. A record without a value in the first field is never merged. With an
   * empty list, all records become one. Entities that are the same thing in the tool share a `kind`. Upper and lower
   * case differ only with `isExact`. With `fixed`, nobody can add records in the tool: every record becomes one of the
   * fixed ones.
   */
  unites?: { kind: string; by: readonly string[]; isExact?: boolean; fixed?: FixedRecords }
  /** Relations that a record needs when it is created. Their targets are written first, if they are copied at all. */
  fixedRelations?: readonly string[]
  /**
   * True if the tool limits new records of this entity and of its parent's apart. They are then written at the same time,
   * each record after its parent.
   */
  besideParents?: boolean
  /** Entities that are sent inside a new record's request, such as the comments of a ticket. */
  carries?: Readonly<Record<string, Carried>>
}

/** A condition that should hold before anything is written. */
export interface PreflightCheck {
  code: string
  isFine: boolean
  /** True if a run must not start while the check fails. */
  isBlocking: boolean
  /** True if it matters to later runs. The portal repeats it where the customer starts one. */
  isAboutLaterRuns?: boolean
  message: string
  /** What the customer can do about it. */
  fix?: string
}

/** The account's fields, entities and capabilities as a destination. */
export interface DestinationDescription {
  account: AccountInfo
  capabilities: Capabilities
  textFormat: RichText['format']
  maxFileBytes: number | null
  entities: Record<string, DestinationEntity>
}

/** A reference to another record of the destination. */
export interface SentRelation {
  entity: string
  key: string
  destinationId: string
}

/** The fields of a record as they are sent. */
export interface OutgoingContent {
  /**
   * Values in the destination's form: relations as SentRelations, users as ids, rich text as a string in its format,
   * options as its own.
   */
  fields: Record<string, unknown>
  customFields: Record<string, { label: string; type: FieldType; value: unknown }>
  createdAt: string | null
  updatedAt: string | null
}

/** Content in the destination's own form. A moment that the destination does not keep is null. */
export interface StoredContent {
  fields: Record<string, unknown>
  customFields: Record<string, unknown>
  createdAt: string | null
  updatedAt: string | null
}

export interface OutgoingRecord extends OutgoingContent {
  /** Our name for the record: the same in every attempt, and different for every record of every import. */
  key: string
  /** Grows each time this record is sent. A destination that keeps revisions ignores a revision that is not higher. */
  revision: number
  /** Set if the destination already has the record. The record must then become equal to this one. */
  destinationId: string | null
  /** If set, the record is written only while the stored version is the same. Used only with conditional writes. */
  version?: string | null
  /** The author in the source, for a destination that can only name the author in a text. */
  createdBy: { name: string; email: string | null; userId: string | null } | null
  /** The records sent inside this one, in their order. Only for a new record of an entity that carries others. */
  parts?: readonly OutgoingPart[]
}

/**
 * A record sent inside its parent. Its relation to the parent has an empty `destinationId`, because the parent has no
 * id yet. The parent of a file may be another part.
 */
export interface OutgoingPart extends OutgoingRecord {
  entity: string
  /** Set for a file. */
  upload?: Upload
}

/** A file whose bytes the tool has, and that no record shows yet. */
export interface Upload {
  /** The tool's name for it. */
  token: string
  /** The address that the file will have, for pictures in texts. */
  url: string | null
}

/** The outcome of one record. */
export type SettledOutcome =
  | {
      key: string
      result: 'written'
      destinationId: string
      url: string | null
      version: string | null
      /** Codes of the parts that the tool did not accept, such as `assignee_refused`. */
      losses?: readonly WriteLoss[]
    }
  /**
   * The destination had the same thing before the import, such as a tag with that name. It is used and never removed.
   */
  | { key: string; result: 'matched'; destinationId: string; url: string | null }
  | {
      key: string
      result: 'refused'
      code: string
      message: string
      /**
       * Only for a record that was sent with parts: the keys of the parts that the tool complained about. Empty if the
       * complaint is about the record itself. Left out if the tool does not tell; then the engine tries other parts.
       */
      refusedParts?: readonly string[]
    }
  /**
   * Only for a record sent with a version: the stored version differs (`changed`), or the record does not exist
   * (`missing`). Nothing was written.
   */
  | { key: string; result: 'changed' }
  | { key: string; result: 'missing' }

/** The reason why a record of a call has no outcome. The outcomes of the other records stay valid. */
export type WriteFailure =
  /** `isSent`: the tool may have processed the record. Otherwise it certainly did not, and no search is needed. */
  | { key: string; result: 'failed'; error: unknown; isSent: boolean }
  /** Not tried, because another record of the call failed. */
  | { key: string; result: 'untried' }

export type WriteOutcome = SettledOutcome | WriteFailure

/** A record to look for in the destination. */
export interface SoughtRecord {
  key: string
  /** The record's id, if known. */
  destinationId: string | null
  parent: { entity: string; destinationId: string } | null
  /**
   * Set if the record was sent inside another: its index among the parts of its entity with the same parent, from 0. A
   * tool that cannot search for the key returns the record at this position under the parent.
   */
  position?: number
}

/** A record's current content, in the form of `asStored`. */
export interface FoundRecord extends StoredContent {
  key: string
  destinationId: string
  url: string | null
  /** Changes whenever the record changes; null if the tool has no versions. */
  version: string | null
  /** For a file: the number of stored bytes, if the tool tells it. */
  fileSize?: number
  /** Losses that the tool's record itself shows. They are told if the answer to the sending was lost. */
  losses?: readonly WriteLoss[]
  /**
   * True if an earlier call of ours changed only a part of it. It is written again, and its difference is no edit by
   * people.
   */
  isUnfinished?: true
  /** Left out by a tool that removes nothing else with the record, or whose version shows what others added. */
  inside?: Inside
  /**
   * True if the tool has the record and no longer shows it, such as an old message of a long thread. It counts as there;
   * nothing of it is compared.
   */
  isHidden?: true
  /** True if the tool's record has a form that we cannot read. Set by the engine, never by a connector. */
  isUnreadable?: true
}

/**
 * What the tool deletes together with a record, such as the messages of a ticket. The ledger knows which of them the
 * import wrote. An undo keeps a record that has others.
 */
export interface Inside {
  /** The messages, the oldest first. Each has its own id and then those of its files, as their outcomes have them. */
  ids: readonly (readonly string[])[]
  /** The number of messages that are the record itself and no records of their own, such as a description. */
  own: number
  /**
   * A digest of each message, of its author, its time and its content. Equal digests are copies of one message. Leave
   * it out if the tool does not keep the times of messages that are added to a record.
   */
  looks?: readonly string[]
}

/** Says how many of the messages inside each of these records others wrote, in the same order. */
export type CountOthers = (
  records: readonly { key: string; destinationId: string; inside: Inside }[],
) => Promise<number[]>

export type RemoveOutcome =
  | { key: string; result: 'removed' | 'missing' }
  /**
   * The record stays: someone has changed it since the import, or other records need it (`isInUse`). A record in use
   * is tried again after the other records of its entity.
   */
  | { key: string; result: 'kept'; message: string; isInUse?: true }

export interface OutgoingFile extends OutgoingRecord {
  size: number | null
  contentType: string | null
  body: Readable
}

/** Writes to one account. A call has at most `batchSize` records and returns one outcome per record. */
export interface Writer {
  describe(): Promise<DestinationDescription>
  users(cursor: string | null): Promise<Page<ToolUser>>
  /**
   * Writes records. A thrown error concerns all of them. If some have an outcome, the connector returns the others as
   * failures. Each carried part has its own outcome in the same list, unless its parent was refused, failed or untried.
   */
  write(entity: string, records: OutgoingRecord[]): Promise<WriteOutcome[]>
  writeFile(entity: string, file: OutgoingFile): Promise<WriteOutcome>
  /**
   * Uploads a file that will be sent inside a new record, for `isUploaded`. The tool must forget an upload that is never
   * used. Null if the tool refuses the file: it is then written by itself.
   */
  uploadFile?(entity: string, file: OutgoingFile): Promise<Upload | null>
  /**
   * Returns the existing records in their current form. A record found by id is not searched by key again. Several
   * records with the same key mean that the record was written twice. A failed request throws; it never counts as "not
   * found".
   */
  find(entity: string, records: SoughtRecord[]): Promise<FoundRecord[]>
  /**
   * Removes records that we created. With a version, removes a record only if its version is unchanged and
   * `countOthers` counts nothing inside it.
   */
  remove(entity: string, records: RemovableRecord[], countOthers?: CountOthers): Promise<RemoveOutcome[]>
  /**
   * Predicts what `find` will return for this content, including the changes that the tool is known to make. Pure; slow
   * for long texts.
   */
  asStored(entity: string, content: OutgoingContent): StoredContent | Promise<StoredContent>
  /**
   * Losses of a record whose answer was lost and that was found as `asStored` says: the same as `write` would have told.
   * Losses that make the found record differ are not asked for, because such a record is written again.
   */
  lossesOf?(
    entity: string,
    record: OutgoingRecord,
    found: FoundRecord,
  ): readonly WriteLoss[] | Promise<readonly WriteLoss[]>
  /** Checks conditions before the first record is written. */
  preflight?(): Promise<PreflightCheck[]>
  /**
   * Puts back temporary changes that earlier calls noted, perhaps in a process that has died. Returns the items that
   * are finished; the others are tried again later.
   */
  restore?(items: readonly Leftover[]): Promise<Leftover[]>
  /**
   * Removes side records at the end of an undo. A record that people changed stays, unless `isForced`. A record that
   * something else uses always stays. Returns one outcome per record, in the same order.
   */
  removeSides?(records: readonly SideRecord[], options: { isForced: boolean }): Promise<SideOutcome[]>
}

export interface RemovableRecord extends SoughtRecord {
  destinationId: string
  version: string | null
  /**
   * The highest revision that was sent of the record. After the removal, requests with this revision or a lower one
   * have no effect.
   */
  revision?: number
}
