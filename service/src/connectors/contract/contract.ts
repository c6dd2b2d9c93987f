import type { Readable } from 'node:stream'
import type { FieldType } from '../../families/definition.ts'
import type { Family } from '../../families/index.ts'
import type { FamilyRecord, RecordRef, RichText, ToolUser } from '../../families/record.ts'
import type { LimitBucket } from '../../outbound/limits.ts'
import type { SkippedKind, SourceWarning, WriteLoss } from '../../warnings/codes.ts'
import type { FixedRecords } from '../kit/fixed-records.ts'
import type { Account, AccountInfo, Leftover, SideOutcome, SideRecord } from './account-contract.ts'
import type { Capabilities, Carried, EntityCapabilities } from './capability-contract.ts'
import type { AccountField, Credential, OAuthOffer, ToolWords } from './credential-contract.ts'
import type { Intake } from './upload-contract.ts'

export type { LimitBucket } from '../../outbound/limits.ts'
export type * from './account-contract.ts'
export type * from './capability-contract.ts'
export type * from './credential-contract.ts'

export interface Page<T> {
  items: T[]
  /** Position after this page, in a form that only the connector understands; null at the end. */
  next: string | null
}

/** A part of one record that cannot be copied unchanged. */
export interface RecordWarning {
  entity: string
  sourceId: string
  /** `truncated_by_source`: the source has more related items, such as comments, than it returns. */
  code: SourceWarning | 'truncated_by_source'
  message: string
  /**
   * Number of affected items; default 1. Kept with `truncated_by_source` (missing items) and `relations_left_out`
   * (links).
   */
  count?: number
  /**
   * The field that the warning concerns, if there is one: a field name of the mapping, `created_at` or `updated_at`.
   */
  field?: string
}

/** Number of records per kind that are left out on purpose. */
export type Skipped = Partial<Record<SkippedKind, number>>

export interface RecordPage extends Page<FamilyRecord> {
  warnings: RecordWarning[]
  /** Records on this page that are left out on purpose and that can be counted only by reading the page. */
  skipped?: Skipped
}

/** A field of the tool beyond those of the family. */
export interface CustomField {
  key: string
  label: string
  type: FieldType
  many: boolean
  options: string[]
  /** True if fewer people may see the field than the record, for example only certain roles. */
  isRestricted?: boolean
}

/** The requested records: these ids, or the children of these parents. */
export type Wanted = { ids: readonly string[] } | { parents: readonly RecordRef[] }

/** A link to a page of the tool. */
export interface Lead {
  /** The full address, used if the link is not rewritten. */
  url: string
  /** The records that the link may point to, best first: by id, or by the record's web address. */
  to: readonly (RecordRef | { sourceUrl: string })[]
  /** The fragment of the address, unless it points to a record of its own. It is appended to the new address. */
  anchor?: string
}

/** Reads one account. It keeps no state between calls: any process may continue from any cursor. */
export interface Reader {
  /** Number of records per entity, or only of the entity `only`. Null if the tool does not tell. */
  count(only?: string): Promise<Record<string, number | null>>
  /** Number of records that are left out on purpose, for kinds that the tool can count. Zeros are included. */
  countSkipped?(): Promise<Skipped>
  /**
   * Records that exist in the tool but that it never returns, such as archived ones, by entity. `count` does not
   * include them.
   */
  countWithheld?(): Promise<Record<string, number>>
  users(cursor: string | null): Promise<Page<ToolUser>>
  customFields(entity: string): Promise<CustomField[]>
  /**
   * Reads one page of an entity, in an order that stays the same while records are added. With `since`, reads only
   * changed records.
   */
  read(entity: string, cursor: string | null, options: { since?: string }): Promise<RecordPage>
  /**
   * Reads only some records of an entity, for samples and retries. Ids that no longer exist are left out. Without this
   * method, we read everything and filter.
   */
  readSome?(entity: string, wanted: Wanted, cursor: string | null): Promise<RecordPage>
  /** Returns those of the ids (at most 100) that the tool's lists still contain, without reading whole records. */
  findIds?(entity: string, ids: readonly string[]): Promise<readonly string[]>
  /**
   * Returns those of the ids whose record the tool itself reports as deleted or in the trash. Each id is requested
   * separately. A record deleted with its parent is included. A record that the account may not see, or an unclear
   * case, is not.
   */
  findGone?(entity: string, ids: readonly string[]): Promise<readonly string[]>
  /**
   * The position after the page at this cursor, without reading the page. It is used for a page that the tool always
   * fails to return. Null if only the page itself could tell. If cursors are ids, the position may lie within the page;
   * then several steps are needed.
   */
  after?(entity: string, cursor: string | null): string | null
  /**
   * Finds the record to which an address in a text leads. The address is resolved as a link on the tool's page `from`.
   * Null if it leads elsewhere. Pure; called for every link. A source without web addresses does not implement this.
   */
  follow?(address: string, from: string | null): Lead | null
  /** Opens the bytes of a file. `size` is null if the tool does not tell it in advance. */
  openFile(record: FamilyRecord): Promise<{ size: number | null; contentType: string | null; body: Readable }>
}

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
}

export interface DestinationEntity {
  fields: Record<string, DestinationField>
  customFields: CustomField[] | 'any'
  capabilities?: EntityCapabilities
  /** True if people may get a mail about each new record and no request can prevent it. */
  sendsMail?: boolean
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
  /** Entities that are sent inside a new record's request, such as the comments of a ticket. */
  carries?: Readonly<Record<string, Carried>>
}

/** A condition that should hold before anything is written. */
export interface PreflightCheck {
  code: string
  isFine: boolean
  /** True if a run must not start while the check fails. */
  isBlocking: boolean
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
 * id yet.
 */
export interface OutgoingPart extends OutgoingRecord {
  entity: string
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
  | { key: string; result: 'refused'; code: string; message: string }
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
   * Set if the record was sent inside its parent: its index among the parts of its entity, from 0. A tool that cannot
   * search for the key returns the record at this position under the parent.
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
  /** True if the tool's record has a form that we cannot read. Set by the engine, never by a connector. */
  isUnreadable?: true
}

export type RemoveOutcome =
  | { key: string; result: 'removed' | 'missing' }
  /** Someone has changed the record since the import, so it stays. */
  | { key: string; result: 'kept'; message: string }

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
   * Returns the existing records in their current form. A record found by id is not searched by key again. Several
   * records with the same key mean that the record was written twice. A failed request throws; it never counts as "not
   * found".
   */
  find(entity: string, records: SoughtRecord[]): Promise<FoundRecord[]>
  /** Removes records that we created. With a version, removes a record only if its version is unchanged. */
  remove(entity: string, records: RemovableRecord[]): Promise<RemoveOutcome[]>
  /**
   * Predicts what `find` will return for this content, including the changes that the tool is known to make. Pure; slow
   * for long texts.
   */
  asStored(entity: string, content: OutgoingContent): StoredContent | Promise<StoredContent>
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

/** The source side of a tool. */
export interface Source {
  /** Credentials that the customer types in, in this order. A plain name means a credential with our general texts. */
  requires: readonly (AccountField | Credential)[]
  /** Set if people can sign in at the tool instead. */
  oauth?: OAuthOffer
  checkAccount(account: Account): Promise<AccountInfo>
  /**
   * Entities that `findIds` accepts. For other entities we cannot find deletions cheaply, and we tell customers so. For
   * those, only children of a deleted record are known to be deleted.
   */
  tellsDeleted?: readonly string[]
  /** `family` selects the form of the records. Without it, a tool with several families uses its first one. */
  open(account: Account, family?: Family): Reader
  /** Warnings that this source's records can have. */
  warns?: readonly SourceWarning[]
  /** Kinds of records that this source counts and leaves out on purpose. */
  skips?: readonly SkippedKind[]
  /** Set for a tool whose data is uploaded. */
  intake?: Intake
}

/** The destination side of a tool. */
export interface Destination {
  /** Credentials that the customer types in, in this order. Without them we cannot sign in. */
  requires: readonly (AccountField | Credential)[]
  oauth?: OAuthOffer
  /**
   * Signs in once. Throws AccountRefusedError if the account refuses. Any other error means that the account could not
   * be reached.
   */
  checkAccount(account: Account): Promise<AccountInfo>
  open(account: Account, family?: Family): Writer
  /** Parts of an accepted record that the tool may drop. */
  loses?: readonly WriteLoss[]
}

/** Our code for one tool. A new tool needs a folder with this declaration and one line in registry.ts. */
export interface Connector {
  /** Machine name, also used in addresses. */
  tool: string
  label: string
  families: readonly Family[]
  source?: Source
  destination?: Destination
  /** Whether data can move between two instances of this tool. */
  movesBetweenInstances: boolean
  /** Texts that customers read when they connect the tool. */
  words?: ToolWords
  /**
   * Limits per account that the vendor states. All runs of an account share them. When a limit is used up, runs wait.
   */
  limits?: readonly LimitBucket[]
}
