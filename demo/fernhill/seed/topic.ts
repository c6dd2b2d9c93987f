import type { Product } from './products.ts'

export type Speaker = 'agent' | 'contact' | 'note'

/** One kind of conversation. */
export interface Topic {
  /** The first subjects match the openings one by one. All further subjects fit every opening. */
  subjects: readonly string[]
  /** The product lines that the conversation is about. Default: all. */
  lines?: readonly Product['line'][]
  openings: readonly string[]
  /** Each entry has a speaker and variants of the text. A thread uses the same variant throughout if it exists. */
  thread: readonly (readonly [Speaker, ...string[]])[]
  tags: readonly string[]
  type: 'question' | 'incident' | 'problem' | 'task'
  group: number
  concern: 'delivery' | 'quality' | 'billing' | 'website' | 'advice'
}

export const GREETINGS = ['Hello,', 'Good morning,', 'Dear Fernhill team,', 'Hi there,', 'Good evening,', ''] as const
export const THANKS = ['Kind regards', 'Many thanks', 'Best wishes', 'Yours', 'With thanks in advance'] as const
