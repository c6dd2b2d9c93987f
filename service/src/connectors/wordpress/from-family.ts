import { escapeText } from '../../text/plain-words.ts'
import type { WriteLoss } from '../../warnings/codes.ts'
import { asciiAddress } from '../ascii-address.ts'
import type { OutgoingContent, OutgoingRecord, SentRelation } from '../contract.ts'
import { hideSigns, hideSmileys } from './hide-signs.ts'
import { addressOf, type LeftOut, markHtml, writeByline, writeLetters } from './mark-record.ts'
import { plainLine } from './read-html.ts'
import { writeCommentHtml } from './write-comment-html.ts'
import { writeSlug } from './write-slug.ts'

// Record → request. Pure.

type Fields = OutgoingContent['fields']

const statuses: Record<string, string> = { published: 'publish', scheduled: 'future' }
const formats: Record<string, string> = { text: 'standard', photo: 'image' }

export const textOf = (fields: Fields, name: string): string =>
  typeof fields[name] === 'string' ? fields[name].toWellFormed().replaceAll('\0', '') : ''
const relationId = (value: unknown): number => Number((value as SentRelation | undefined)?.destinationId ?? 0)
export const idOf = (fields: Fields, name: string): number => relationId(fields[name])
export const idsOf = (fields: Fields, name: string): number[] =>
  ((fields[name] as SentRelation[] | undefined) ?? []).map(relationId)

/** WordPress counts in whole seconds, and takes the very first one for no time at all. */
export function toSeconds(moment: unknown): string | null {
  const ms = typeof moment === 'string' ? Math.floor(Date.parse(moment) / 1000) * 1000 : Number.NaN
  if (Number.isNaN(ms)) return null
  return new Date(ms === 0 ? 1000 : ms).toISOString().replace('.000Z', 'Z')
}

/** A text has one date. */
export const dateOf = ({ fields, createdAt }: OutgoingContent): string | null =>
  toSeconds(fields.published_at ?? createdAt)

/** A protected text is open to everyone who has the password, so it has to be published. */
export function wantedStatus(content: OutgoingContent): string {
  const { fields } = content
  const status = textOf(fields, 'status') || 'draft'
  if (status === 'private' && textOf(fields, 'password') !== '') return 'publish'
  if (status === 'scheduled' && dateOf(content) === null) return 'draft'
  return statuses[status] ?? status
}

/** WordPress publishes at once what was scheduled for a time that has passed. It was not out, so it stays a draft. */
export function statusOf(content: OutgoingContent, now: number): { status: string; leftOut: LeftOut[] } {
  const status = wantedStatus(content)
  const isDue = Date.parse(dateOf(content) ?? '') <= now
  if (status === 'future') {
    return isDue ? { status: 'draft', leftOut: ['scheduled', 'missed'] } : { status, leftOut: ['scheduled'] }
  }
  const isLater = status === 'publish' && Date.parse(dateOf(content) ?? '') > now
  return isLater ? { status: 'future', leftOut: ['later'] } : { status, leftOut: [] }
}

export const lossesOf = (content: OutgoingContent, now: number): WriteLoss[] =>
  statusOf(content, now).leftOut.includes('missed') ? ['due_kept_as_draft'] : []

export function toPostRequest(
  entity: 'posts' | 'pages',
  record: OutgoingRecord,
  now = Date.now(),
): Record<string, unknown> {
  const { key, fields, createdBy } = record
  const date = dateOf(record)
  const slug = writeSlug(textOf(fields, 'slug'))
  const author = textOf(fields, 'authors') || createdBy?.userId || null
  // A person who stands in for an author without an account did not write it.
  const nameless = createdBy?.userId === null ? createdBy.name.trim() : ''
  const saidBy = nameless === '' ? '' : writeByline(escapeText(nameless))
  const { status, leftOut } = statusOf(record, now)
  if (!textOf(fields, 'authors')) leftOut.push('author')
  if (saidBy !== '') leftOut.push('byline')
  if (typeof fields.comments_enabled !== 'boolean') leftOut.push('comments')
  if (date === null) leftOut.push('date')
  if (slug === '') leftOut.push('slug')
  const password = textOf(fields, 'password')
  return {
    title: escapeText(textOf(fields, 'title')),
    content: markHtml(`${postHtml(fields)}${saidBy}`, key, leftOut),
    excerpt: hideSmileys(escapeText(textOf(fields, 'excerpt'))),
    status,
    password,
    featured_media: idOf(fields, 'feature_image'),
    ...(date === null ? {} : { date_gmt: date }),
    ...(slug === '' ? {} : { slug }),
    ...(author === null ? {} : { author: Number(author) }),
    ...(typeof fields.comments_enabled === 'boolean'
      ? { comment_status: fields.comments_enabled ? 'open' : 'closed' }
      : {}),
    ...(entity === 'posts'
      ? {
          tags: idsOf(fields, 'tags'),
          categories: idsOf(fields, 'categories'),
          // WordPress refuses both at once; who needs the password would miss it more.
          sticky: fields.is_featured === true && password === '',
          format: formats[textOf(fields, 'format')] ?? (textOf(fields, 'format') || 'standard'),
        }
      : { parent: idOf(fields, 'parent_page'), menu_order: Number(fields.position ?? 0) }),
  }
}

export function toTermRequest(entity: 'tags' | 'categories', { fields }: OutgoingRecord): Record<string, unknown> {
  return {
    name: escapeText(plainLine(textOf(fields, 'name'))),
    slug: termSlug(fields),
    description: escapeText(textOf(fields, 'description').trim()),
    ...(entity === 'categories' ? { parent: idOf(fields, 'parent_category') } : {}),
  }
}

/** Always given, so that it is known afterwards. */
export const termSlug = (fields: Fields): string =>
  writeSlug(textOf(fields, 'slug')) || writeSlug(textOf(fields, 'name')) || 'term'

/** What stands for an empty comment, which WordPress refuses. */
const nothing = '&nbsp;'

export const postHtml = (fields: Fields): string => hideSigns(textOf(fields, 'body'))

export const commentHtml = (fields: Fields): string => hideSmileys(writeCommentHtml(textOf(fields, 'body'))) || nothing

export const commentStatus = (fields: Fields): string => {
  const status = textOf(fields, 'status')
  return ['approved', 'spam', 'trash'].includes(status) ? status : 'hold'
}

/** Who wrote it. Addresses that WordPress would refuse, and the comment with them, are left out. */
export function commentAuthor(fields: Fields): { author: number | null; name: string; email: string; url: string } {
  const email = asciiAddress(textOf(fields, 'author_email').trim())
  const url = textOf(fields, 'author_url').trim()
  return {
    author: textOf(fields, 'author') === '' ? null : Number(fields.author),
    name: plainLine(textOf(fields, 'author_name')),
    email: plainEmail.test(email) && email.length <= 100 ? email : '',
    url: plainUrl.test(url) && url.length <= 200 ? url : '',
  }
}

const plainEmail =
  /^[a-z0-9!#$%*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][a-z0-9\-._~:/?#@!$()*+,;=%]*)?$/i

/** The comment as it shall be in the end. Without address and agent, WordPress would put those of our request. */
export function toCommentRequest(record: OutgoingRecord): Record<string, unknown> {
  const { key, fields, createdAt, createdBy } = record
  const { author, name, email, url } = commentAuthor(fields)
  const date = toSeconds(createdAt)
  const isSaid = author === null && name === '' && createdBy !== null
  const leftOut: LeftOut[] = [...(date === null ? ['date' as const] : []), ...(isSaid ? ['byline' as const] : [])]
  return {
    post: idOf(fields, 'post'),
    parent: idOf(fields, 'parent_comment'),
    content: commentHtml(fields),
    author_name: escapeText(isSaid ? plainLine(createdBy.name) : name),
    author_email: email,
    author_url: url,
    ...(author === null ? {} : { author }),
    ...(date === null ? {} : { date_gmt: date }),
    ...commentMark(key, leftOut),
  }
}

/** Every comment that we wrote says so, where only administrators look. */
export const commentAgent = 'Wherry'

export const commentMark = (key: string, leftOut: readonly LeftOut[] = []) => ({
  author_ip: addressOf(key),
  author_user_agent: `${commentAgent} ${writeLetters(leftOut)}`.trim(),
})

/** Title, caption and the like of a file; without a title WordPress would make one of what the camera wrote. */
export function toMediaRequest({ fields, createdAt, createdBy }: OutgoingRecord): Record<string, string> {
  const date = toSeconds(createdAt)
  return {
    title: escapeText(mediaTitle(fields)),
    caption: escapeText(textOf(fields, 'caption').trim()),
    description: escapeText(textOf(fields, 'description').trim()),
    alt_text: escapeText(plainLine(textOf(fields, 'alt'))),
    ...(date === null ? {} : { date_gmt: date }),
    ...(createdBy?.userId ? { author: createdBy.userId } : {}),
  }
}

export const mediaTitle = (fields: Fields): string =>
  textOf(fields, 'title').trim() ||
  textOf(fields, 'file_name')
    .replace(/\.[^.]*$/, '')
    .trim() ||
  'File'
