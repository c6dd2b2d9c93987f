import type { Readable } from 'node:stream'
import type { FieldType } from '../../families/definition.ts'
import type { FamilyRecord, RecordRef, ToolUser } from '../../families/record.ts'
import type { SkippedKind, SourceWarning } from '../../warnings/codes.ts'

export interface Page<T> {
  items: T[]
  /** Position after this page, in a form that only the connector understands; null at the end. */
  next: string | null
}

/** A part of one record that cannot be copied unchanged. */
export interface RecordWarning {
  entity: string
  sourceId: string
  /**
   * `truncated_by_source`: the source has more related items, such as comments, than it returns. `unnamed_in_source`: a
   * record that the source sends without an id.
   */
  code: SourceWarning | 'truncated_by_source' | 'unnamed_in_source'
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
   * include them. Null if the tool does not open a whole list, for example because of its plan: nobody knows the number.
   */
  countWithheld?(): Promise<Record<string, number | null>>
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
