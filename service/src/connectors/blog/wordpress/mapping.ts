import { runBeside } from '../../../threads/run-beside.ts'
import type { OutgoingContent, OutgoingRecord, StoredContent } from '../../contract/contract.ts'
import type { FoundContent } from '../../kit/find.ts'
import type { LeftOut } from '../../kit/left-out.ts'
import { type MappedRecord, readRecord } from '../../kit/read-record.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { versionInTree } from '../../kit/version.ts'
import * as kit from '../../kit/write-record.ts'
import { type EntityName, entities, isNameless, type Raw } from './entities.ts'
import { type Surroundings, toSeconds } from './lenses.ts'
import { commentMark, readAgent, unmarkHtml } from './mark-record.ts'

// Converts records to the family, records to requests, and both sides to the form that is compared. Pure.

export const toRecord = (entity: EntityName, raw: Raw, around: Surroundings): MappedRecord =>
  readRecord(entities[entity], raw, around)

/** The request for the record's final state. Comments reach it in several steps, see write-comments.ts. */
export function toRequest(entity: EntityName, record: OutgoingRecord, now = Date.now()): Record<string, unknown> {
  const { key, createdAt, createdBy } = record
  const { status, ...body } = kit.writeRecord(entities[entity], record, { isWhole: true, now })
  if (entity === 'media') return { ...body, ...(createdBy?.userId ? { author: createdBy.userId } : {}) }
  if (entity !== 'comments') return status === undefined ? body : { ...body, status }
  const isSaid = isNameless(record) && createdBy !== null
  return { ...body, ...commentMark(key, thatHold([toSeconds(createdAt) === null, 'date'], [isSaid, 'byline'])) }
}

export const asStored = (entity: EntityName, content: OutgoingContent): StoredContent =>
  kit.asStored(entities[entity], content)

/** Values that people can change and that are not among the compared fields. */
const beside: Record<EntityName, readonly string[]> = {
  posts: ['modified_gmt', 'slug', 'date_gmt', 'author', 'comment_status'],
  pages: ['modified_gmt', 'slug', 'date_gmt', 'author', 'comment_status'],
  media: ['modified_gmt', 'slug', 'author'],
  tags: ['slug'],
  categories: ['slug'],
  comments: ['author_name', 'date_gmt'],
}

/** A record in WordPress' current form. Values that WordPress decides are left out here, as in `asStored`. */
export function toStored(entity: EntityName, given: unknown): FoundContent {
  const raw = kit.requireWhole('WordPress', entities[entity], given)
  const { marker, ...own } = readMark(entity, raw)
  const stored = kit.toStored('WordPress', entities[entity], { ...raw, ...own })
  const { parent_page, parent_category, parent_comment, ...fields } = stored.fields
  const left = beside[entity].map((name) => raw[name])
  const version = versionInTree(parent_page ?? parent_category ?? parent_comment, fields, stored.createdAt, left)
  return { ...stored, version, url: String(raw[entity === 'media' ? 'source_url' : 'link']), marker }
}

function readMark(
  entity: EntityName,
  { content, slug, author_ip, author_user_agent }: Record<string, unknown>,
): { marker: string | null; left_out?: ReadonlySet<LeftOut>; content?: unknown } {
  // WordPress appends a number to a slug that is taken. Without the number, a second copy of ours is found too.
  if (entity === 'media') return { marker: String(slug).replace(/-\d+$/, '') }
  if (entity === 'comments') return { marker: String(author_ip), left_out: readAgent(author_user_agent) }
  if (entity === 'tags' || entity === 'categories') return { marker: null }
  const { html, marker, leftOut } = unmarkHtml((content as { raw: string }).raw)
  return { marker, left_out: leftOut, content: { raw: html, rendered: '' } }
}

/** The same functions, run outside the event loop for long texts. */
export const mapping = runBeside(import.meta.url, { toRecord, toRequest, asStored, toStored })
