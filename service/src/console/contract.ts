/** Answers of the console's routes as JSON, with times as texts. Only types, shared with the page in the browser. */

export type ConsoleRole = 'owner' | 'support' | 'reader'

export interface ConsoleSession {
  id: string
  name: string
  role: ConsoleRole
  session_id: string
}

export interface ConsoleObstacle {
  code: string
  message: string
  must_act?: 'customer' | 'operator'
}

export interface ConsoleAdvice {
  code: string
  meaning: string
  who_acts: string
  next_step: string
}

export interface ConsoleRun {
  id: string
  import_id: string
  kind: string
  state: 'working' | 'paused' | 'finished' | 'stopped'
  obstacle: string | null
  failures: number
  created_at: string
  finished_at: string | null
}

export interface ConsoleOverview {
  imports: { by_status: { status: string; count: number }[]; is_more: boolean }
  runs: {
    id: string
    import_id: string
    partner: string
    source_tool: string
    destination_tool: string
    kind: string
    state: ConsoleRun['state']
    obstacle: ConsoleObstacle | null
    failures: number
    done: number | null
    total: number | null
    records_per_minute: number | null
    minutes_left: number | null
    created_at: string
  }[]
  failing_targets: {
    partner_id: string
    name: string
    url: string
    failures: number
    failing_since: string | null
    disabled_at: string | null
  }[]
  queue: { waiting: number; oldest: string | null }
  workers: number
  failed_sign_ins: number
  expiring_tokens: { id: string; label: string | null; partner_id: string; partner: string; expires_at: string }[]
}

export interface ConsoleFoundImport {
  id: string
  partner_id: string
  partner: string
  user: string | null
  status: string
  source_tool: string
  destination_tool: string
  family: string
  created_at: string
  ended_as: string | null
  obstacle: string | null
}

export interface ConsoleWarning {
  code: string
  entity: string
  count: number
  message: string
}

export interface ConsoleImport {
  id: string
  partner_id: string
  status: string
  source_tool: string
  destination_tool: string
  family: string
  sponsorship: string
  created_at: string
  ended_as: string | null
  erased_at: string | null
  link_version: number
  items: Record<string, number>
  progress: { done: number; total: number | null }
  run: { id: string; kind: string; state: ConsoleRun['state']; failures: number; next_try_at: string | null } | null
  obstacle: ConsoleObstacle | null
  warnings: ConsoleWarning[]
  events: { sequence: number; status: string; occurred_at: string }[]
  runs: ConsoleRun[]
  activity: { at: string; actor: string; act: string; status: string | null; name: string | null }[]
}

export interface ConsoleRecord {
  entity: string
  source_id: string
  state: string
  code: string | null
  message: string | null
  destination_id: string | null
}

export interface ConsolePartner {
  id: string
  name: string
  destination_tool: string
  families: string[]
  created_at: string
  disabled_at: string | null
}

export interface ConsolePartnerDetail extends ConsolePartner {
  webhook_url: string | null
  tokens: {
    id: string
    label: string | null
    /** Null means all rights. */
    scopes: string[] | null
    created_at: string
    last_used_at: string | null
    expires_at: string | null
    state: 'valid' | 'expired' | 'revoked'
  }[]
  /** The scopes that a new token can have, with their descriptions. */
  scopes: Record<string, string>
  policy: {
    policy: string
    policy_limit: number | null
    policy_beyond: string | null
    sample_records: number
    full_page_url: string | null
  }
  retention: { undo_days: number; ledger_days: number }
  brand: { accent: string | null; logo_type: string | null }
  mappings: { id: string; name: string; source_tool: string; family: string }[]
}

export interface ConsoleBudget {
  /** The month in UTC, such as 2026-11. */
  month: string
  currency: string
  /** Null means no limit. */
  budget: string | null
  spent: string
  left: string | null
  charges: { import_id: string; amount: string; records: number; created_at: string }[]
}

export interface ConsoleDelivery {
  id: string
  partner_id: string
  import_id: string | null
  import_status: string | null
  state: 'waiting' | 'delivered' | 'given_up'
  attempts: number
  last_try_at: string | null
  answer: number | null
  error: string | null
}

export interface ConsoleOperator {
  id: string
  name: string
  role: ConsoleRole
  state: 'active' | 'waiting for set-up' | 'disabled'
  sessions: number
  created_at: string
}

export interface ConsoleOpenSession {
  id: string
  operator_id: string
  name: string
  created_at: string
  last_seen_at: string
  expires_at: string
  address: string
  agent: string
}

export interface ConsoleAuditLine {
  id: string
  at: string
  actor: string
  act: string
  subject: string
  details: Record<string, unknown>
  operator: string | null
}

export interface ConsoleSetupCode {
  id: string
  name: string
  role: ConsoleRole
  setup_code: string
  valid_until: string
}

export interface ConsoleTool {
  tool: string
  label: string
  families: string[]
  is_source: boolean
  is_destination: boolean
  is_from_outside: boolean
  takes_oauth_client: boolean
  is_per_instance: boolean
  /** `limit` is null if only the tool's answers report it. */
  limits: { name: string; limit: number | null; per_ms: number }[]
  health: {
    runs: number
    failing: number
    last_success: string | null
    waits_until: string | null
    obstacles: { code: string; count: number }[]
  }
}

export interface ConsoleTools {
  tools: ConsoleTool[]
  /** External connectors that could not be loaded. */
  left_out: { place: string; reason: string }[]
  /** External connectors that kept a process busy. Nothing calls them until they are admitted. */
  set_aside: { tool: string; since: string; reason: string }[]
  oauth_clients: { tool: string; instance: string; client_id: string; has_secret: boolean; updated_at: string }[]
  redirect_uri: string
}

export interface ConsolePayments {
  payments: {
    id: string
    import_id: string
    provider: string
    state: string
    amount: string
    currency: string
    attention: string | null
    created_at: string
  }[]
  invoices: { number: string; state: string; amount: string; currency: string; import_id: string; due_at: string }[]
}

export interface ConsolePrices {
  /** Null for the prices that are built in. */
  version: number | null
  set_at: string | null
  document: unknown
  issuer: { issuer: unknown; last_number: number }
}
