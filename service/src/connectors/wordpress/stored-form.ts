import { createHash } from 'node:crypto'
import { plainWords } from '../../text/plain-words.ts'
import type { OutgoingContent, StoredContent } from '../contract.ts'
import {
  commentAuthor,
  commentHtml,
  commentStatus,
  dateOf,
  idOf,
  idsOf,
  mediaTitle,
  postHtml,
  termSlug,
  textOf,
  toSeconds,
  wantedStatus,
} from './from-family.ts'
import { type LeftOut, readLetters, unmarkHtml } from './mark-record.ts'
import { normalizeHtml, plainLine } from './read-html.ts'
import { takeWhole } from './schema.ts'
import { comparableSlug } from './write-slug.ts'

// Two ways to the same form: from what is sent (`asStored`), and from what WordPress has (`toStored`). Where it decides
// by itself (the number behind a slug, the author when none was sent), both leave it out.

export type WrittenEntity = 'posts' | 'pages' | 'tags' | 'categories' | 'media' | 'comments'

export interface StoredRecord extends StoredContent {
  version: string
  url: string
  /** Whatever tells our own records; null when there is no such place. */
  marker: string | null
}

type Fields = Record<string, unknown>

const idText = (id: number): string | null => (id === 0 ? null : String(id))
const idTexts = (ids: readonly number[]): string[] => [...new Set(ids)].sort((a, b) => a - b).map(String)
const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trim()
const content = (fields: Fields, createdAt: string | null = null): StoredContent => ({
  fields,
  customFields: {},
  createdAt,
  updatedAt: null,
})
/**
 * What is there stands for what was wanted only as long as nobody has more readers by it: a draft for what was due too
 * early, and what has come out by itself once its time had come.
 */
function storedStatus(status: string, leftOut: ReadonlySet<LeftOut>, date: string): string {
  const isOut = status === 'publish' && Date.parse(date) <= Date.now()
  if (leftOut.has('missed')) return status === 'draft' ? 'future' : byHand(status)
  if (!leftOut.has('scheduled') && !leftOut.has('later')) return status
  if (status !== 'future' && !isOut) return byHand(status)
  return leftOut.has('scheduled') ? 'future' : 'publish'
}

/** Like nothing that is ever sent. */
const byHand = (status: string) => `${status} by hand`
const formats: Record<string, string | null> = { standard: null, text: null, image: 'photo' }

const sentForms: Record<WrittenEntity, (sent: OutgoingContent) => StoredContent> = {
  posts: (sent) => {
    const { fields } = sent
    const format = textOf(fields, 'format')
    return content({
      ...sentWriting(sent),
      tags: idTexts(idsOf(fields, 'tags')),
      categories: idTexts(idsOf(fields, 'categories')),
      is_featured: (fields.is_featured === true && !fields.password) || null,
      format: format in formats ? formats[format] : format,
    })
  },
  pages: (sent) =>
    content({
      ...sentWriting(sent),
      parent_page: idText(idOf(sent.fields, 'parent_page')),
      position: Number(sent.fields.position ?? 0) || null,
    }),
  tags: ({ fields }) => content(sentTerm(fields)),
  categories: ({ fields }) =>
    content({ ...sentTerm(fields), parent_category: idText(idOf(fields, 'parent_category')) }),
  media: ({ fields }) =>
    content({
      title: plainLine(mediaTitle(fields)),
      alt: plainLine(textOf(fields, 'alt')),
      caption: lines(textOf(fields, 'caption')),
      description: lines(textOf(fields, 'description')),
    }),
  comments: ({ fields, createdAt }) => {
    const { author, name, email, url } = commentAuthor(fields)
    return content(
      {
        post: idText(idOf(fields, 'post')),
        parent_comment: idText(idOf(fields, 'parent_comment')),
        status: commentStatus(fields),
        body: normalizeHtml(commentHtml(fields)),
        // An account brings its own name along.
        ...(author === null ? { author_name: name, author_email: email, author_url: url } : { author: String(author) }),
      },
      toSeconds(createdAt),
    )
  },
}

function sentWriting(sent: OutgoingContent): Fields {
  const { fields } = sent
  return {
    title: lines(textOf(fields, 'title')),
    slug: comparableSlug(textOf(fields, 'slug')),
    body: normalizeHtml(postHtml(fields)),
    excerpt: lines(textOf(fields, 'excerpt')),
    status: wantedStatus(sent),
    published_at: dateOf(sent),
    authors: textOf(fields, 'authors'),
    feature_image: idText(idOf(fields, 'feature_image')),
    comments_enabled: typeof fields.comments_enabled === 'boolean' ? fields.comments_enabled : null,
    password: textOf(fields, 'password'),
  }
}

const sentTerm = (fields: Fields): Fields => ({
  name: plainLine(textOf(fields, 'name')),
  slug: comparableSlug(termSlug(fields)),
  description: lines(textOf(fields, 'description')),
})

export const asStored = (entity: WrittenEntity, sent: OutgoingContent): StoredContent => sentForms[entity](sent)

/** A record as WordPress has it now. */
export function toStored(entity: WrittenEntity, record: unknown): StoredRecord {
  if (entity === 'posts' || entity === 'pages') return storedWriting(entity, record)
  if (entity === 'media') return storedMedium(record)
  if (entity === 'comments') return storedComment(record)
  const raw = entity === 'categories' ? takeWhole('categories', record) : { ...takeWhole('tags', record), parent: 0 }
  const stored = content({
    name: plainLine(plainWords(raw.name)),
    slug: comparableSlug(raw.slug),
    description: lines(plainWords(raw.description)),
    ...(entity === 'categories' ? { parent_category: idText(raw.parent) } : {}),
  })
  return { ...stored, version: versionOf(stored, [raw.slug]), url: raw.link, marker: null }
}

function storedWriting(entity: 'posts' | 'pages', record: unknown): StoredRecord {
  const raw = entity === 'posts' ? takeWhole('posts', record) : takeWhole('pages', record)
  const { html, marker, leftOut } = unmarkHtml(raw.content.raw)
  const stored = content({
    title: lines(plainWords(raw.title.raw)),
    slug: leftOut.has('slug') ? null : comparableSlug(raw.slug),
    body: normalizeHtml(html),
    excerpt: lines(plainWords(raw.excerpt.raw)),
    status: storedStatus(raw.status, leftOut, `${raw.date_gmt}Z`),
    published_at: leftOut.has('date') ? null : `${raw.date_gmt}Z`,
    authors: leftOut.has('author') ? null : idText(raw.author),
    feature_image: idText(raw.featured_media),
    comments_enabled: leftOut.has('comments') ? null : raw.comment_status === 'open',
    password: raw.password,
    ...('tags' in raw
      ? {
          tags: idTexts(raw.tags),
          categories: idTexts(raw.categories),
          is_featured: raw.sticky || null,
          format: raw.format in formats ? formats[raw.format] : raw.format,
        }
      : { parent_page: idText(raw.parent), position: raw.menu_order || null }),
  })
  // Also what we left to WordPress, and did not compare above.
  const left = [raw.modified_gmt, raw.slug, raw.date_gmt, raw.author, raw.comment_status]
  return { ...stored, version: versionOf(stored, left), url: raw.link, marker }
}

function storedMedium(record: unknown): StoredRecord {
  const raw = takeWhole('media', record)
  const stored = content({
    title: plainLine(plainWords(raw.title.raw)),
    alt: plainLine(plainWords(raw.alt_text)),
    caption: lines(plainWords(raw.caption.raw)),
    description: lines(plainWords(raw.description.raw)),
  })
  return {
    ...stored,
    version: versionOf(stored, [raw.modified_gmt, raw.slug, raw.author]),
    url: raw.source_url,
    marker: raw.slug,
  }
}

function storedComment(record: unknown): StoredRecord {
  const raw = takeWhole('comments', record)
  const leftOut = readLetters(/^Wherry ([a-z]*)$/.exec(raw.author_user_agent)?.[1] ?? '')
  const guest = {
    author_name: leftOut.has('byline') ? null : plainLine(plainWords(raw.author_name)),
    author_email: raw.author_email,
    author_url: raw.author_url,
  }
  const stored = content(
    {
      post: idText(raw.post),
      parent_comment: idText(raw.parent),
      status: raw.status,
      body: normalizeHtml(raw.content.raw),
      ...(raw.author === 0 ? guest : { author: String(raw.author) }),
    },
    leftOut.has('date') ? null : `${raw.date_gmt}Z`,
  )
  const left = [raw.author_name, raw.date_gmt]
  return { ...stored, version: versionOf(stored, left), url: raw.link, marker: raw.author_ip }
}

/**
 * Changes with everything that people can change; `beside` is what is not compared. What it hangs on stands beside,
 * readable: when that is removed, it moves up.
 */
function versionOf({ fields, createdAt }: StoredContent, beside: readonly unknown[]): string {
  const { parent_page, parent_category, parent_comment, ...own } = fields
  const hash = createHash('sha256')
    .update(JSON.stringify([own, createdAt, beside]))
    .digest('hex')
    .slice(0, 32)
  return `${hash}|${parent_page ?? parent_category ?? parent_comment ?? ''}`
}
