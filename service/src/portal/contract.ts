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
