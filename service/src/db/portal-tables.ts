import type { Generated, GeneratedAlways } from 'kysely'

/** The tables of the portal, and of access that was taken from an import. */
export interface PortalTables {
  portal_sessions: PortalSessionsTable
  withdrawn_access: WithdrawnAccessTable
}

interface WithdrawnAccessTable {
  /** Postgres answers large numbers as texts. */
  id: GeneratedAlways<string>
  import_id: string
  role: 'source' | 'destination'
  tool: string
  sealed_credentials: Buffer
  withdrawn_at: Generated<Date>
}

interface PortalSessionsTable {
  id: string
  import_id: string
  secret_hash: Buffer
  link_version: number
  browser: string | null
  /** Set for an operator who looks at the portal. */
  operator_session_id: Generated<string | null>
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  expires_at: Generated<Date>
}
