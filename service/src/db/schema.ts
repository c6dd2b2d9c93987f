import type { ColumnType, Generated } from 'kysely'
import type { Family } from '../families/index.ts'
import type { Language } from '../languages.ts'
import type { ImportStatus, Sponsorship } from '../lifecycle.ts'
import type { OperatorTables } from './operator-tables.ts'
import type { PaymentTables, Policy, PolicyReason } from './payment-tables.ts'
import type { PortalTables } from './portal-tables.ts'
import type { RunTables } from './run-tables.ts'

export type * from './run-tables.ts'

/** The tables as Kysely sees them; `migrations/` creates them. */
export interface Database extends OperatorTables, PaymentTables, PortalTables, RunTables {
  partners: PartnersTable
  api_tokens: ApiTokensTable
  webhook_targets: WebhookTargetsTable
  webhook_secrets: WebhookSecretsTable
  imports: ImportsTable
  import_moves: { from_status: string; to_status: string }
  authorizations: AuthorizationsTable
  warnings: WarningsTable
  events: EventsTable
  deliveries: DeliveriesTable
  attempts: AttemptsTable
  idempotency_keys: IdempotencyKeysTable
  installation: InstallationTable
  audit_log: AuditLogTable
  audit_head: { only_row: Generated<boolean>; seq: string; hash: string }
  uploads: UploadsTable
  import_contacts: ImportContactsTable
  mails: MailsTable
  oauth_clients: OAuthClientsTable
  set_aside_connectors: { tool: string; code: string; reason: string; since: Generated<Date> }
  oauth_sign_ins: OAuthSignInsTable
  upload_files: UploadFilesTable
  upload_chunks: { upload_id: string; file: number; position: number; sealed_bytes: Buffer }
}

type Json<T> = ColumnType<T, string, string>
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>

export type ItemCounts = Record<string, number>
export interface UserCounts {
  source_tool: number
  destination_tool: number
  matched: number
}
export interface Progress {
  done: number
  total: number | null
}

interface PartnersTable {
  id: string
  name: string
  destination_tool: string
  families: Family[]
  created_at: Generated<Date>
  disabled_at: Date | null
  accent: string | null
  logo: Buffer | null
  logo_type: 'image/png' | 'image/svg+xml' | null
  policy: Generated<Policy>
  policy_limit: number | null
  policy_beyond: 'ask' | 'customer_pays' | null
  full_page_url: string | null
  sample_records: Generated<number>
  undo_days: Generated<number>
  ledger_days: Generated<number>
  /** In the smallest unit of its currency, for a calendar month in UTC; null: no limit. */
  budget: ColumnType<string | null, number | null | undefined, number | null>
  budget_currency: string | null
}

interface ApiTokensTable {
  id: string
  partner_id: string
  token_hash: Buffer
  label: string | null
  created_at: Generated<Date>
  last_used_at: Date | null
  revoked_at: Date | null
  /** Null: it does not end. */
  expires_at: Date | null
  /** Null: every right. */
  scopes: string[] | null
}

interface WebhookTargetsTable {
  partner_id: string
  url: string
  created_at: Generated<Date>
  failures: Generated<number>
  failing_since: Date | null
  paused_until: Date | null
  disabled_at: Date | null
}

interface WebhookSecretsTable {
  id: string
  partner_id: string
  sealed_secret: Buffer
  created_at: Generated<Date>
  expires_at: Date | null
}

interface ImportsTable {
  id: string
  partner_id: string
  source_tool: string
  destination_tool: string
  family: Family
  destination_instance_url: string | null
  destination_username: string | null
  start_full: boolean
  sponsorship: Sponsorship
  sponsorship_requested_at: Date | null
  sponsorship_by: 'partner' | 'policy' | null
  sponsorship_reason: ColumnType<PolicyReason | null, string | null | undefined, string | null>
  status: ImportStatus
  sequence: number
  sponsored_records: number | null
  moved_records: Generated<number>
  paid_at: Date | null
  full_started_at: Date | null
  source_account: string | null
  destination_account: string | null
  items: ColumnType<ItemCounts, string | undefined, string>
  users: ColumnType<UserCounts, string | undefined, string>
  progress: ColumnType<Progress, string | undefined, string>
  link_version: Generated<number>
  link_revoked_at: Date | null
  created_at: Generated<Date>
  ended_at: Date | null
  ended_as: 'cancelled' | 'archived' | null
  undo_until: Date | null
  credentials_due_at: Date | null
  texts_due_at: Date | null
  erased_at: Date | null
  trace_parent: string | null
}

interface AuthorizationsTable {
  import_id: string
  role: 'source' | 'destination'
  sealed_credentials: Buffer
  checked_at: Date | null
  created_at: Generated<Date>
  account_name: string | null
}

interface WarningsTable {
  import_id: string
  code: string
  entity: string
  message: string
  count: number
}

interface EventsTable {
  id: string
  partner_id: string
  import_id: string
  sequence: number
  status: ImportStatus
  items: Json<ItemCounts>
  users: Json<UserCounts>
  warnings: Generated<EventWarning[]>
  request: 'sponsorship' | null
  occurred_at: Generated<Date>
  trace_parent: string | null
}

export interface EventWarning {
  code: string
  message: string
  entity: string
  count: number
}

export type DeliveryState = 'waiting' | 'delivered' | 'given_up'

interface DeliveriesTable {
  id: string
  event_id: string | null
  partner_id: string
  state: DeliveryState
  due_at: Generated<Date>
  is_claimed: Generated<boolean>
  attempts: Generated<number>
  failures: Generated<number>
  first_tried_at: Date | null
  waiting_since: Generated<Date>
  created_at: Generated<Date>
  settled_at: Date | null
  given_up_because: string | null
}

interface AttemptsTable {
  delivery_id: string
  number: number
  url: string
  started_at: Date
  ended_at: Date | null
  status: number | null
  error: string | null
  response: string | null
}

interface IdempotencyKeysTable {
  partner_id: string
  key: string
  body_hash: Buffer
  import_id: string
  created_at: Generated<Date>
}

interface InstallationTable {
  only_row: Generated<boolean>
  sealed_secret: Buffer
  created_at: Generated<Date>
}

interface AuditLogTable {
  id: Generated<string>
  at: Generated<Date>
  actor: string
  act: string
  subject: string
  details: Json<Record<string, unknown>>
  /** Null until the line is sealed. */
  seq: ColumnType<string | null, never, string>
  previous_hash: ColumnType<string | null, never, string>
  hash: ColumnType<string | null, never, string>
}

interface ImportContactsTable {
  import_id: string
  address: string
  language: Language
}

interface MailsTable {
  id: string
  import_id: string
  address: string
  language: Language
  template: string
  values: JsonWithDefault<Record<string, unknown>>
  state: Generated<'waiting' | 'sent' | 'given_up'>
  due_at: Generated<Date>
  attempts: Generated<number>
  trouble: string | null
  created_at: Generated<Date>
  settled_at: Date | null
}

interface OAuthClientsTable {
  tool: string
  instance: string
  client_id: string
  sealed_secret: Buffer | null
  updated_at: Generated<Date>
}

interface OAuthSignInsTable {
  state_hash: Buffer
  import_id: string
  role: 'source' | 'destination'
  sealed_details: Buffer | null
  expires_at: Date
}

export type UploadState = 'receiving' | 'reading' | 'ready' | 'refused' | 'erased'

interface UploadFilesTable {
  upload_id: string
  number: number
  sealed_name: Buffer
  size: ColumnType<string, number, never>
  received: ColumnType<string, number | undefined, number>
}

interface UploadsTable {
  id: string
  import_id: string
  state: UploadState
  /** Postgres answers large numbers as texts. */
  size: ColumnType<string, number, number>
  received: ColumnType<string, number | undefined, number>
  sealed_key: Buffer | null
  sealed_findings: Buffer | null
  files: Generated<number[]>
  next_file: Generated<number>
  epoch: Generated<number>
  attempts: Generated<number>
  trouble: string | null
  has_leftovers: Generated<boolean>
  connected_at: Date | null
  touched_at: Generated<Date>
  created_at: Generated<Date>
}
