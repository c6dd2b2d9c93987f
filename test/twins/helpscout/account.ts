import { randomUUID } from 'node:crypto'
import { refuse } from '../answers.ts'
import { type Clock, secondMs, toSecond } from '../clock.ts'
import { createStore, type Kept } from '../store.ts'

export type Status = 'active' | 'pending' | 'closed' | 'spam'
export type ThreadType =
  | 'customer'
  | 'message'
  | 'note'
  | 'chat'
  | 'beaconchat'
  | 'phone'
  | 'lineitem'
  | 'forwardparent'
  | 'forwardchild'

export interface Person {
  type: 'user' | 'customer'
  id: number
}

export interface Mailbox extends Kept {
  name: string
  slug: string
  email: string
  createdAt: string
  updatedAt: string
  fields: Field[]
}

export interface Field {
  id: number
  name: string
  type: 'singleline' | 'multiline' | 'number' | 'date' | 'dropdown'
  order: number
  required: boolean
  options: { id: number; order: number; label: string }[]
}

export interface User extends Kept {
  firstName: string
  lastName: string
  email: string
  role: 'owner' | 'admin' | 'user'
  timezone: string
  /** True for a person who has left: in no list, but still the author of earlier threads. */
  isGone: boolean
  createdAt: string
}

export interface Team extends Kept {
  name: string
  members: number[]
  createdAt: string
}

export interface Tag extends Kept {
  name: string
  createdAt: string
}

export interface Entry {
  id: number
  value: string
  type?: string
}

export interface Address {
  city: string
  country: string
  lines: string[]
  postalCode: string | null
  state: string | null
}

export const entryKinds = ['emails', 'phones', 'chats', 'socialProfiles', 'websites'] as const
export type EntryKind = (typeof entryKinds)[number]

export interface Customer extends Kept, Record<EntryKind, Entry[]> {
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  location: string | null
  background: string | null
  organization: string | null
  organizationId: number | null
  photoUrl: string | null
  photoType: string | null
  gender: string | null
  age: string | null
  address: Address | null
  properties: Record<string, string>
  createdAt: string
  changedAt: number
}

export interface Property extends Kept {
  slug: string
  name: string
  type: 'number' | 'text' | 'url' | 'date' | 'dropdown'
  options: { id: string; label: string }[]
}

export interface Organization extends Kept {
  name: string
  website: string | null
  description: string | null
  location: string | null
  logoUrl: string | null
  note: string | null
  domains: string[]
  phones: string[]
  brandColor: string | null
  properties: Record<string, string>
  createdAt: string
  changedAt: number
}

export interface Thread {
  id: number
  type: ThreadType
  status: Status | 'nochange'
  state: 'published' | 'draft' | 'hidden' | 'underreview'
  body: string | null
  source: { type: string; via: 'user' | 'customer' }
  createdBy: Person
  customerId: number | null
  assigneeId: number | null
  to: string[]
  cc: string[]
  bcc: string[]
  attachments: number[]
  action: { type: string; text: string }
  linkedConversationId: number | null
  /** Set for a message that is to be sent later. */
  scheduled?: { scheduledFor: string }
  rating?: { rating: string; comments: string }
  createdAt: string
}

export interface Conversation extends Kept {
  number: number
  type: 'email' | 'chat' | 'phone'
  status: Status
  state: 'published' | 'draft'
  subject: string
  mailboxId: number
  customerId: number
  assigneeId: number | null
  createdBy: Person
  createdAt: string
  closedAt: string | null
  closedBy: number | null
  userUpdatedAt: string
  changedAt: number
  source: { type: string; via: 'user' | 'customer' }
  tags: string[]
  cc: string[]
  bcc: string[]
  fields: { id: number; value: string }[]
  snooze: { snoozedUntil: string; unsnoozeOnCustomerReply: boolean; snoozedBy: number } | null
  threads: Thread[]
}

export interface Attachment extends Kept {
  fileName: string
  mimeType: string
  bytes: Buffer
  state: 'valid' | 'malicious'
}

export interface Mail {
  kind: 'mail' | 'auto reply' | 'notification'
  to: string[]
  conversationId: number
}

export interface HelpScoutOptions {
  /** Time during which searches miss a change. */
  searchLagMs?: number
  /** True if the index also answers lists without a search. The documentation does not say; true by default. */
  listsLag?: boolean
  /** Page sizes; according to the documentation, 25 conversations and 50 of everything else. */
  pageSizes?: { conversations?: number; others?: number }
  /**
   * The most threads that can be added to a conversation one by one; 100 according to the documentation of version 1.
   */
  threadWall?: number | null
  /** True if an imported message of a customer reopens its conversation. The documentation does not say. */
  customersReopen?: boolean
  maxRequestBytes?: number
}

export function createAccount(clock: Clock, options: HelpScoutOptions = {}) {
  const { searchLagMs = 10 * secondMs, pageSizes = {} } = options
  const lag = { lagMs: searchLagMs }
  let lastId = 200_000
  let lastNumber = 1_000
  const nextId = () => ++lastId
  return {
    clock,
    searchLagMs,
    listsLag: options.listsLag ?? true,
    threadWall: options.threadWall ?? null,
    customersReopen: options.customersReopen ?? false,
    maxRequestBytes: options.maxRequestBytes ?? 14_000_000,
    pageSizes: { conversations: pageSizes.conversations ?? 25, others: pageSizes.others ?? 50 },
    now: () => toSecond(clock.now()),
    nextId,
    nextNumber: () => ++lastNumber,
    mailboxes: createStore<Mailbox>(clock),
    users: createStore<User>(clock),
    teams: createStore<Team>(clock),
    tags: createStore<Tag>(clock),
    properties: createStore<Property>(clock),
    organizationProperties: createStore<Property>(clock),
    organizations: createStore<Organization>(clock),
    customers: createStore<Customer>(clock, lag),
    conversations: createStore<Conversation>(clock, lag),
    attachments: createStore<Attachment>(clock),
    /** Old ids of merged conversations, with the new ids. */
    merged: new Map<string, string>(),
    /** Mails that the account would have sent. */
    mails: [] as Mail[],
    /** Inboxes that the owner of the key may not see. */
    hiddenMailboxes: new Set<number>(),
    /** Customers whose removal is still running, with its end time. */
    leaving: new Map<string, number>(),
  }
}

export type Account = ReturnType<typeof createAccount>

interface Wrong {
  path: string
  message: string
  rejectedValue?: unknown
}

const about = { about: { href: 'http://developer.helpscout.net/mailbox-api/overview/errors' } }

/** An error in the shape that all errors have. */
export const errorOf = (message: string, errors: Wrong[] = []) => ({
  logRef: randomUUID(),
  message,
  ...(errors.length > 0 && {
    _embedded: { errors: errors.map((one) => ({ ...one, source: 'JSON', _links: about })) },
  }),
  _links: about,
})

export const invalid = (...errors: Wrong[]): never => refuse(400, errorOf('Bad request', errors))
export const wrong = (path: string, message: string, rejectedValue?: unknown): never =>
  invalid({ path, message, ...(rejectedValue !== undefined && { rejectedValue }) })
export const notFound = (): never => refuse(404, errorOf('Not Found'))
export const conflict = (path: string, message: string): never => refuse(409, errorOf('Conflict', [{ path, message }]))

export const found = <T>(thing: T | undefined): T => thing ?? (notFound() as never)

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A time as the tool stores it, in whole seconds. */
export function momentOf(path: string, text: string): string {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) wrong(path, 'Expected ISO 8601 date', text)
  return toSecond(ms)
}

export const looksLikeMail = (text: string) => /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]+$/u.test(text)

/** Characters as people count them. */
export const lengthOf = (text: string) => [...text].length
