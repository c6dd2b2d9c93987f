export type Family = 'helpdesk' | 'project' | 'blog' | 'crm'

export interface Tool {
  name: string
  slug: string
  label: string
  families: Family[]
}

/** `null` counts as missing. */
export interface NewImport {
  source_tool: string
  destination_instance_url?: string | null
  destination_username?: string | null
  destination_token?: string | null
  start_full?: boolean | null
  family?: Family | null
}

export interface CreatedImport {
  id: string
  token: string
  /** Send the customer here. */
  redirect_url: string
}

export type StatusCode =
  | 'collecting_credentials'
  | 'waiting_to_start_sample_migration'
  | 'sample_migration_in_progress'
  | 'sample_migration_completed'
  | 'in_preparation'
  | 'migration_in_progress'
  | 'migration_completed'
  | 'undo_in_progress'
  | 'migration_cleaned'

export type Status =
  | 'Collecting credentials'
  | 'Waiting to start sample migration'
  | 'Sample migration in progress'
  | 'Sample migration completed'
  | 'In preparation'
  | 'Migration in progress'
  | 'Migration completed'
  | 'Undo in progress'
  | 'Migration cleaned'

export interface Users {
  source_tool: number
  destination_tool: number
  matched: number
}

export interface Warning {
  code: string
  message: string
  entity: string
  count: number
}

export interface ImportEntry {
  id: string
  token: string
  status: Status
  status_code: StatusCode
  family: Family
  items: Record<string, number>
  users: Users
  created_at: string
}

export interface Import extends ImportEntry {
  source_tool: string
  destination_tool: string
  sponsorship: 'undecided' | 'accepted' | 'rejected'
  /** Present only if your policy or budget decided `sponsorship`, not your own request. */
  sponsorship_reason?: {
    policy: 'ask' | 'customer_pays' | 'sponsor_all' | 'sponsor_up_to'
    /** The plan's number of counted records; null if nothing was counted. */
    records: number | null
    /** The most records that the policy sponsors; null for a policy without a limit. */
    limit: number | null
    /** Your policy would pay, but your budget for the month has no room. */
    budget_spent?: true
  }
  /** A purchase by the customer is paid, and not refunded. */
  paid: boolean
  progress: { done: number; total: number | null }
  /** Present only if there are any. */
  warnings?: Warning[]
}

/** An import with the link that was just issued. */
export interface LinkedImport extends Import {
  /** Send the customer here. */
  redirect_url: string
}

/** A mapping that the portal offers to your customers. */
export interface NewMapping {
  /** The text for customers. */
  name: string
  source_tool: string
  family?: Family | null
  changes: Record<string, unknown>
}

export interface Mapping {
  id: string
  name: string
  source_tool: string
  family: Family
  saved_at: string
  changes: Record<string, unknown>
}

/** The content of a webhook. */
export interface WebhookMessage {
  /** The import's id. */
  id: string
  token: string
  status: Status
  status_code: StatusCode
  family: Family
  items: Record<string, number>
  users: Users
  /** Present only if there are any. */
  warnings?: Warning[]
  /** Grows by one with each change of the import. Ignore a message with a smaller number than you have seen. */
  sequence: number
  /** Milliseconds since 1970 at the moment of this attempt. */
  timestamp: number
  /** The customer asks you to pay for the full migration; the status has not changed. */
  request?: 'sponsorship'
  /** Sent by the operator to try your endpoint: there is no such import. */
  test?: true
}
