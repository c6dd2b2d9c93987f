import type { Product } from './products.ts'

export type Speaker = 'agent' | 'contact' | 'note'

/** One kind of conversation, in order. */
export interface Topic {
  /** One answer for each opening, then any number that fit all openings. */
  subjects: readonly string[]
  /** The product lines of the conversation; all if missing. */
  lines?: readonly Product['line'][]
  openings: readonly string[]
  /** The speaker, then variants of the text. A thread keeps the same variant where it exists. */
  thread: readonly (readonly [Speaker, ...string[]])[]
  tags: readonly string[]
  type: 'question' | 'incident' | 'problem' | 'task'
  group: number
  concern: 'delivery' | 'quality' | 'billing' | 'website' | 'advice'
}

export const GREETINGS = ['Hello,', 'Good morning,', 'Dear Fernhill team,', 'Hi there,', 'Good evening,', ''] as const
export const THANKS = ['Kind regards', 'Many thanks', 'Best wishes', 'Yours', 'With thanks in advance'] as const
