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
  /** The tool's own opaque position after this page; null at the end. */
  next: string | null
}

/** A part of one record that cannot be copied unchanged. */
export interface RecordWarning {
  entity: string
  sourceId: string
  /** `truncated_by_source`: the source has more of what belongs to the record, such as comments, and hands out a part. */
  code: SourceWarning | 'truncated_by_source'
  message: string
  /** Of how many things it is about; one unless said. Kept with `truncated_by_source` (missing parts) and `relations_left_out` (links). */
  count?: number
  /** The field that it is about, as in a mapping, or `created_at` or `updated_at`, where it is about one. */
  field?: string
}

/** Count of the records of one kind that are left out on purpose. */
export type Skipped = Partial<Record<SkippedKind, number>>

export interface RecordPage extends Page<FamilyRecord> {
  warnings: RecordWarning[]
  /** Records on this page that nobody copies, where only reading the page reveals them. */
  skipped?: Skipped
}

/** A field of the tool beyond those of the family. */
export interface CustomField {
  key: string
  label: string
  type: FieldType
  many: boolean
  options: string[]
  /** Fewer people see it than the record that it belongs to, such as those with certain roles. */
  isRestricted?: boolean
}

/** The wanted records: these ids, or the children of these ids. */
export type Wanted = { ids: readonly string[] } | { parents: readonly RecordRef[] }

/** An address that leads into the tool. */
export interface Lead {
  /** The whole address, for a link that stays as it is. */
  url: string
  /** The records that it can mean, the best first: by their id, or by the address at which people see them. */
  to: readonly (RecordRef | { sourceUrl: string })[]
  /** The place within the page, unless it is a record of its own: it is kept behind the new address. */
  anchor?: string
}

/** Reads one account. Holds no state between calls: any process may go on from any cursor. */
export interface Reader {
  /** Record count per entity, or of this entity. Null where the tool does not tell. */
  count(only?: string): Promise<Record<string, number | null>>
  /** Records that are left out on purpose, as far as the tool counts them. Zeros are included. */
  countSkipped?(): Promise<Skipped>
  /** Records that the tool has and never hands out, such as archived ones, by entity. `count` does not count them. */
  countWithheld?(): Promise<Record<string, number>>
  users(cursor: string | null): Promise<Page<ToolUser>>
  customFields(entity: string): Promise<CustomField[]>
  /** One page of an entity, in an order that stays the same while records are added. With `since`, only what changed. */
  read(entity: string, cursor: string | null, options: { since?: string }): Promise<RecordPage>
  /**
   * Only some records of an entity, for samples and retries; ids that do not exist any more are left out. A tool that
   * cannot do it leaves this out, and everything is read and sifted instead.
   */
  readSome?(entity: string, wanted: Wanted, cursor: string | null): Promise<RecordPage>
  /** Of these ids, those that lists of the tool still show; at most 100, and without reading whole records. */
  findIds?(entity: string, ids: readonly string[]): Promise<readonly string[]>
  /**
   * Of these ids, those whose record the tool itself says is deleted or in its trash, each asked for by itself. One that
   * went with its parent is gone, too. One that the account may not see is not among them, nor one in doubt.
   */
  findGone?(entity: string, ids: readonly string[]): Promise<readonly string[]>
  /**
   * The position after the page at this cursor, without reading it, for a page that the tool always fails to hand out;
   * null when only that page could tell. Where a cursor is an id, it may be within the page: then it takes several steps.
   */
  after?(entity: string, cursor: string | null): string | null
  /**
   * Resolves an address in a text, as a link on the tool's page `from`, to a record. Null when it points elsewhere.
   * Pure, and called for every link. A source without addresses of its own leaves this out.
   */
  follow?(address: string, from: string | null): Lead | null
  /** The bytes of a file; `size` is null when the tool does not tell beforehand. */
  openFile(record: FamilyRecord): Promise<{ size: number | null; contentType: string | null; body: Readable }>
}

export interface DestinationField {
  type: FieldType
  many: boolean
  required: boolean
  maxLength: number | null
  /** Empty unless the type is option. */
  options: string[]
  /** E-mail addresses and phone numbers come as objects with their kind, not as plain texts. */
  isDetailed?: boolean
  /** For money: the only currencies that the field can hold. Money in any other is left out, with a warning. */
  currencies?: string[]
  /** A text that never changes once it is written: links to what comes later stay as they were. */
  isFixed?: boolean
}

export interface DestinationEntity {
  fields: Record<string, DestinationField>
  customFields: CustomField[] | 'any'
  capabilities?: EntityCapabilities
  /** People may get a mail about each new one, and nothing in a request prevents it. */
  sendsMail?: boolean
  /** Removal by an undo: by its own request (the default), together with its parent, or not at all. */
  removal?: 'itself' | 'with parent' | 'never'
  /** Set when only `find` knows the address of a record. Until then the record has its parent's address. */
  isPlacedByFind?: boolean
  /** Nobody can change such a record in the tool. An undo that removes it along with its parent does not look at it. */
  isUnchangeable?: boolean
  /**
   * Records with the same values of these fields become one: tags of one name, people of one address, milestones of one
   * name and project. The first field names the record: one that lacks it stands for itself. Without fields all become
   * one. `kind` is shared by entities that are the same thing in the tool. Capitals count only where `isExact` says so.
   * With `fixed`, nobody can add any in the tool: every record becomes one of those.
   */
  unites?: { kind: string; by: readonly string[]; isExact?: boolean; fixed?: FixedRecords }
  /** Relations that a new record needs at once. Their targets are written before it, if they are copied at all. */
  fixedRelations?: readonly string[]
  /** Entities that a new record takes inside its own request, such as the comments of a ticket. */
  carries?: Readonly<Record<string, Carried>>
}

/** Something that should hold before anything is written. */
export interface PreflightCheck {
  code: string
  isFine: boolean
  /** Whether a run may start in spite of it. */
  isBlocking: boolean
  message: string
  /** The customer's way out. */
  fix?: string
}

/** An account's fields, entities and capabilities as a destination. */
export interface DestinationDescription {
  account: AccountInfo
  capabilities: Capabilities
  textFormat: RichText['format']
  maxFileBytes: number | null
  entities: Record<string, DestinationEntity>
}

/** A record of the destination that another one refers to. */
export interface SentRelation {
  entity: string
  key: string
  destinationId: string
}

/** The fields of a record as they are sent. */
export interface OutgoingContent {
  /** Relations are SentRelations, users ids of the destination, rich text a string in its format, options its own. */
  fields: Record<string, unknown>
  customFields: Record<string, { label: string; type: FieldType; value: unknown }>
  createdAt: string | null
  updatedAt: string | null
}

/** Content in the destination's own form. A moment that it does not keep is null. */
export interface StoredContent {
  fields: Record<string, unknown>
  customFields: Record<string, unknown>
  createdAt: string | null
  updatedAt: string | null
}

export interface OutgoingRecord extends OutgoingContent {
  /** Our name for it: the same in every attempt, and different for every record of every import. */
  key: string
  /** Grows each time that this record is sent. A destination that keeps revisions ignores one that is not higher. */
  revision: number
  /** Set when the destination already has the record and it must become equal to this one. */
  destinationId: string | null
  /** The record is written only while the destination has it with this version. Only where writes can be conditional. */
  version?: string | null
  /** The author in the source, for a destination that can only name the author in a text. */
  createdBy: { name: string; email: string | null; userId: string | null } | null
  /** Only with a new record of an entity that carries others: what belongs to it, in its order. */
  parts?: readonly OutgoingPart[]
}

/** A record inside the one that it belongs to. That relation has an empty `destinationId`: nobody knows it yet. */
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
      /** Codes of what the tool would not take of it, such as `assignee_refused`. */
      losses?: readonly WriteLoss[]
    }
  /** The destination had this very thing before we came, such as a tag of that name. It is used, and never removed. */
  | { key: string; result: 'matched'; destinationId: string; url: string | null }
  | { key: string; result: 'refused'; code: string; message: string }
  /** Only for a record sent with a version: the destination has another one, or no such record. Nothing was written. */
  | { key: string; result: 'changed' }
  | { key: string; result: 'missing' }

/** The error that kept one record of a call from its outcome. Outcomes of the other records stay valid. */
export type WriteFailure =
  /** `isSent`: the tool may have acted on it. Otherwise it surely did not, and nobody looks for the record. */
  | { key: string; result: 'failed'; error: unknown; isSent: boolean }
  /** Not even tried, because another one of the call failed. */
  | { key: string; result: 'untried' }

export type WriteOutcome = SettledOutcome | WriteFailure

/** A record that may be there. */
export interface SoughtRecord {
  key: string
  /** When we know it. */
  destinationId: string | null
  parent: { entity: string; destinationId: string } | null
  /**
   * It was sent inside its parent, as this part of its entity, counted from 0. A tool that cannot be searched for the key
   * takes what stands in this place under the parent.
   */
  position?: number
}

/** As it is now, in the form of `asStored`. */
export interface FoundRecord extends StoredContent {
  key: string
  destinationId: string
  url: string | null
  /** Changes whenever the record does; null when the tool has no such thing. */
  version: string | null
  /** For a file: how many bytes the tool has of it, where it tells. */
  fileSize?: number
  /** The tool has it in a form that we cannot read. Set by the engine, never by a connector. */
  isUnreadable?: true
}

export type RemoveOutcome =
  | { key: string; result: 'removed' | 'missing' }
  /** Someone has changed it since; it stays. */
  | { key: string; result: 'kept'; message: string }

export interface OutgoingFile extends OutgoingRecord {
  size: number | null
  contentType: string | null
  body: Readable
}

/** Writes one account. At most `batchSize` records a call; one outcome for each. */
export interface Writer {
  describe(): Promise<DestinationDescription>
  users(cursor: string | null): Promise<Page<ToolUser>>
  /**
   * A thrown error concerns all records. When some have an outcome, the connector returns the others as failures. Each
   * part has an outcome of its own in the same list, unless its parent was refused, failed or was not tried.
   */
  write(entity: string, records: OutgoingRecord[]): Promise<WriteOutcome[]>
  writeFile(entity: string, file: OutgoingFile): Promise<WriteOutcome>
  /**
   * Returns the existing records in their present form. A record found by id is not searched by key again. Several
   * records with one key mean that it was written twice. A failed request throws: it never counts as "not found".
   */
  find(entity: string, records: SoughtRecord[]): Promise<FoundRecord[]>
  /** Removes what we created. With a version, only if it is still that one. */
  remove(entity: string, records: RemovableRecord[]): Promise<RemoveOutcome[]>
  /**
   * Predicts `find`'s answer for a record sent in this form, with the changes that the tool is known to make. Pure;
   * slow for long texts.
   */
  asStored(entity: string, content: OutgoingContent): StoredContent | Promise<StoredContent>
  /** Conditions to check before the first record is written. */
  preflight?(): Promise<PreflightCheck[]>
  /**
   * Puts back what calls before this one have noted and left, perhaps in a process that has died. Answers those for
   * which nothing is left to do; the others are tried again later.
   */
  restore?(items: readonly Leftover[]): Promise<Leftover[]>
  /**
   * Removes records that were made on the side, at the end of an undo. One that people changed stays, unless `isForced`;
   * one that something else uses stays in any case. One outcome for each, in the same order.
   */
  removeSides?(records: readonly SideRecord[], options: { isForced: boolean }): Promise<SideOutcome[]>
}

export interface RemovableRecord extends SoughtRecord {
  destinationId: string
  version: string | null
  /** The highest revision that was sent of it: nothing up to that takes effect after the removal. */
  revision?: number
}

/** The source side of a tool. */
export interface Source {
  /**
   * Credentials that the customer types in, in this order. A plain name stands for a credential with our general words.
   */
  requires: readonly (AccountField | Credential)[]
  /** Set when people can sign in at the tool instead. */
  oauth?: OAuthOffer
  checkAccount(account: Account): Promise<AccountInfo>
  /**
   * Entities that the reader's `findIds` accepts. For the others, deletions cannot be found cheaply, and customers are
   * told so. Only children of a deleted record are known to be gone.
   */
  tellsDeleted?: readonly string[]
  /** `family` says which shapes the records have; a tool of several takes its first when nobody says. */
  open(account: Account, family?: Family): Reader
  /** Warnings that its records can get. */
  warns?: readonly SourceWarning[]
  /** Kinds of records that it counts and leaves out on purpose. */
  skips?: readonly SkippedKind[]
  /** For a tool whose data is uploaded. */
  intake?: Intake
}

/** The destination side of a tool. */
export interface Destination {
  /** The same; without these signing in cannot even be tried. */
  requires: readonly (AccountField | Credential)[]
  oauth?: OAuthOffer
  /** Signs in once. Throws AccountRefusedError when the account says no; any other error means that it could not be asked. */
  checkAccount(account: Account): Promise<AccountInfo>
  open(account: Account, family?: Family): Writer
  /** Parts of an accepted record that the tool may drop. */
  loses?: readonly WriteLoss[]
}

/** Our code for one tool. Adding a tool is a folder with this declaration, and one line of registry.ts. */
export interface Connector {
  /** Machine name, also the slug. */
  tool: string
  label: string
  families: readonly Family[]
  source?: Source
  destination?: Destination
  /** Whether data can move between two instances of this same tool. */
  movesBetweenInstances: boolean
  /** Texts that customers read when they connect the tool. */
  words?: ToolWords
  /** Limits of an account that the vendor states. All runs of it share them; a spent one is waited for. */
  limits?: readonly LimitBucket[]
}
