import type { ItemCounts, Progress, UserCounts } from '../db/schema.ts'
import type { Family } from '../families/index.ts'
import type { ImportStatus, Sponsorship } from './lifecycle.ts'

export interface Warning {
  code: string
  message: string
  entity: string
  count: number
}

/** An import as the list shows it. */
export interface ImportEntry {
  id: string
  link_version: number
  status: ImportStatus
  family: Family
  items: ItemCounts
  users: UserCounts
  created_at: Date
}

/** An import as its own address shows it. */
export interface ImportDetail extends ImportEntry {
  source_tool: string
  destination_tool: string
  sponsorship: Sponsorship
  progress: Progress
  warnings: Warning[]
}

export const entryColumns = ['id', 'link_version', 'status', 'family', 'items', 'users', 'created_at'] as const

export function isImportId(text: string): boolean {
  return /^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
}
