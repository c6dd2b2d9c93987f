/** Answers of the portal's JSON routes about uploaded files. Types only: the web part reads this file too. */

/** Body of `POST /portal/imports/:id/uploads`. */
export interface PortalUploadRequest {
  file_name: string
  size: number
}

/** A file of an upload. */
export interface PortalUploadFile {
  number: number
  file_name: string
  size: number
  /** Bytes received so far; the next part starts here. */
  received: number
}

export interface PortalUpload {
  id: string
  /** Of all files together, for people. */
  file_name: string
  /** Of all files together. */
  size: number
  received: number
  files: PortalUploadFile[]
  /** The most that one part may hold; every part but the last is a multiple of `part_unit`. */
  part_bytes: number
  part_unit: number
  state: 'receiving' | 'reading' | 'ready' | 'refused'
  /** Whether it is the source of the import. */
  is_connected: boolean
  tables: PortalTable[]
  problems: PortalUploadProblem[]
  /** Entities that rows can become, and their columns. */
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
  /** For formatted text: how it is written. Found for the whole column; the customer may say otherwise. */
  text?: 'plain' | 'html' | 'markdown'
  /** For days that can be read in more than one way. */
  days?: {
    /** In which order day, month and year are written; null until the customer has said so. */
    order: PortalDayOrder | null
    example: string
    /** `day` is the example read this way, null when it cannot be; `unreadable` counts values of the column. */
    readings: { order: PortalDayOrder; day: string | null; unreadable: number }[]
  }
}

export type PortalDayOrder = 'dmy' | 'mdy' | 'ymd'

export interface PortalUploadProblem {
  file: string
  code: string
  /** In English. */
  message: string
  fix: string
  /** Values that cannot be read: how many there are, how many are not corrected yet, and the first of them. */
  values?: { count: number; open: number; first: PortalUnreadableValue[] }
}

export interface PortalUnreadableValue {
  line: number
  value: string
  entity: string
  source_id: string
  field: string
  header: string
  /** The customer's value instead. */
  correction: string | null
}

export interface PortalEntity {
  name: string
  fields: { name: string; type: string; many: boolean; required: boolean; to: string[] }[]
}

/** Body of `PUT /portal/imports/:id/uploads/:upload/tables`. Missing parts stay as they were detected. */
export interface PortalTablesRequest {
  tables: {
    file: string
    /** Null leaves the file out. */
    entity?: string | null
    columns?: (Partial<Pick<PortalColumn, 'as' | 'field' | 'by' | 'to' | 'text'>> & {
      column: number
      days?: PortalDayOrder
    })[]
  }[]
}
