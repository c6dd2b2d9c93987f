import type { LaterTexts } from '../en/later.ts'
import { done } from './done.ts'
import { fields } from './fields.ts'
import { full } from './full.ts'
import { mapping } from './mapping.ts'
import { messages } from './messages.ts'
import { pay } from './pay.ts'
import { people } from './people.ts'
import { plan } from './plan.ts'
import { problems } from './problems.ts'
import { progress } from './progress.ts'
import { review } from './review.ts'
import { skipped } from './skipped.ts'
import { undo } from './undo.ts'

/** Texts of all screens but the first. */
export const laterTexts: LaterTexts = {
  plan,
  mapping,
  people,
  fields,
  problems,
  skipped,
  runProgress: progress,
  review,
  full,
  pay,
  done,
  undo,
  messages,
}
