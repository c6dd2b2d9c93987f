import type { FieldType } from './definition.ts'

/** Another record of the same source. */
export interface RecordRef {
  entity: string
  sourceId: string
}

/** A person who can sign in to the source. */
export interface UserRef {
  userId: string
}

/** A person who has no account in the source any more. */
export interface FormerUser {
  userId?: undefined
  name: string
}

/**
 * Text with markup. `inlineFiles` are the attachments that the text shows, by their address in it. Textile is Redmine's.
 * Redmine's Markdown is a format of its own, because it turns `#12` into links and `[[Name]]` into pages.
 */
export interface RichText {
  format: 'plain' | 'html' | 'markdown' | 'textile' | 'redmine_markdown'
  body: string
  inlineFiles?: { url: string; attachment: string }[]
}

export interface Money {
  /** A decimal number as text, so that no digit is rounded away. */
  amount: string
  currency: string
}

export interface Email {
  address: string
  type?: string
  isPrimary?: boolean
}

export interface Phone {
  number: string
  type?: string
}

export interface Address {
  type?: string
  line1?: string
  line2?: string
  city?: string
  region?: string
  postalCode?: string
  country?: string
}

/** Dates are `YYYY-MM-DD`, moments ISO 8601 in UTC; a text type is a string, an option its name in the source. */
export type SingleValue = string | number | boolean | RecordRef | UserRef | RichText | Money | Email | Phone | Address
export type FieldValue = SingleValue | SingleValue[] | null

export interface CustomFieldValue {
  label: string
  type: FieldType
  many?: boolean
  value: FieldValue
  /** For options: every choice that the source offers. */
  options?: string[]
  /** Fewer people see the field than its record. */
  isRestricted?: boolean
}

/** One record of a source, in its family's shape. */
export interface FamilyRecord {
  entity: string
  sourceId: string
  /** Its address for people in the source; links to it in texts are rewritten. */
  sourceUrl?: string
  createdAt?: string
  updatedAt?: string
  createdBy?: UserRef | FormerUser
  /** The number of its children by entity, if the tool reports it; a sample prefers some records with many. */
  childCounts?: Record<string, number>
  fields: Record<string, FieldValue>
  customFields?: Record<string, CustomFieldValue>
}

/** A person of a tool. */
export interface ToolUser {
  id: string
  name: string
  email: string | null
  isActive: boolean
}
