import type { Generated } from 'kysely'

/** The tables of the portal. */
export interface PortalTables {
  portal_sessions: PortalSessionsTable
}

interface PortalSessionsTable {
  id: string
  import_id: string
  secret_hash: Buffer
  link_version: number
  browser: string | null
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  expires_at: Generated<Date>
}
