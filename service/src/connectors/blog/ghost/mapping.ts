import { runBeside } from '../../../threads/run-beside.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingContent, OutgoingRecord, StoredContent } from '../../contract/contract.ts'
import type { FoundContent } from '../../kit/find.ts'
import { type LeftOut, takeMark, writeMark } from '../../kit/left-out.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { versionOf } from '../../kit/version.ts'
import * as kit from '../../kit/write-record.ts'
import type { Found, Raw } from './api.ts'
import { type EntityName, entities } from './entities.ts'
import { authorIds, isPlainSlug, type Surroundings, times } from './lenses.ts'
import { readNote } from './mark-record.ts'
import { writeComment } from './write-comment.ts'

export { writeComment }

// Converts records to the family, records to requests, and both sides to the form that is compared. Pure.

/**
 * Ghost sends null for empty values, which are left out. Only a null `member` stays: the author of that comment was
 * deleted.
 */
export function toRecord(entity: EntityName, given: Raw, around: Surroundings): MappedRecord {
  const there = Object.entries(given).filter(([name, value]) => value !== null || name === 'member')
  return readRecord(entities[entity], Object.fromEntries(there) as Raw, around)
}

const draftReasons: Partial<Record<LeftOut, WriteLoss>> = {
  private: 'private_kept_as_draft',
  passed: 'due_kept_as_draft',
}

export function toPostRequest(
  entity: 'posts' | 'pages',
  record: OutgoingRecord,
  place: { site: string; now: number },
): { request: Record<string, unknown>; losses: WriteLoss[] } {
  const body = kit.writeRecord(entities[entity], record, { isWhole: true, ...place })
  const leftOut = times.leftOutOf(
    record,
    place.now,
    [authorIds(record.fields).length === 0, 'author'],
    [!isPlainSlug(record.fields.slug), 'slug'],
  )
  return {
    losses: leftOut.flatMap((name) => draftReasons[name] ?? []),
    request: { ...body, codeinjection_head: writeMark(record.key, leftOut) },
  }
}

export const toTagRequest = (record: OutgoingRecord): Record<string, unknown> => ({
  ...kit.writeRecord(entities.tags, record, { isWhole: true }),
  codeinjection_head: writeMark(record.key, isPlainSlug(record.fields.slug) ? [] : ['slug']),
})

export const toMemberRequest = (record: OutgoingRecord): Record<string, unknown> =>
  kit.writeRecord(entities.subscribers, { ...record, createdAt: null }, { isWhole: true })

export const asStored = (entity: EntityName, content: OutgoingContent, site: string): StoredContent =>
  kit.asStored(entities[entity], content, site)

/** Fields for the preview of a link on other sites. */
const shared = 'og_image og_title og_description twitter_image twitter_title twitter_description'
const writing = `updated_at slug published_at codeinjection_head codeinjection_foot custom_template email_subject
  show_title_and_feature_image frontmatter ${shared}`
const tag = `updated_at codeinjection_head codeinjection_foot feature_image visibility accent_color slug meta_title
  meta_description canonical_url ${shared}`
/** Values that people can change and that are not among the compared fields. */
const beside: Record<Found, readonly string[]> = {
  posts: writing.split(/\s+/),
  pages: writing.split(/\s+/),
  tags: tag.split(/\s+/),
  categories: tag.split(/\s+/),
  comments: ['edited_at', 'pinned'],
  // `updated_at` is not included, because Ghost also changes it when a member visits the site.
  subscribers: 'note enable_comment_notifications commenting status comped subscriptions tiers'.split(' '),
}

/** A record in Ghost's current form. Values that Ghost decides are left out here, as in `asStored`. */
export function toStored(entity: Found, given: unknown): FoundContent {
  const raw = kit.requireWhole('Ghost', entities[entity], given) as Raw
  const { marker, left_out } = readMark(entity, raw)
  const stored = kit.toStored('Ghost', entities[entity], { ...raw, left_out })
  // A comment's author changes with the member. That is no edit of the comment.
  const { author_email: _email, ...fields } = stored.fields
  const ids = (list: unknown) => (Array.isArray(list) ? (list as { id: string }[]).map(({ id }) => id) : [])
  const left = beside[entity].map((name) => raw[name] ?? null)
  const version = versionOf(fields, stored.createdAt, left, ids(raw.authors), ids(raw.newsletters).sort())
  return { ...stored, version, url: urlOf(entity, raw), marker }
}

function readMark(entity: Found, raw: Raw): { marker: string | null; left_out?: ReadonlySet<LeftOut> } {
  if (entity === 'comments') return { marker: String(raw.html ?? '') }
  if (entity === 'subscribers') return { marker: readNote(raw.note as string | null).marker }
  const { marker, leftOut } = takeMark(String(raw.codeinjection_head ?? ''))
  return { marker, left_out: leftOut }
}

function urlOf(entity: Found, raw: Raw): string | null {
  if (entity === 'subscribers') return null
  if (entity === 'comments') {
    return safeAddress('posts', raw.post as { id: string; url: string }).replace(/^[^#]*$/, '$&#ghost-comments')
  }
  const url = String(raw.url)
  return entity === 'posts' || entity === 'pages' ? safeAddress(entity, { id: raw.id, url }) : url
}

/**
 * The address to show for a post or page. Everyone who knows the address of a draft can read it, and a link would
 * publish that address. So a draft gets the address of its editor.
 */
export function safeAddress(entity: 'posts' | 'pages', { id, url }: { id: string; url: string }): string {
  const site = /^(.*)\/p\/[0-9a-f-]{36}\/?$/.exec(url)?.[1]
  return site === undefined ? url : `${site}/ghost/#/editor/${entity === 'posts' ? 'post' : 'page'}/${id}`
}

/** The same functions, run outside the event loop for long texts. */
export const mapping = runBeside(import.meta.url, { toRecord, toPostRequest, asStored, toStored, writeComment })
