export type Family = 'helpdesk' | 'project' | 'blog' | 'crm'

export interface Tool {
  name: string
  slug: string
  label: string
  families: Family[]
}

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

export interface ImportEntry {
  id: string
  token: string
  status: string
  status_code: StatusCode
  family: Family
  items: Record<string, number>
  users: { source_tool: number; destination_tool: number; matched: number }
  created_at: string
}

export interface Import extends ImportEntry {
  source_tool: string
  destination_tool: string
  sponsorship: 'undecided' | 'accepted' | 'rejected'
  progress: { done: number; total: number | null }
  warnings?: { code: string; message: string; entity: string; count: number }[]
}
