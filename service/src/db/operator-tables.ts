import type { ColumnType, Generated } from 'kysely'

/** Owners may do everything. Support sees no secrets and moves no money. Readers change nothing. */
export const operatorRoles = ['owner', 'support', 'reader'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** The tables of the console's accounts. */
export interface OperatorTables {
  operators: OperatorsTable
  operator_sessions: OperatorSessionsTable
  sign_in_failures: SignInFailuresTable
}

interface OperatorsTable {
  id: string
  name: string
  role: OperatorRole
  /** Null until the owner of the account has set a password. */
  password_hash: string | null
  sealed_totp: Buffer | null
  /** The time step of the newest code that was accepted; bigint columns arrive as texts. */
  totp_step: ColumnType<string | null, number | null | undefined, number | null>
  setup_hash: Buffer | null
  setup_expires_at: Date | null
  created_at: Generated<Date>
  disabled_at: Date | null
}

interface OperatorSessionsTable {
  id: string
  operator_id: string
  secret_hash: Buffer
  created_at: Generated<Date>
  last_seen_at: Generated<Date>
  expires_at: Date
  address: string
  agent: string
}

interface SignInFailuresTable {
  key: Buffer
  failures: number
  blocked_until: Date | null
  last_at: Generated<Date>
}
