export type Family = 'helpdesk' | 'project' | 'blog' | 'crm'

export interface Tool {
  name: string
  slug: string
  label: string
  families: Family[]
}

/** The input for a new import. `null` counts as missing. */
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
  /** The address to send the customer to. */
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
  /** Present only if your policy or budget decided the `sponsorship`, and not your own request. */
  sponsorship_reason?: {
    policy: 'ask' | 'customer_pays' | 'sponsor_all' | 'sponsor_up_to'
    /** The number of records in the plan; null if nothing was counted. */
    records: number | null
    /** The maximum number of records that the policy sponsors; null for a policy without a limit. */
    limit: number | null
    /** Set if your policy would pay but your monthly budget is used up. */
    budget_spent?: true
  }
  /** Whether the customer has paid and got no refund. */
  paid: boolean
  progress: { done: number; total: number | null }
  /** Present only if there are warnings. */
  warnings?: Warning[]
}

/** An import with its newly issued link. */
export interface LinkedImport extends Import {
  /** The address to send the customer to. */
  redirect_url: string
}

/** A mapping that the portal offers to your customers. */
export interface NewMapping {
  /** The name that customers see. */
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

/** The JSON content of a webhook message. */
export interface WebhookMessage {
  /** The import's id. */
  id: string
  token: string
  status: Status
  status_code: StatusCode
  family: Family
  items: Record<string, number>
  users: Users
  /** Present only if there are warnings. */
  warnings?: Warning[]
  /** Grows by one with each change of the import. Ignore a message with a smaller number than you have seen. */
  sequence: number
  /** The time of this attempt, in milliseconds since 1970. */
  timestamp: number
  /** The customer asks you to pay for the full migration. The status has not changed. */
  request?: 'sponsorship'
  /** The operator sent this message to test your endpoint. The import does not exist. */
  test?: true
}
