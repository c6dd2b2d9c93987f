import Type from 'typebox'
import type { OutgoingContent } from '../contract/contract.ts'
import { byHand, isLeftOut, type LeftOut, namelessAuthor } from './left-out.ts'
import { type Lens, lens, type OwnLens, type Writing } from './lens.ts'
import { thatHold } from './that-hold.ts'

// Decides whether a post or page of a blog is public. The tool publishes a scheduled text by itself, at once if its
// time has passed. Such a text was not public, so it becomes a draft.

export interface PublicationRules<A> extends Pick<OwnLens<Type.TString, A>, 'options' | 'read'> {
  /** The tool's words for a public text, and for one that waits for its time. */
  published: string
  scheduled: string
  /** A status that the tool does not have. Such a text becomes a draft. */
  asDraft?: 'private'
  /** The tool schedules no text for a nearer time. */
  leastAheadMs: number
  /** Marks a draft whose time had passed. */
  passed: LeftOut
  wantedStatus(content: OutgoingContent): string
  dateOf(content: OutgoingContent): string | null
  /** The time in the tool's record. */
  timeOf(raw: Readonly<Record<string, unknown>>): number
}

export function publication<A>(rules: PublicationRules<A>) {
  const { published, scheduled, asDraft, passed, wantedStatus, dateOf } = rules

  const statusOf = (content: OutgoingContent, now: number): { status: string; leftOut: LeftOut[] } => {
    const wanted = wantedStatus(content)
    if (wanted === asDraft) return { status: 'draft', leftOut: [asDraft] }
    if (wanted !== published && wanted !== scheduled) return { status: wanted, leftOut: [] }
    const due = Date.parse(dateOf(content) ?? '')
    const asked: LeftOut[] = [wanted === scheduled ? 'scheduled' : 'later']
    if (due >= now + rules.leastAheadMs) return { status: scheduled, leftOut: asked }
    const isLater = wanted === scheduled || due > now
    return isLater ? { status: 'draft', leftOut: [...asked, passed] } : { status: published, leftOut: [] }
  }

  /** The stored status counts as the wanted one only if it gives the post no additional readers. */
  const storedStatus = (status: string, raw: Readonly<Record<string, unknown>>): string => {
    const wanted = isLeftOut(raw, 'scheduled') ? scheduled : published
    if (asDraft && isLeftOut(raw, asDraft)) return status === 'draft' ? asDraft : byHand(status)
    if (isLeftOut(raw, passed)) return status === 'draft' ? wanted : byHand(status)
    if (!isLeftOut(raw, 'scheduled') && !isLeftOut(raw, 'later')) return status
    const isOut = status === published && rules.timeOf(raw) <= Date.now()
    return status === scheduled || isOut ? wanted : byHand(status)
  }

  return {
    statusOf,
    /** The values to record as left out in the mark of a post or page. */
    leftOutOf: (content: Writing['content'], now: number, ...own: (readonly [boolean, LeftOut])[]): LeftOut[] => [
      ...statusOf(content, now).leftOut,
      ...thatHold([namelessAuthor(content) !== '', 'byline'], [dateOf(content) === null, 'date'], ...own),
    ],
    status: lens('option', {
      from: 'status',
      check: Type.String(),
      options: rules.options ?? [],
      writesEmpty: true,
      ...(rules.read && { read: rules.read }),
      write: (_status, { content, now }) => statusOf(content, now).status,
      wanted: (_status, { content }) => wantedStatus(content),
      stored: (status, raw) => (raw ? storedStatus(String(status), raw) : status),
    }) as Lens<A>,
  }
}
