import type { Language } from '../languages.ts'
import { german } from './texts-de.ts'
import { english } from './texts-en.ts'
import { spanish } from './texts-es.ts'
import { french } from './texts-fr.ts'

/** The values of each mail beyond the facts about its import. No secrets: the operator can read them. */
export interface MailValues {
  /** A full or delta run has finished. */
  completed: { records: number }
  /** A run is paused until the customer acts. */
  paused: { code: string; role: 'source' | 'destination' | null }
  /** An undo has finished. */
  undone: { kept: number }
  /** The purchase of the full migration is paid. Amounts are in the smallest unit of the currency. */
  receipt: { amount: number; currency: string; package: string; invoice: string | null }
  /** An invoice is open. */
  invoice: { amount: number; currency: string; number: string; due: string }
  /** A payment was refunded. */
  refunded: { amount: number; currency: string; because: 'partner_pays' | 'paid_twice' | 'other' }
}

export type MailTemplate = keyof MailValues

/** The facts that every mail can use. */
export interface MailFacts {
  partner: string
  source: string
  destination: string
}

export interface MailWords {
  subject: string
  paragraphs: string[]
  /** The text of the link to the import. */
  action: string
}

export type MailTexts = {
  [T in MailTemplate]: (facts: MailFacts, values: MailValues[T]) => MailWords
} & { greeting: string; reason: (facts: MailFacts) => string }

export const mailTexts: Record<Language, MailTexts> = { en: english, de: german, es: spanish, fr: french }

export const isMailTemplate = (text: string): text is MailTemplate =>
  text !== 'greeting' && text !== 'reason' && Object.hasOwn(english, text)
