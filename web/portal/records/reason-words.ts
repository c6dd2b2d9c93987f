import type { StatusFacts } from '../../texts/index.ts'
import { known } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { problemWords } from './problem-words.ts'

export interface ReasonFix {
  to: string
  label: string
}

const byMapping = [
  'left_out',
  'not_offered',
  'chosen',
  'closest',
  'constant',
  'option_not_offered',
  'value_does_not_fit',
  'only_first_kept',
  'text_cut',
  'audience_narrowed',
]
const byPeople = ['user_kept_as_name', 'user_not_matched', 'user_replaced']
const byPlan = ['not_protected', 'shown_to_more']

/** Explains why a field differs between the two sides. */
export function reasonWords(reason: string, facts: StatusFacts): string {
  const own = known(later.review.reasons, reason)
  return own ? own(facts.source, facts.destination) : problemWords(reason, facts, reason, 1).what
}

/** The screen where the customer can change it; null if there is none. */
export function fixFor(reasons: readonly string[], entity: string, field: string): ReasonFix | null {
  const { fixes } = later.review
  if (reasons.some((reason) => byPeople.includes(reason))) return { to: 'people', label: fixes.people }
  if (reasons.some((reason) => byPlan.includes(reason))) return { to: 'plan', label: fixes.plan }
  if (!reasons.some((reason) => byMapping.includes(reason))) return null
  return { to: `mapping/${encodeURIComponent(entity)}/${encodeURIComponent(field)}`, label: fixes.mapping }
}
