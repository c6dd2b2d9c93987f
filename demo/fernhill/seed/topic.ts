import type { Product } from './products.ts'

export type Speaker = 'agent' | 'contact' | 'note'

/** One kind of conversation, which makes sense read in order. */
export interface Topic {
  /** One for each opening, then any number that fit all of them. */
  subjects: readonly string[]
  /** The product lines it can be about; any when missing. */
  lines?: readonly Product['line'][]
  openings: readonly string[]
  /** Who speaks, then ways of saying it; the same way is kept through one thread where it exists. */
  thread: readonly (readonly [Speaker, ...string[]])[]
  tags: readonly string[]
  type: 'question' | 'incident' | 'problem' | 'task'
  group: number
  concern: 'delivery' | 'quality' | 'billing' | 'website' | 'advice'
}

export const GREETINGS = ['Hello,', 'Good morning,', 'Dear Fernhill team,', 'Hi there,', 'Good evening,', ''] as const
export const THANKS = ['Kind regards', 'Many thanks', 'Best wishes', 'Yours', 'With thanks in advance'] as const
