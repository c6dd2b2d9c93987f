import { createHash, randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { refuse } from '../answers.ts'
import { type Clock, secondMs } from '../clock.ts'
import type { FileHost } from '../file-host.ts'
import { createStore, type Kept } from '../store.ts'

export type Values = Record<string, unknown>

export interface Admin extends Kept {
  name: string
  email: string
  teamIds: number[]
  hasSeat: boolean
}

export interface Team extends Kept {
  name: string
  adminIds: number[]
}

export interface Tag extends Kept {
  name: string
}

export interface Note {
  id: string
  body: string
  adminId: string | null
  createdAt: number
}

export interface Company extends Kept {
  companyId: string
  name: string | undefined
  plan: string | undefined
  size: number | undefined
  website: string | undefined
  industry: string | undefined
  monthlySpend: number
  remoteCreatedAt: number
  custom: Values
  tagIds: string[]
  createdAt: number
  updatedAt: number
  notes?: Note[]
  /** The time at which the company is archived: a deletion is accepted at once and done later. */
  goneAt?: number
}

export interface Contact extends Kept {
  externalId: string | null
  role: 'user' | 'lead'
  email: string | null
  phone: string | null
  name: string | null
  avatar: string | null
  ownerId: string | null
  isUnsubscribed: boolean
  signedUpAt: number | null
  lastSeenAt: number | null
  language: string | null
  city: string | null
  country: string | null
  custom: Values
  companyIds: string[]
  tagIds: string[]
  notes: Note[]
  createdAt: number
  updatedAt: number
  isArchived: boolean
}

export interface Author {
  type: 'admin' | 'user' | 'lead' | 'bot'
  id: string
  name: string | null
  email: string | null
}

/**
 * A part of a conversation or ticket. Bodies refer to files by `intercom-file:<id>`; answers replace that by a signed
 * address.
 */
export interface Part {
  id: string
  partType: string
  body: string | null
  createdAt: number
  author: Author
  fileIds: string[]
  assignedTo: { type: string; id: string | null } | null
  ticketState?: [string, string]
  isRedacted: boolean
  isByApi?: boolean
}

export interface Conversation extends Kept {
  title: string | null
  sourceId: string
  sourceType: string
  subject: string
  body: string
  author: Author
  fileIds: string[]
  contactIds: string[]
  companyId: string | null
  state: 'open' | 'closed' | 'snoozed'
  isRead: boolean
  priority: string
  adminAssigneeId: number
  teamAssigneeId: number
  snoozedUntil: number | null
  tagIds: string[]
  custom: Values
  createdAt: number
  updatedAt: number
  waitingSince: number | null
}

export interface Ticket extends Kept {
  number: string
  typeId: string
  stateId: string
  attributes: Values
  contactIds: string[]
  companyId: string | null
  adminAssigneeId: number
  teamAssigneeId: number
  isOpen: boolean
  isShared: boolean
  snoozedUntil: number | null
  tagIds: string[]
  linkedIds: string[]
  previousStateId: string | null
  createdAt: number
  updatedAt: number
}

export interface TicketAttribute {
  id: string
  name: string
  description: string
  dataType: string
  items: { id: string; name: string }[]
  isMultiline: boolean
  isRequired: boolean
  isArchived: boolean
  createdAt: number
}

export interface TicketType extends Kept {
  name: string
  description: string
  icon: string
  category: 'Customer' | 'Back-office' | 'Tracker'
  isArchived: boolean
  attributes: TicketAttribute[]
  createdAt: number
  updatedAt: number
}

export interface TicketState {
  id: string
  category: 'submitted' | 'in_progress' | 'waiting_on_customer' | 'resolved'
  label: string
}

export interface DataAttribute {
  id: number
  model: 'contact' | 'company' | 'conversation'
  name: string
  dataType: string
  options: { id: string; label: string }[] | null
  description: string
  isArchived: boolean
  isMultiline: boolean
  createdAt: number
  updatedAt: number
}

export interface Translation {
  title: string
  description: string
  body: string
  authorId: number
  state: 'published' | 'draft'
  createdAt: number
  updatedAt: number
}

export interface Article extends Translation, Kept {
  parentId: number | null
  /** Whether people began a draft over the published text. */
  hasDraft?: boolean
  translations: Record<string, Translation>
}

export interface InternalArticle extends Kept {
  title: string
  body: string
  authorId: number
  ownerId: number
  createdAt: number
  updatedAt: number
}

export interface Collection extends Kept {
  name: string
  description: string | null
  parentId: string | null
  order: number
  translations: Record<string, { name: string; description: string }>
  createdAt: number
  updatedAt: number
}

export interface StoredFile {
  name: string
  contentType: string
  bytes: Buffer
}

export interface Settings {
  /** Time during which searches miss a change. */
  contactLagMs: number
  lagMs: number
  /** The most parts that a conversation or a ticket shows. */
  mostParts: number
  scrollSize: number
  timeZone: string
  region: 'US' | 'EU' | 'AU'
  /** A plan without tickets answers 403. */
  hasTickets: boolean
  /** Not confirmed: users with their own keys may share an e-mail address, unless a workspace says otherwise. */
  isEmailUnique: boolean
  /**
   * Not confirmed: the id of a list item is written; the documentation does not say whether the id or the label is
   * read.
   */
  listValues: 'id' | 'label'
  /** Not confirmed: the documentation mentions HTML only for notes. */
  hasHtmlComments: boolean
  /** Not confirmed: the documentation does not mention mails about created conversations. */
  mailsConversations: boolean
  archivalMs: number
  /** Not confirmed: parts made by the API name the app, although the examples of conversations have null. */
  tellsApp: boolean
}

export const defaults: Settings = {
  contactLagMs: 120 * secondMs,
  lagMs: 5 * secondMs,
  mostParts: 500,
  scrollSize: 100,
  timeZone: 'America/Los_Angeles',
  region: 'US',
  hasTickets: true,
  isEmailUnique: false,
  listValues: 'id',
  hasHtmlComments: false,
  mailsConversations: false,
  archivalMs: 2 * secondMs,
  tellsApp: true,
}

export const workspace = 'ab12cd34'

export function createAccount(clock: Clock, given: Partial<Settings> = {}) {
  const settings = { ...defaults, ...given }
  let lastId = 1000
  const nextNumber = () => ++lastId
  let lastTicket = 0
  const parts = new Map<string, Part[]>()
  return {
    clock,
    settings,
    now: () => Math.floor(clock.now() / secondMs),
    nextId: () => String(nextNumber()),
    nextNumber,
    /** The number that people see; no request uses it. */
    nextTicketNumber: () => String(++lastTicket),
    /** A key of 24 hexadecimal digits, as contacts and companies have. */
    nextKey: () => createHash('sha256').update(`${nextNumber()}`).digest('hex').slice(0, 24),
    admins: createStore<Admin>(clock),
    teams: createStore<Team>(clock),
    tags: createStore<Tag>(clock),
    companies: createStore<Company>(clock),
    contacts: createStore<Contact>(clock, { lagMs: settings.contactLagMs }),
    merged: new Map<string, string>(),
    conversations: createStore<Conversation>(clock, { lagMs: settings.lagMs }),
    deletedConversations: [] as { id: string; at: number; keepsMetrics: boolean }[],
    tickets: createStore<Ticket>(clock, { lagMs: settings.lagMs }),
    ticketTypes: createStore<TicketType>(clock),
    ticketStates: [] as TicketState[],
    dataAttributes: [] as DataAttribute[],
    articles: createStore<Article>(clock),
    collections: createStore<Collection>(clock),
    internalArticles: createStore<InternalArticle>(clock),
    files: new Map<string, StoredFile>(),
    /** The parts of a conversation or a ticket, oldest first. */
    partsOf(id: string): Part[] {
      const known = parts.get(id)
      if (known) return known
      const list: Part[] = []
      parts.set(id, list)
      return list
    },
    /** Threads of teammates beside a conversation or a ticket, by its id. */
    sideThreads: new Map<string, Part[][]>(),
    forgetParts(id: string): void {
      for (const { fileIds } of parts.get(id) ?? []) for (const file of fileIds) this.files.delete(file)
      parts.delete(id)
    },
    /** Mails that it would have sent: recipients and subjects. */
    notifications: [] as { to: 'contact' | 'admin'; about: string; id: string }[],
    host: null as FileHost | null,
    /** This many steps of a scroll fail with a 500, which ends the scroll. */
    brokenScrolls: 0,
  }
}

export type Account = ReturnType<typeof createAccount>

/** An error in the shape that all errors have. */
export const errorOf = (code: string, message: string, field?: string) => ({
  type: 'error.list',
  request_id: randomUUID(),
  errors: [{ code, message, ...(field !== undefined && { field }) }],
})

export const fail = (status: number, code: string, message: string, field?: string): never =>
  refuse(status, errorOf(code, message, field))
export const invalid = (message: string, field?: string): never => fail(400, 'parameter_invalid', message, field)
export const notFound = (message = 'Resource Not Found', code = 'not_found'): never => fail(404, code, message)

export const closed = (properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false })
export const optional = Type.Optional
/** Ids are texts or numbers; Intercom's own examples have both. */
export const idShape = Type.Union([Type.String(), Type.Integer()])
export const nullable = (shape: Parameters<typeof Type.Optional>[0]) => Type.Optional(Type.Union([shape, Type.Null()]))
