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

/**
 * Text with markup. `inlineFiles` are the attachments that the text shows, by the address it uses for them. Textile is
 * Redmine's; its Markdown is another format than everyone's, because it makes links of `#12` and pages of `[[Name]]`.
 */
export interface RichText {
  format: 'plain' | 'html' | 'markdown' | 'textile' | 'redmine_markdown'
  body: string
  inlineFiles?: { url: string; attachment: string }[]
}

export interface Money {
  /** A decimal number as text, so that nothing is rounded. */
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
  /** Fewer people see it than the record that it belongs to. */
  isRestricted?: boolean
}

/** One thing of a source, in its family's shape. */
export interface FamilyRecord {
  entity: string
  sourceId: string
  /** Where people see it in the source; links to it in texts are rewritten. */
  sourceUrl?: string
  createdAt?: string
  updatedAt?: string
  createdBy?: UserRef
  /** How much hangs on it, by entity, where the tool tells; a sample takes some with much. */
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
