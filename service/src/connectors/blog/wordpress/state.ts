import type { OutgoingContent } from '../../contract/contract.ts'
import { byHand, isLeftOut, type LeftOut, namelessAuthor, textOf } from '../../kit/left-out.ts'
import type { Writing } from '../../kit/lens.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { toSeconds } from './lenses.ts'
import { writeSlug } from './write-slug.ts'

// Decides whether a post or page is public, and which of its values are left to WordPress.

const statuses: Record<string, string> = { published: 'publish', scheduled: 'future' }

/** The date of a text: WordPress has one date for creation and publication. */
export const dateOf = ({ fields, createdAt }: OutgoingContent): string | null =>
  toSeconds(fields.published_at ?? createdAt)

/** A text with a password must be published, because everyone who has the password may read it. */
export function wantedStatus(content: OutgoingContent): string {
  const { fields } = content
  const status = textOf(fields, 'status') || 'draft'
  if (status === 'private' && textOf(fields, 'password') !== '') return 'publish'
  if (status === 'scheduled' && dateOf(content) === null) return 'draft'
  return statuses[status] ?? status
}

/**
 * The status to send. WordPress would publish a scheduled text at once if its time has passed. The text was not public,
 * so it stays a draft.
 */
export function statusOf(content: OutgoingContent, now: number): { status: string; leftOut: LeftOut[] } {
  const status = wantedStatus(content)
  const due = Date.parse(dateOf(content) ?? '')
  if (status === 'future') {
    return due <= now ? { status: 'draft', leftOut: ['scheduled', 'missed'] } : { status, leftOut: ['scheduled'] }
  }
  return status === 'publish' && due > now ? { status: 'future', leftOut: ['later'] } : { status, leftOut: [] }
}

/**
 * The stored status counts as the wanted one only if it gives the post no additional readers. This covers a draft for a
 * post whose time had passed, and a post that WordPress published at its time.
 */
export function storedStatus(status: string, raw: Readonly<Record<string, unknown>>): string {
  const isOut = status === 'publish' && Date.parse(`${raw.date_gmt}Z`) <= Date.now()
  if (isLeftOut(raw, 'missed')) return status === 'draft' ? 'future' : byHand(status)
  if (!isLeftOut(raw, 'scheduled') && !isLeftOut(raw, 'later')) return status
  if (status !== 'future' && !isOut) return byHand(status)
  return isLeftOut(raw, 'scheduled') ? 'future' : 'publish'
}

/** The values to record as left out in the marker of a post or page. */
export const leftOutOf = (content: Writing['content'], now: number): LeftOut[] => [
  ...statusOf(content, now).leftOut,
  ...thatHold<LeftOut>(
    [textOf(content.fields, 'authors') === '', 'author'],
    [namelessAuthor(content) !== '', 'byline'],
    [typeof content.fields.comments_enabled !== 'boolean', 'comments'],
    [dateOf(content) === null, 'date'],
    [writeSlug(textOf(content.fields, 'slug')) === '', 'slug'],
  ),
]
