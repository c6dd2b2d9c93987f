/** The rows of the tables. Lists and maps are stored as JSON text; `records.ts` converts rows to answers. */

interface Stamped {
  id: number
  created_at: string
  updated_at: string
}

export interface OrganizationRow extends Stamped {
  name: string
  domains: string
  phone: string | null
  address: string | null
  notes: string
}

export interface ContactRow extends Stamped {
  name: string
  emails: string
  phones: string
  organization_id: number | null
  language: string
  notes: string
}

export interface AgentRow extends Stamped {
  name: string
  email: string | null
  role: string
  group_ids: string
  signature: string
  deleted_at: string | null
}

export interface GroupRow extends Stamped {
  name: string
  description: string
}

export interface TicketRow extends Stamped {
  number: number
  subject: string
  description: string
  status: string
  priority: string
  type: string
  channel: string
  requester_id: number
  assignee_id: number | null
  group_id: number | null
  organization_id: number | null
  cc: string
  tags: string
  custom_fields: string
  due_at: string | null
}

export interface CommentRow extends Stamped {
  ticket_id: number
  author_type: 'agent' | 'contact'
  author_id: number
  public: number
  body: string
}

export interface AttachmentRow extends Stamped {
  comment_id: number
  ticket_id: number
  file_name: string
  content_type: string
  size: number
  sha256: string
  inline: number
  /** Null for a file whose bytes are computed when it is sent. */
  content: Uint8Array | null
}

export interface CategoryRow extends Stamped {
  name: string
  description: string
  position: number
}

export interface ArticleRow extends Stamped {
  category_id: number
  author_id: number
  title: string
  format: 'markdown' | 'html'
  body: string
  status: 'draft' | 'published'
  locale: string
  labels: string
  position: number
}

export interface TicketFieldRow extends Stamped {
  key: string
  label: string
  type: 'text' | 'number' | 'date' | 'checkbox' | 'select' | 'multi_select'
  required: number
  options: string
  position: number
}

export interface Rows {
  organizations: OrganizationRow
  contacts: ContactRow
  agents: AgentRow
  groups: GroupRow
  tickets: TicketRow
  comments: CommentRow
  attachments: AttachmentRow
  categories: CategoryRow
  articles: ArticleRow
  ticket_fields: TicketFieldRow
}

export type Entity = keyof Rows
