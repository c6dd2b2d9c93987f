import type { OutgoingContent, OutgoingRecord } from '../../contract/contract.ts'
import { asciiAddress } from '../../kit/ascii-address.ts'
import { clean, type LeftOut, namelessAuthor, textOf } from '../../kit/left-out.ts'
import { idOf, idsOf, textsOf } from '../../kit/sent-values.ts'
import { thatHold } from '../../kit/that-hold.ts'

// Converts values to the form that Ghost accepts. Pure.

type Fields = OutgoingContent['fields']

/** Makes one line, as Ghost stores titles and names. */
export const toLine = (value: unknown): string => clean(value).replace(/\s+/g, ' ').trim()
export const toLines = (value: unknown): string => clean(value).replace(/\r\n?/g, '\n').trim()
export const relationId = (value: unknown): string => idOf(value) ?? ''
/** The texts of a list, each once. */
const textsIn = (values: unknown): string[] => [...new Set(textsOf(values))]
/** Categories come first: readers see only the first tag, and a category says more than a tag. */
export const tagIds = ({ categories, tags }: Fields): string[] => textsIn(idsOf([categories, tags].flat()))
export const authorIds = ({ authors }: Fields): string[] => textsIn(authors)

/** Rounds down to whole seconds, as Ghost does. */
export function toSeconds(moment: unknown): string | null {
  const ms = typeof moment === 'string' ? Math.floor(Date.parse(moment) / 1000) * 1000 : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** An unknown visibility never becomes public. */
export function visibilityOf(given: unknown): 'public' | 'members' | 'paid' {
  const visibility = clean(given) || 'public'
  return visibility === 'public' || visibility === 'members' ? visibility : 'paid'
}

/**
 * The wanted status in Ghost's terms. A private post whose readers Ghost can restrict is published for them; any other
 * private post stays hidden.
 */
export function wantedStatus({ fields }: OutgoingContent): 'draft' | 'scheduled' | 'published' | 'private' {
  const status = textOf(fields, 'status')
  if (status === 'private') return visibilityOf(fields.visibility) === 'public' ? 'private' : 'published'
  return status === 'published' || status === 'scheduled' ? status : 'draft'
}

const isWantedOut = (content: OutgoingContent): boolean => ['published', 'scheduled'].includes(wantedStatus(content))

export const dateOf = (content: OutgoingContent): string | null =>
  toSeconds(content.fields.published_at ?? (isWantedOut(content) ? content.createdAt : null))

/** Ghost refuses to schedule a post less than two minutes ahead. This limit leaves some reserve. */
const leastAheadMs = 5 * 60_000

/** The status to send. A post is never public before its time, and a private post never becomes public. */
export function statusOf(content: OutgoingContent, now: number): { status: string; leftOut: LeftOut[] } {
  const wanted = wantedStatus(content)
  if (wanted === 'private') return { status: 'draft', leftOut: ['private'] }
  if (wanted === 'draft') return { status: 'draft', leftOut: [] }
  const date = dateOf(content)
  const due = date === null ? null : Date.parse(date)
  const asked: LeftOut[] = [wanted === 'scheduled' ? 'scheduled' : 'later']
  if (due !== null && due >= now + leastAheadMs) return { status: 'scheduled', leftOut: asked }
  const isLater = wanted === 'scheduled' || (due !== null && due > now)
  return isLater ? { status: 'draft', leftOut: [...asked, 'passed'] } : { status: 'published', leftOut: [] }
}

/** The values to record as left out in the mark of a post or page. */
export const leftOutOf = (record: OutgoingRecord, now: number): LeftOut[] => [
  ...statusOf(record, now).leftOut,
  ...thatHold<LeftOut>(
    [authorIds(record.fields).length === 0, 'author'],
    [namelessAuthor(record) !== '', 'byline'],
    [dateOf(record) === null, 'date'],
    [!isPlainSlug(record.fields.slug), 'slug'],
  ),
]

export const longestSlug = 185
/** The slug to send. Ghost may adapt it, or make one from the title if it is empty. */
export const writeSlug = (slug: unknown): string => clean(slug).trim().slice(0, longestSlug)
export const isPlainSlug = (slug: unknown): boolean => /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(writeSlug(slug))
/** Removes the number that Ghost appends to a slug that is taken, because nobody can predict it. */
export const comparableSlug = (slug: string): string => slug.replace(/(-\d+)+$/, '').slice(0, 170)

/** Ghost compares addresses literally, so we always write them in one form. */
export const toEmail = (given: unknown): string => asciiAddress(clean(given).trim()).toLowerCase()

/** Only somebody who clearly subscribed gets mail. */
export const isSubscribed = (status: unknown): boolean =>
  /^(subscribed|active|confirmed|free|paid|comped|yes|true|1)$/i.test(clean(status).trim())

/** Commas separate labels in a list, so a label must not contain any. */
const toLabel = (given: string): string =>
  given
    .toWellFormed()
    .replace(/[,\s]+/g, ' ')
    .trim()
export const labelsOf = (given: unknown): string[] => textsIn(textsIn(given).map(toLabel))

export const commentStatus = (status: unknown): 'published' | 'hidden' =>
  clean(status) === 'approved' ? 'published' : 'hidden'
