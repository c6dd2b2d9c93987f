import type { Language } from '../languages.ts'
import { german } from './texts-de.ts'
import { english } from './texts-en.ts'
import { spanish } from './texts-es.ts'
import { french } from './texts-fr.ts'

/** What each mail says beyond the facts about its import. No secrets: the operator can read them. */
export interface MailValues {
  /** The full migration, or the changes since, are over. */
  completed: { records: number }
  /** It stands still until the customer acts. */
  paused: { code: string; role: 'source' | 'destination' | null }
  /** An undo is over. */
  undone: { kept: number }
  /** The purchase of the full migration is paid. Amounts are in the smallest unit of the currency. */
  receipt: { amount: number; currency: string; package: string; invoice: string | null }
  /** An invoice waits to be paid. */
  invoice: { amount: number; currency: string; number: string; due: string }
  /** Money went back. */
  refunded: { amount: number; currency: string; because: 'partner_pays' | 'paid_twice' | 'other' }
}

export type MailTemplate = keyof MailValues

/** What every mail can speak of. */
export interface MailFacts {
  partner: string
  source: string
  destination: string
}

export interface MailWords {
  subject: string
  paragraphs: string[]
  /** What the link to the import is called. */
  action: string
}

export type MailTexts = {
  [T in MailTemplate]: (facts: MailFacts, values: MailValues[T]) => MailWords
} & { greeting: string; reason: (facts: MailFacts) => string }

export const mailTexts: Record<Language, MailTexts> = { en: english, de: german, es: spanish, fr: french }

export const isMailTemplate = (text: string): text is MailTemplate =>
  text !== 'greeting' && text !== 'reason' && Object.hasOwn(english, text)
