import { escapeText } from '../../text/plain-words.ts'
import type { WriteLoss } from '../../warnings/codes.ts'
import { asciiAddress } from '../ascii-address.ts'
import type { OutgoingContent, OutgoingRecord, SentRelation } from '../contract.ts'
import { type LeftOut, writeByline, writeHead } from './mark-record.ts'
import { writeBody } from './write-body.ts'
import { isPlainSlug, writeSlug } from './write-slug.ts'

// Record → request. Pure.

type Fields = OutgoingContent['fields']

export const textOf = (fields: Fields, name: string): string =>
  typeof fields[name] === 'string' ? fields[name].toWellFormed().replaceAll('\0', '') : ''
/** One line, as Ghost keeps titles and names. */
export const lineOf = (fields: Fields, name: string): string => textOf(fields, name).replace(/\s+/g, ' ').trim()
export const linesOf = (fields: Fields, name: string): string => textOf(fields, name).replace(/\r\n?/g, '\n').trim()
const relationId = (value: unknown): string => (value as SentRelation | undefined)?.destinationId ?? ''
export const idOf = (fields: Fields, name: string): string => relationId(fields[name])
const many = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat())
/** The first tag is the one that readers see, and a category says more than a tag does. */
export const tagIds = (fields: Fields): string[] => [
  ...new Set([...many(fields.categories), ...many(fields.tags)].map(relationId).filter((id) => id !== '')),
]
export const authorIds = (fields: Fields): string[] => [
  ...new Set(many(fields.authors).filter((id): id is string => typeof id === 'string' && id !== '')),
]

/** Ghost counts in whole seconds. */
export function toSeconds(moment: unknown): string | null {
  const ms = typeof moment === 'string' ? Math.floor(Date.parse(moment) / 1000) * 1000 : Number.NaN
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** What Ghost itself writes there. */
export const titleOf = (fields: Fields): string => lineOf(fields, 'title') || '(Untitled)'

/** A word that Ghost does not know is none for everyone. */
export function visibilityOf(fields: Fields): 'public' | 'members' | 'paid' {
  const visibility = textOf(fields, 'visibility') || 'public'
  return visibility === 'public' || visibility === 'members' ? visibility : 'paid'
}

/** What was asked for, in the words of Ghost. What only some may see is not for everyone: without readers to name it stays hidden. */
export function wantedStatus({ fields }: OutgoingContent): 'draft' | 'scheduled' | 'published' | 'private' {
  const status = textOf(fields, 'status')
  if (status === 'private') return visibilityOf(fields) === 'public' ? 'private' : 'published'
  return status === 'published' || status === 'scheduled' ? status : 'draft'
}

const isWantedOut = (content: OutgoingContent): boolean => ['published', 'scheduled'].includes(wantedStatus(content))

export const dateOf = (content: OutgoingContent): string | null =>
  toSeconds(content.fields.published_at ?? (isWantedOut(content) ? content.createdAt : null))

/** Ghost takes nothing for later that is due in less than two minutes. */
const leastAheadMs = 5 * 60_000

/** Never open to everyone before its time, nor at all when it was not. */
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

const draftReasons: Partial<Record<LeftOut, WriteLoss>> = {
  private: 'private_kept_as_draft',
  passed: 'due_kept_as_draft',
}

/** Who wrote it, if nobody here did. */
export const namelessAuthor = ({ createdBy }: OutgoingRecord): string =>
  createdBy?.userId === null ? createdBy.name.trim() : ''

export interface Place {
  site: string
  now: number
}

export function toPostRequest(
  entity: 'posts' | 'pages',
  record: OutgoingRecord,
  { site, now }: Place,
): { request: Record<string, unknown>; losses: WriteLoss[] } {
  const { key, fields, createdBy } = record
  const { status, leftOut } = statusOf(record, now)
  const date = dateOf(record)
  const slug = writeSlug(textOf(fields, 'slug'))
  const own = authorIds(fields)
  const authors = own.length > 0 ? own : createdBy?.userId ? [createdBy.userId] : []
  const nameless = namelessAuthor(record)
  const notes: LeftOut[] = [
    ...leftOut,
    ...(own.length === 0 ? ['author' as const] : []),
    ...(nameless === '' ? [] : ['byline' as const]),
    ...(date === null ? ['date' as const] : []),
    ...(isPlainSlug(slug) ? [] : ['slug' as const]),
  ]
  const body = writeBody(textOf(fields, 'body'), site)
  const saidBy = nameless === '' ? '' : writeByline(escapeText(nameless))
  const canonical = textOf(fields, 'canonical_url').trim()
  return {
    losses: leftOut.flatMap((name) => draftReasons[name] ?? []),
    request: {
      title: titleOf(fields),
      // Without any text Ghost would keep the one it has.
      html: `${body}${saidBy}` || '<p></p>',
      status,
      visibility: visibilityOf(fields),
      custom_excerpt: linesOf(fields, 'excerpt') || null,
      feature_image: idOf(fields, 'feature_image') || null,
      feature_image_alt: lineOf(fields, 'feature_image_alt') || null,
      feature_image_caption: escapeText(lineOf(fields, 'feature_image_caption')) || null,
      meta_title: lineOf(fields, 'seo_title') || null,
      meta_description: linesOf(fields, 'seo_description') || null,
      canonical_url: URL.canParse(canonical) ? canonical : null,
      codeinjection_head: writeHead(key, notes),
      tags: tagIds(fields).map((id) => ({ id })),
      ...(date === null ? {} : { published_at: date }),
      ...(slug === '' ? {} : { slug }),
      ...(authors.length === 0 ? {} : { authors: authors.map((id) => ({ id })) }),
      ...(entity === 'posts' ? { featured: fields.is_featured === true } : {}),
    },
  }
}

export function toTagRequest({ key, fields }: OutgoingRecord): Record<string, unknown> {
  const slug = writeSlug(textOf(fields, 'slug'))
  return {
    name: lineOf(fields, 'name'),
    description: linesOf(fields, 'description') || null,
    codeinjection_head: writeHead(key, isPlainSlug(slug) ? [] : ['slug']),
    ...(slug === '' ? {} : { slug }),
  }
}

/** Ghost knows people by their address, as it is written; so it is written one way. */
export const emailOf = (fields: Fields, name: string): string => asciiAddress(textOf(fields, name).trim()).toLowerCase()

/** Nobody gets mail who did not say so. */
export const isSubscribed = (fields: Fields): boolean =>
  /^(subscribed|active|confirmed|free|paid|comped|yes|true|1)$/i.test(textOf(fields, 'status').trim())

export const labelsOf = (fields: Fields): string[] => [
  ...new Set(
    many(fields.labels)
      .filter((label): label is string => typeof label === 'string')
      // A list of labels is written with commas.
      .map((label) =>
        label
          .toWellFormed()
          .replace(/[,\s]+/g, ' ')
          .trim(),
      )
      .filter((label) => label !== ''),
  ),
]

export const commentStatus = (fields: Fields): 'published' | 'hidden' =>
  textOf(fields, 'status') === 'approved' ? 'published' : 'hidden'
