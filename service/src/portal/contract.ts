import type { Family } from '../families/index.ts'
import type { ImportStatus, Sponsorship } from '../imports/lifecycle.ts'

/** What the portal's JSON routes say. Types only: the web part reads this file too. */

export type { Family, ImportStatus, Sponsorship }

/** Whether we can sign in to an account: not at all, with what we were given, or proved by a sign-in. */
export type AccountAccess = 'missing' | 'given' | 'checked'

export interface PortalAccount {
  tool: string
  /** What people call the tool. */
  label: string
  access: AccountAccess
}

export interface PortalDestination extends PortalAccount {
  /** User name, or else the host of the instance; null when we know neither. */
  account: string | null
}

export interface PortalWarning {
  code: string
  /** In English. */
  message: string
  entity: string
  count: number
}

export interface PortalImport {
  id: string
  status: string
  status_code: ImportStatus
  partner: { name: string }
  source: PortalAccount
  destination: PortalDestination
  family: Family
  /** True when the partner asked for the full migration without a sample before it. */
  start_full: boolean
  sponsorship: Sponsorship
  items: Record<string, number>
  users: { source_tool: number; destination_tool: number; matched: number }
  progress: { done: number; total: number | null }
  warnings: PortalWarning[]
  created_at: string
}

/** Body of `POST /portal/session`. */
export interface PortalSessionRequest {
  id: string
  token: string
}

/** Body of every answer that is no success. */
export interface PortalError {
  error: string
  message: string
  /** Only for someone who holds the right link of an import that is over. */
  ended?: { as: 'cancelled' | 'archived'; partner: { name: string } }
}

/** Body of `POST /portal/imports/:id/uploads`. */
export interface PortalUploadRequest {
  file_name: string
  size: number
}

export interface PortalUpload {
  id: string
  file_name: string
  size: number
  /** How many bytes are there; the next part starts here. */
  received: number
  /** The most that one part may hold; every part but the last is a multiple of `part_unit`. */
  part_bytes: number
  part_unit: number
  state: 'receiving' | 'reading' | 'ready' | 'refused'
  /** Whether it is the source of the import. */
  is_connected: boolean
  tables: PortalTable[]
  problems: PortalUploadProblem[]
  /** What rows can be, and columns of them. */
  entities: PortalEntity[]
}

export interface PortalTable {
  file: string
  entity: string | null
  rows: number
  encoding: string
  delimiter: string
  has_header: boolean
  /** The column by which rows are known; null when each row is its own name. */
  key: { column: number; by: 'id' | 'email' | 'name' } | null
  columns: PortalColumn[]
}

export interface PortalColumn {
  header: string
  as: 'id' | 'created_at' | 'updated_at' | 'currency' | 'field' | 'custom' | 'ignored'
  /** For a field: which, and how it names another record or person. */
  field?: string
  by?: 'id' | 'email' | 'name'
  to?: string
  /** For a custom field: its name and what its values are. */
  label?: string
  type?: string
  options?: string[]
}

export interface PortalUploadProblem {
  file: string
  code: string
  /** In English. */
  message: string
  fix: string
}

export interface PortalEntity {
  name: string
  fields: { name: string; type: string; many: boolean; required: boolean; to: string[] }[]
}

/** Body of `PUT /portal/imports/:id/uploads/:upload/tables`. What is left out stays as it was found. */
export interface PortalTablesRequest {
  tables: {
    file: string
    /** Null leaves the file out. */
    entity?: string | null
    columns?: (Pick<PortalColumn, 'as' | 'field' | 'by' | 'to'> & { column: number })[]
  }[]
}
