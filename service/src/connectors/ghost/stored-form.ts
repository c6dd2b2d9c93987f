import { createHash } from 'node:crypto'
import { plainWords } from '../../text/plain-words.ts'
import type { OutgoingContent, StoredContent } from '../contract.ts'
import { comparableBody } from './compare-body.ts'
import {
  authorIds,
  commentStatus,
  dateOf,
  emailOf,
  idOf,
  isSubscribed,
  labelsOf,
  lineOf,
  linesOf,
  tagIds,
  textOf,
  titleOf,
  toSeconds,
  visibilityOf,
  wantedStatus,
} from './from-family.ts'
import { dropByline, type LeftOut, readHead, readNote } from './mark-record.ts'
import { safeAddress } from './safe-address.ts'
import { takeWhole, type Whole } from './schema.ts'
import { writeBody } from './write-body.ts'
import { comparableComment, writeComment } from './write-comment.ts'
import { comparableSlug, isPlainSlug, writeSlug } from './write-slug.ts'

// Two ways to the same form: from what is sent (`asStored`), and from what Ghost has (`toStored`). Where it decides by
// itself (the number behind a slug, the author when none was sent), both leave it out.

/** Ghost has no categories; they become tags. */
export type WrittenEntity = 'posts' | 'pages' | 'tags' | 'categories' | 'media' | 'comments' | 'subscribers'

export interface StoredRecord extends StoredContent {
  version: string
  url: string | null
  /** Whatever tells our own records; null when someone has taken it out. */
  marker: string | null
}

type Fields = Record<string, unknown>

const content = (fields: Fields, createdAt: string | null = null): StoredContent => ({
  fields,
  customFields: {},
  createdAt,
  updatedAt: null,
})
const sentSlug = (fields: Fields): string | null => {
  const slug = writeSlug(textOf(fields, 'slug'))
  return isPlainSlug(slug) ? comparableSlug(slug) : null
}
const sentTag = ({ fields }: OutgoingContent) =>
  content({
    name: lineOf(fields, 'name'),
    slug: sentSlug(fields),
    description: linesOf(fields, 'description'),
  })

export function asStored(entity: WrittenEntity, sent: OutgoingContent, site: string): StoredContent {
  const { fields, createdAt } = sent
  switch (entity) {
    case 'posts':
    case 'pages':
      return sentWriting(entity, sent, site)
    case 'tags':
    case 'categories':
      return sentTag(sent)
    case 'media':
      // Of a file Ghost keeps the bytes alone.
      return content({})
    case 'comments':
      return content(
        {
          post: idOf(fields, 'post'),
          parent_comment: idOf(fields, 'parent_comment'),
          status: commentStatus(fields),
          body: comparableComment(writeComment(textOf(fields, 'body'))),
          author_email: emailOf(fields, 'author_email'),
        },
        toSeconds(createdAt),
      )
    case 'subscribers':
      // The time is kept, but for people who had commented before: those are there already.
      return content({
        email: emailOf(fields, 'email'),
        name: lineOf(fields, 'name'),
        status: isSubscribed(fields),
        labels: labelsOf(fields)
          .map((label) => label.toLowerCase())
          .sort(),
        note: linesOf(fields, 'note'),
      })
  }
}

function sentWriting(entity: 'posts' | 'pages', sent: OutgoingContent, site: string): StoredContent {
  const { fields } = sent
  const canonical = textOf(fields, 'canonical_url').trim()
  return content({
    title: titleOf(fields),
    slug: sentSlug(fields),
    body: comparableBody(writeBody(textOf(fields, 'body'), site)),
    excerpt: linesOf(fields, 'excerpt'),
    status: wantedStatus(sent),
    visibility: visibilityOf(fields),
    published_at: dateOf(sent),
    authors: authorIds(fields),
    tags: tagIds(fields),
    feature_image: idOf(fields, 'feature_image'),
    feature_image_alt: lineOf(fields, 'feature_image_alt'),
    feature_image_caption: lineOf(fields, 'feature_image_caption'),
    seo_title: lineOf(fields, 'seo_title'),
    seo_description: linesOf(fields, 'seo_description'),
    canonical_url: URL.canParse(canonical) ? canonical : '',
    ...(entity === 'posts' ? { is_featured: fields.is_featured === true || null } : {}),
  })
}

/** A record as Ghost has it now. */
export function toStored(entity: Exclude<WrittenEntity, 'media'>, record: unknown): StoredRecord {
  switch (entity) {
    case 'posts':
    case 'pages':
      return storedWriting(entity, record)
    case 'comments':
      return storedComment(record)
    case 'subscribers':
      return storedMember(record)
    default:
      return storedTag(record)
  }
}

function storedWriting(entity: 'posts' | 'pages', record: unknown): StoredRecord {
  const raw = takeWhole(entity, record)
  const { marker, leftOut } = readHead(raw.codeinjection_head)
  const html = raw.html ?? ''
  const words = (text: string | null) => (text ?? '').trim()
  const stored = content({
    title: raw.title,
    slug: leftOut.has('slug') ? null : comparableSlug(raw.slug),
    body: comparableBody(leftOut.has('byline') ? dropByline(html) : html),
    excerpt: words(raw.custom_excerpt),
    status: storedStatus(raw.status, leftOut, raw.published_at),
    visibility: raw.visibility,
    published_at: leftOut.has('date') ? null : toSeconds(raw.published_at),
    authors: leftOut.has('author') ? [] : raw.authors.map(({ id }) => id),
    tags: raw.tags.map(({ id }) => id),
    feature_image: raw.feature_image,
    feature_image_alt: words(raw.feature_image_alt),
    feature_image_caption: plainWords(raw.feature_image_caption ?? ''),
    seo_title: words(raw.meta_title),
    seo_description: words(raw.meta_description),
    canonical_url: words(raw.canonical_url),
    ...(entity === 'posts' ? { is_featured: raw.featured || null } : {}),
  })
  // Also what we left to Ghost, and did not compare above.
  const left = [raw.updated_at, raw.slug, raw.published_at, raw.authors.map(({ id }) => id)]
  const beside = [raw.codeinjection_head, raw.codeinjection_foot, raw.custom_template, raw.email_subject]
  const shown = [raw.show_title_and_feature_image, raw.frontmatter, ...sharedWith(raw)]
  return {
    ...stored,
    version: versionOf(stored, [...left, ...beside, ...shown]),
    url: safeAddress(entity, raw),
    marker,
  }
}

/** How other sites show a link to it. */
const sharedWith = (raw: Whole<'posts'> | Whole<'tags'>) => [
  ...[raw.og_image, raw.og_title, raw.og_description],
  ...[raw.twitter_image, raw.twitter_title, raw.twitter_description],
]

/**
 * What is there stands for what was wanted only as long as nobody has more readers by it: a draft of ours until someone
 * publishes it, and what has come out by itself once its time had come.
 */
function storedStatus(status: string, leftOut: ReadonlySet<LeftOut>, date: string | null): string {
  const isOut = status === 'published' && date !== null && Date.parse(date) <= Date.now()
  const wanted = leftOut.has('scheduled') ? 'scheduled' : 'published'
  if (leftOut.has('private')) return status === 'draft' ? 'private' : byHand(status)
  if (leftOut.has('passed')) return status === 'draft' ? wanted : byHand(status)
  if (!leftOut.has('scheduled') && !leftOut.has('later')) return status
  return status === 'scheduled' || isOut ? wanted : byHand(status)
}

/** Like nothing that is ever sent. */
const byHand = (status: string) => `${status} by hand`

function storedTag(record: unknown): StoredRecord {
  const raw = takeWhole('tags', record)
  const { marker, leftOut } = readHead(raw.codeinjection_head)
  const stored = content({
    name: raw.name,
    slug: leftOut.has('slug') ? null : comparableSlug(raw.slug),
    description: (raw.description ?? '').trim(),
  })
  const beside = [raw.codeinjection_head, raw.codeinjection_foot, raw.feature_image, raw.visibility, raw.accent_color]
  const found = [raw.slug, raw.meta_title, raw.meta_description, raw.canonical_url, ...sharedWith(raw)]
  return { ...stored, version: versionOf(stored, [raw.updated_at, ...beside, ...found]), url: raw.url, marker }
}

function storedComment(record: unknown): StoredRecord {
  const raw = takeWhole('comments', record)
  const html = raw.html ?? ''
  const stored = content(
    {
      post: raw.post.id,
      parent_comment: raw.in_reply_to_id ?? raw.parent_id,
      status: raw.status,
      body: comparableComment(html),
      author_email: raw.member?.email?.toLowerCase() ?? null,
    },
    toSeconds(raw.created_at),
  )
  // Whose it is goes along with the member; that is no change of the comment.
  const own = content({ ...stored.fields, author_email: null }, stored.createdAt)
  return {
    ...stored,
    version: versionOf(own, [raw.edited_at, raw.pinned]),
    url: safeAddress('posts', raw.post).replace(/^[^#]*$/, '$&#ghost-comments'),
    marker: html,
  }
}

function storedMember(record: unknown): StoredRecord {
  const raw = takeWhole('members', record)
  const { note, marker } = readNote(raw.note)
  const stored = content({
    email: raw.email.toLowerCase(),
    name: raw.name,
    status: raw.subscribed,
    labels: raw.labels.map(({ name }) => name.toLowerCase()).sort(),
    note,
  })
  // Not when it was updated: Ghost notes there, too, when somebody was seen.
  const gets = [(raw.newsletters ?? []).map(({ id }) => id).sort(), raw.enable_comment_notifications, raw.commenting]
  const pays = [raw.status, raw.comped, raw.subscriptions, raw.tiers]
  return { ...stored, version: versionOf(stored, [raw.note, ...gets, ...pays]), url: null, marker }
}

/** Changes with everything that people can change. `beside` is what no field of the family holds. */
function versionOf({ fields, createdAt }: StoredContent, beside: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify([fields, createdAt, beside.map((value) => value ?? null)]))
    .digest('hex')
    .slice(0, 32)
}
