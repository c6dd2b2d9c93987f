import type { PolicyReason } from '../db/payment-tables.ts'
import type { ItemCounts, Progress, UserCounts } from '../db/schema.ts'
import type { Family } from '../families/index.ts'
import type { ImportStatus, Sponsorship } from '../lifecycle.ts'
import { warningOrder } from '../warnings/order.ts'

export interface Warning {
  code: string
  message: string
  entity: string
  count: number
}

/** An import in the list. */
export interface ImportEntry {
  id: string
  link_version: number
  status: ImportStatus
  family: Family
  items: ItemCounts
  users: UserCounts
  created_at: Date
}

/** An import with its details. */
export interface ImportDetail extends ImportEntry {
  source_tool: string
  destination_tool: string
  sponsorship: Sponsorship
  sponsorship_by: 'partner' | 'policy' | null
  sponsorship_reason: PolicyReason | null
  /** A purchase by the customer is paid, and not refunded. */
  paid: boolean
  progress: Progress
  warnings: Warning[]
}

export const entryColumns = ['id', 'link_version', 'status', 'family', 'items', 'users', 'created_at'] as const

export function isImportId(text: string): boolean {
  return /^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
}

const maxWarnings = 100

/** The columns of an ImportDetail, from a row of `imports`. */
export const importDetailColumns = `
      id, link_version, status, family, items, users, created_at,
      source_tool, destination_tool, sponsorship, sponsorship_by, sponsorship_reason, (paid_at is not null) as paid, progress,
      (select coalesce(json_agg(json_build_object(
          'code', w.code, 'message', w.message, 'entity', w.entity, 'count', w.count)), '[]')
        from (select * from warnings where import_id = imports.id order by ${warningOrder} limit ${maxWarnings}) w
      ) as warnings`
