import { refuse } from '../answers.ts'
import { type Clock, minuteMs, toSecond } from '../clock.ts'
import { createStore, type Kept } from '../store.ts'

interface Timed extends Kept {
  created_at: string
  updated_at: string
}

export interface Agent extends Timed {
  name: string
  email: string
  isAdmin: boolean
  occasional: boolean
  signature: string | null
  type: string
  ticket_scope: number
  language: string
  time_zone: string
}

export interface Group extends Timed {
  name: string
  description: string | null
  agent_ids: number[]
  escalate_to: number | null
  unassigned_for: string
  auto_ticket_assign: number
}

export interface OtherCompany {
  company_id: number
  view_all_tickets: boolean
}

export interface Contact extends Timed {
  name: string
  email: string | null
  phone: string | null
  mobile: string | null
  twitter_id: string | null
  unique_external_id: string | null
  other_emails: string[]
  company_id: number | null
  view_all_tickets: boolean
  other_companies: OtherCompany[]
  address: string | null
  description: string | null
  job_title: string | null
  language: string
  time_zone: string
  tags: string[]
  custom_fields: Record<string, unknown>
  active: boolean
  isDeleted: boolean
  isBlocked: boolean
}

export interface Company extends Timed {
  name: string
  description: string | null
  note: string | null
  domains: string[]
  health_score: string | null
  account_tier: string | null
  renewal_date: string | null
  industry: string | null
  custom_fields: Record<string, unknown>
}

export interface Ticket extends Timed {
  subject: string
  description: string
  status: number
  priority: number
  source: number
  type: string | null
  requester_id: number
  responder_id: number | null
  group_id: number | null
  company_id: number | null
  cc_emails: string[]
  fwd_emails: string[]
  reply_cc_emails: string[]
  to_emails: string[] | null
  email_config_id: number | null
  tags: string[]
  custom_fields: Record<string, unknown>
  spam: boolean
  /** The given times. The service level agreement fills in missing ones. */
  due_by: string | null
  fr_due_by: string | null
  /** The time from which the agreement may fill in missing times. */
  agreedAt: number
  attachments: string[]
  watchers: number[]
  parent_id: number | null
  tracker_id: number | null
  first_responded_at: string | null
  resolved_at: string | null
  closed_at: string | null
  deletedAt: number | null
  isArchived: boolean
}

export interface Conversation extends Timed {
  ticket_id: number
  body: string
  incoming: boolean
  private: boolean
  user_id: number
  /** 0 is a reply, 2 a note. */
  source: number
  from_email: string | null
  support_email: string | null
  to_emails: string[]
  cc_emails: string[]
  bcc_emails: string[]
  attachments: string[]
  last_edited_at: string | null
  last_edited_user_id: number | null
}

export interface Attachment extends Timed {
  name: string
  content_type: string
  bytes: Buffer
}

export interface Choice {
  id: number
  value: string
  choices: Choice[]
}

export interface Field extends Timed {
  of: 'ticket' | 'contact' | 'company'
  name: string
  label: string
  type: string
  default: boolean
  required_for_agents: boolean
  required_for_closure: boolean
  /** Whether customers see it in the portal. Freshdesk does not say which is the default. */
  isShown?: boolean
  choices: Choice[]
  /** The fields under a dependent field, from the second level on. */
  levels: { id: number; name: string; label: string }[]
}

export interface Category extends Timed {
  name: string
  description: string | null
}

export interface Folder extends Timed {
  name: string
  description: string | null
  category_id: number
  parent_folder_id: number | null
  visibility: number
  company_ids: number[]
}

export interface Article extends Timed {
  title: string
  description: string
  status: number
  type: number
  agent_id: number
  folder_id: number
  tags: string[]
  seo_data: Record<string, unknown>
  attachments: string[]
  /** A draft that was saved over a published article. */
  draft: { title: string; description: string } | null
  translations: Record<string, { title: string; description: string; status: number }>
}

export interface TimeEntry extends Timed {
  ticket_id: number
  agent_id: number
  time_spent: string
  note: string | null
  billable: boolean
  executed_at: string
}

export interface FreshdeskOptions {
  /** How long searches miss a change. The documentation says "a few minutes". */
  searchLagMs?: number
  /** The last page of the list of tickets. */
  wallPages?: number
  /** Size limit of all files of one ticket. */
  mostBytes?: number
  /** True if the account sends its usual e-mail notifications. Replies are always sent. */
  hasNotifications?: boolean
  /** True if a filter such as requester_id also shows tickets older than 30 days. Not documented. */
  filtersLiftMonth?: boolean
  /** True if lists of tickets contain tags. The sample of the documentation has none. */
  listsTags?: boolean
  /** True if the folders of a category include those inside other folders. Not documented. */
  listsSubfolders?: boolean
  /** True if the plan of the account includes a knowledge base. */
  hasSolutions?: boolean
  /** False if the account has no parents of tickets, and ignores them in requests. Not documented. */
  hasParents?: boolean
  /** The form of dependent fields' choices: lists in the documentation, maps in real accounts. */
  nestedChoices?: 'lists' | 'maps'
}

const mebibyte = 1024 * 1024

/** The whole content of an account. Ids are beyond 32 bits, except those of tickets, which begin at 1. */
export function createAccount(clock: Clock, options: FreshdeskOptions = {}) {
  const { searchLagMs: lagMs = 4 * minuteMs } = options
  let lastId = 82_000_000_000
  const account = {
    clock,
    origin: '',
    /** Signs an address of the second host; set once that host runs. */
    sign: (_bytes: Buffer, _contentType: string, _more: { hops: number }): string => '',
    wallPages: options.wallPages ?? 300,
    mostBytes: options.mostBytes ?? 20 * mebibyte,
    hasNotifications: options.hasNotifications ?? true,
    filtersLiftMonth: options.filtersLiftMonth ?? false,
    listsTags: options.listsTags ?? false,
    listsSubfolders: options.listsSubfolders ?? false,
    hasSolutions: options.hasSolutions ?? true,
    hasParents: options.hasParents ?? true,
    nestedChoices: options.nestedChoices ?? 'lists',
    agents: createStore<Agent>(clock),
    groups: createStore<Group>(clock),
    contacts: createStore<Contact>(clock, { lagMs }),
    companies: createStore<Company>(clock, { lagMs }),
    tickets: createStore<Ticket>(clock, { lagMs }),
    conversations: createStore<Conversation>(clock),
    /** Conversation ids by ticket, because searching all conversations would be slow. */
    conversationsOf: new Map<number, Set<string>>(),
    attachments: createStore<Attachment>(clock),
    fields: createStore<Field>(clock),
    categories: createStore<Category>(clock),
    folders: createStore<Folder>(clock),
    articles: createStore<Article>(clock),
    timeEntries: createStore<TimeEntry>(clock),
    products: [] as { id: number; name: string }[],
    mailboxes: [] as { id: number; name: string; support_email: string }[],
    ratings: [] as { id: number; ticket_id: number }[],
    /** Categories of the forums. Each has one forum, which has the same id. */
    forums: [] as { id: number; name: string; topics_count: number }[],
    statuses: new Map<number, [agents: string, customers: string]>([
      [2, ['Open', 'Being Processed']],
      [3, ['Pending', 'Awaiting your Reply']],
      [4, ['Resolved', 'This ticket has been Resolved']],
      [5, ['Closed', 'This ticket has been Closed']],
    ]),
    types: ['Question', 'Incident', 'Problem', 'Feature Request', 'Refund'],
    languages: { primary: 'en', others: ['de', 'es'] },
    /** Mails sent, with the reason. */
    mails: [] as string[],
    nextId: () => String(++lastId),
    now: () => toSecond(clock.now()),
    times: () => ({ created_at: account.now(), updated_at: account.now() }),
    /** Records a mail, if the account's settings allow it. */
    notify(to: string | null | undefined, why: string) {
      if (account.hasNotifications && to) account.mails.push(`${to}: ${why}`)
    },
  }
  return account
}

export type Account = ReturnType<typeof createAccount>

export const idOf = ({ id }: Kept): number => Number(id)

interface Told {
  code?: string
  status?: number
  additional_info?: object
}

/** Refuses one field, in the form that the whole API uses. */
export function invalid(field: string, message: string, { code = 'invalid_value', status = 400, ...more }: Told = {}) {
  return refuse(status, { description: 'Validation failed', errors: [{ field, ...more, message, code }] })
}

export const missing = (field: string): never =>
  invalid(field, 'It should not be blank as this is a mandatory field', { code: 'missing_field' })

export const duplicate = (field: string, additional_info?: object): never =>
  invalid(field, 'It should be a unique value', {
    code: 'duplicate_value',
    status: 409,
    ...(additional_info && { additional_info }),
  })

/** Freshdesk answers a missing record with only a status. */
export function found<T>(record: T | undefined | null): T {
  return record ?? refuse(404, undefined)
}

/** A time of a body in whole seconds; null if none was given. */
export function momentOf(text: unknown, field: string): string | null {
  if (text === undefined || text === null || text === '') return null
  const ms = Date.parse(String(text).length === 10 ? `${text}T00:00:00Z` : String(text))
  return Number.isNaN(ms) ? invalid(field, 'It should be a/an DateTime in ISO8601 format') : toSecond(ms)
}

/** Removes scripts, handlers and comments from HTML, and wraps plain text in a block. */
export function cleanHtml(html: string): string {
  const clean = html
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<script\b[\s\S]*?(<\/script>|$)/gi, '')
    .replace(/(<[^>]*?)\son\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, '$1')
  return /^\s*</.test(clean) ? clean : `<div>${clean}</div>`
}

export const plainOf = (html: string): string =>
  html
    .replace(/<(br|\/p|\/div|\/li)[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()

/** A tag has at most 32 characters and no commas, and a record has at most 30 tags. */
export function asTags(tags: readonly string[]): string[] {
  const kept = [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
  if (kept.length > 30) invalid('tags', 'It should have a maximum of 30 values')
  if (kept.some((tag) => tag.includes(','))) invalid('tags', 'It should not contain commas')
  if (kept.some((tag) => [...tag].length > 32))
    invalid('tags', 'It should only contain elements that have maximum of 32 characters')
  return kept
}
