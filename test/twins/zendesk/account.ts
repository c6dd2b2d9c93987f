import { refuse } from '../answers.ts'
import { type Clock, minuteMs, toSecond } from '../clock.ts'
import { createStore, type Kept } from '../store.ts'

export interface User extends Kept {
  name: string
  role: 'end-user' | 'agent' | 'admin'
  email: string | null
  phone: string | null
  external_id: string | null
  organization_id: number | null
  locale: string
  time_zone: string
  details: string
  notes: string
  tags: string[]
  user_fields: Record<string, unknown>
  suspended: boolean
  verified: boolean
  default_group_id: number | null
  alias: string
  signature: string | null
  created_at: string
  updated_at: string
  changedAt: number
}

export interface Identity extends Kept {
  user_id: number
  type: string
  value: string
  primary: boolean
  verified: boolean
  created_at: string
  updated_at: string
}

export interface Organization extends Kept {
  name: string
  external_id: string | null
  domain_names: string[]
  details: string | null
  notes: string | null
  group_id: number | null
  shared_tickets: boolean
  shared_comments: boolean
  tags: string[]
  organization_fields: Record<string, unknown>
  created_at: string
  updated_at: string
  changedAt: number
}

export interface Group extends Kept {
  name: string
  description: string
  is_public: boolean
  default: boolean
  created_at: string
  updated_at: string
}

export interface Membership extends Kept {
  user_id: number
  /** The id of the group or of the organization. */
  of_id: number
  default: boolean
  created_at: string
  updated_at: string
}

export interface Ticket extends Kept {
  subject: string | null
  status: string
  custom_status_id: number
  type: string | null
  priority: string | null
  requester_id: number
  submitter_id: number
  assignee_id: number | null
  organization_id: number | null
  group_id: number | null
  email_cc_ids: number[]
  follower_ids: number[]
  tags: string[]
  values: Record<string, unknown>
  due_at: string | null
  external_id: string | null
  problem_id: number | null
  recipient: string | null
  brand_id: number
  support_type: 'agent' | 'ai_agent'
  satisfaction?: { id: number; score: string; comment?: string | null }
  via: { channel: string; source: object }
  solved_at: string | null
  isArchived: boolean
  created_at: string
  updated_at: string
  /** When the tool itself last changed the ticket. Exports use this time. */
  generatedAt: number
}

export interface Comment extends Kept {
  /** Metadata of the change that created the comment. */
  custom?: Record<string, unknown>
  ticket_id: number
  author_id: number
  html: string
  plain: string
  public: boolean
  via: { channel: string; source: object }
  attachments: string[]
  created_at: string
}

export interface Attachment extends Kept {
  file_name: string
  content_type: string
  bytes: Buffer
  inline: boolean
  /** The token in its address. */
  secret: string
  article_id?: number | undefined
  created_at: string
}

export interface Upload extends Kept {
  attachments: string[]
  until: number
}

/** A file of the media library. It has a name once it was made from its bytes. */
export interface Media extends Kept {
  name: string | null
  content_type: string
  bytes: Buffer | null
}

export interface Field extends Kept {
  of: 'ticket' | 'user' | 'organization'
  type: string
  title: string
  key: string | null
  description: string
  active: boolean
  required: boolean
  /** False for built-in fields, such as the subject. */
  removable: boolean
  tag: string | null
  options: { id: number; name: string; value: string }[]
  created_at: string
  updated_at: string
}

export interface CustomStatus extends Kept {
  status_category: string
  agent_label: string
  end_user_label: string
  description: string
  active: boolean
  default: boolean
  created_at: string
  updated_at: string
}

export interface Brand extends Kept {
  name: string
  brand_url: string
  has_help_center: boolean
  default: boolean
}

export interface ZendeskOptions {
  /** True if agents can put tickets on hold, which accounts must enable. */
  hasOnHold?: boolean
  /** True if a ticket needs an assignee before it can be solved. */
  mustAssignSolved?: boolean
  /** False for plans below Enterprise: sections are inside categories only. */
  nestsSections?: boolean
  /** True if files of articles must come from the media library. */
  asksForMedia?: boolean
  /** True if phone numbers of people must comply with E.164. */
  validatesPhones?: boolean
}

/** The whole content of an account. Ids are beyond 32 bits, except those of tickets, which begin at 1. */
export function createAccount(
  clock: Clock,
  {
    hasOnHold = true,
    mustAssignSolved = false,
    nestsSections = true,
    asksForMedia = false,
    validatesPhones = false,
  }: ZendeskOptions = {},
) {
  let lastId = 360_000_000_000
  const account = {
    clock,
    hasOnHold,
    mustAssignSolved,
    nestsSections,
    asksForMedia,
    validatesPhones,
    /** True if people may belong to several organizations. */
    hasSeveralOrganizations: true,
    origin: '',
    users: createStore<User>(clock),
    identities: createStore<Identity>(clock),
    organizations: createStore<Organization>(clock),
    groups: createStore<Group>(clock),
    groupMemberships: createStore<Membership>(clock),
    organizationMemberships: createStore<Membership>(clock),
    /** The search index lags behind. */
    tickets: createStore<Ticket>(clock, { lagMs: minuteMs }),
    comments: createStore<Comment>(clock),
    /** Comments by ticket, because there are too many to search all. */
    commentsOf: new Map<number, Comment[]>(),
    attachments: createStore<Attachment>(clock),
    uploads: createStore<Upload>(clock),
    medias: createStore<Media>(clock),
    fields: createStore<Field>(clock),
    statuses: createStore<CustomStatus>(clock),
    /** One brand always exists: the default one. */
    brands: createStore<Brand>(clock),
    forms: createStore<Kept & { name: string }>(clock),
    /** Deletion times of records that exports still show. */
    deletedAt: new Map<string, number>(),
    /** Change times of each ticket, for the limit on changes. */
    updates: new Map<string, number[]>(),
    hasLimits: true,
    /** Mails sent, with the reason. */
    mails: [] as string[],
    /** Mails to agents, which internal notes cause, too. */
    staffMails: [] as string[],
    locales: ['en-US', 'de', 'fr'],
    /** The number of records of each custom object, and of posts in the community forum. */
    customRecords: {} as Record<string, number>,
    communityPosts: 0,
    nextId: () => String(++lastId),
    now: () => toSecond(clock.now()),
    address: (path: string) => `${account.origin}/api/v2/${path}`,
  }
  return account
}

export type Account = ReturnType<typeof createAccount>

export const idOf = ({ id }: Kept): number => Number(id)

/** A validation error of one field, in the form that all of Support uses. */
export function invalid(field: string, description: string, error: string | null = 'InvalidValue', more = {}): never {
  refuse(422, {
    error: 'RecordInvalid',
    description: 'Record validation errors',
    details: { [field]: [{ description, error, ...more }] },
  })
}

export const blank = (field: string, label: string): never => invalid(field, `${label}: cannot be blank`, 'BlankValue')

export const notFound = (): never => refuse(404, { error: 'RecordNotFound', description: 'Not found' })

export function found<T>(record: T | undefined): T {
  return record ?? notFound()
}

/** Tags are lower case and have no spaces: a space begins the next tag. */
export const asTags = (tags: readonly string[] | string | null | undefined): string[] =>
  [...new Set([tags ?? []].flat().flatMap((tag) => tag.toLowerCase().split(/[\s,]+/)))].filter(Boolean).sort()

/** A time in a body, in whole seconds; undefined if none was given. */
export function momentOf(text: unknown, field: string): string | undefined {
  if (text === undefined || text === null || text === '') return undefined
  const ms = Date.parse(String(text))
  return Number.isNaN(ms) ? invalid(field, `${field}: is invalid`) : toSecond(ms)
}
