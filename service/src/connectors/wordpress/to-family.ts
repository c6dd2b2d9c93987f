import type { FamilyRecord, FieldValue, RecordRef, RichText } from '../../families/record.ts'
import { plainWords } from '../../text/plain-words.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract.ts'
import { mediaFile } from './media-file.ts'
import { type ListName, type Raw, type RawRecord, takeFields } from './schema.ts'
import { readSlug } from './write-slug.ts'

// Raw → record. Pure; what could not be taken along stands beside the record as warnings.

export interface MappedRecord {
  record: FamilyRecord
  warnings: RecordWarning[]
}

/** What a page of records refers to, asked for once a page. What was deleted is not in it. */
export interface Surroundings {
  users: ReadonlySet<number>
  comments: ReadonlySet<number>
  /** Pictures by their ids. */
  media: ReadonlyMap<number, Raw<'media'>>
  /** Of each record the addresses in its text that lead to media records. */
  shown: ReadonlyMap<number, { url: string; attachment: string }[]>
}

type Parts = Omit<FamilyRecord, 'entity' | 'sourceId' | 'fields'> & {
  fields: Record<string, FieldValue | undefined>
  lost?: [code: SourceWarning, message: string][]
}

function map<E extends Exclude<ListName, 'users'>>(
  entity: E,
  given: RawRecord,
  required: string,
  toParts: (raw: Raw<E>) => Parts,
): MappedRecord {
  const { raw, odd } = takeFields(entity, given)
  const { fields, lost = [], ...rest } = toParts(raw)
  const sourceId = String(given.id)
  const present = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined)
  const record: FamilyRecord = { entity, sourceId, ...rest, fields: Object.fromEntries(present) }
  const unreadable = odd.map((name): [SourceWarning, string] => [
    'field_unreadable',
    `The field "${name}" holds something other than expected and was left out.`,
  ])
  const empty = [undefined, null, ''].includes(record.fields[required] as string)
  const missing: [SourceWarning, string][] = empty ? [['required_empty', `The field "${required}" is empty.`]] : []
  const warnings = [...unreadable, ...lost, ...missing].map(([code, message]) => ({ entity, sourceId, code, message }))
  return { record, warnings }
}

const statuses: Record<string, string> = { publish: 'published', future: 'scheduled' }
const formats: Record<string, string> = { standard: 'text', image: 'photo' }

/** People with the password may read it once it is published, and nobody else: no other word comes closer. */
function statusOf({ status, password }: { status?: string; password?: string }): string | undefined {
  if (status === 'publish' && password !== '') return password === undefined ? undefined : 'private'
  return status && (statuses[status] ?? status)
}

/** Not yet out: their date is only when they were last saved. */
const unpublished = new Set(['draft', 'pending', 'auto-draft'])

function toWriting(raw: Raw<'posts'> & Raw<'pages'>, around: Surroundings): Parts {
  const lost: [SourceWarning, string][] = []
  const image = raw.featured_media ? around.media.get(raw.featured_media) : undefined
  if (raw.featured_media && !image) lost.push(['image_missing', 'Its featured image has been deleted.'])
  const hasAuthor = raw.author !== undefined && raw.author > 0 && around.users.has(raw.author)
  if (raw.author !== undefined && !hasAuthor) lost.push(['author_missing', 'Its author has no account any more.'])
  const author = hasAuthor ? { userId: String(raw.author) } : undefined
  const isPublished = raw.status !== undefined && !unpublished.has(raw.status)
  const createdAt = raw.date_gmt && toMoment(raw.date_gmt)
  return {
    ...(raw.link === undefined ? {} : { sourceUrl: raw.link }),
    ...stamps(raw),
    ...(author ? { createdBy: author } : {}),
    lost,
    fields: {
      title: raw.title && plainWords(raw.title.raw),
      slug: raw.slug === undefined ? undefined : readSlug(raw.slug),
      body: raw.content && toHtml(raw.content.rendered, around.shown.get(raw.id)),
      excerpt: raw.excerpt && plainWords(raw.excerpt.raw),
      status: statusOf(raw),
      published_at: isPublished ? createdAt : undefined,
      authors: author ? [author] : [],
      feature_image: image ? toRef('media', image.id) : undefined,
      feature_image_alt: image?.alt_text && plainWords(image.alt_text),
      feature_image_caption: image?.caption && plainWords(image.caption.raw),
      comments_enabled: raw.comment_status === undefined ? undefined : raw.comment_status === 'open',
      password: raw.password,
    },
  }
}

export function toPost(given: RawRecord, around: Surroundings): MappedRecord {
  return map('posts', given, 'title', (raw) => {
    const { fields, ...rest } = toWriting(raw, around)
    return {
      ...rest,
      fields: {
        ...fields,
        tags: raw.tags?.map((id) => toRef('tags', id)),
        categories: raw.categories?.map((id) => toRef('categories', id)),
        is_featured: raw.sticky,
        format: raw.format && (formats[raw.format] ?? raw.format),
      },
    }
  })
}

export function toPage(given: RawRecord, around: Surroundings): MappedRecord {
  return map('pages', given, 'title', (raw) => {
    const { fields, ...rest } = toWriting(raw, around)
    const parent = raw.parent ? toRef('pages', raw.parent) : undefined
    return { ...rest, fields: { ...fields, parent_page: parent, position: raw.menu_order } }
  })
}

export function toMedium(given: RawRecord, around: Surroundings): MappedRecord {
  return map('media', given, 'file_name', (raw) => {
    const file = mediaFile(raw)
    return {
      ...(raw.link === undefined ? {} : { sourceUrl: raw.link }),
      ...stamps(raw),
      ...(raw.author && around.users.has(raw.author) ? { createdBy: { userId: String(raw.author) } } : {}),
      fields: {
        file_name: file?.name,
        content_type: raw.mime_type,
        size: file?.size ?? undefined,
        alt: raw.alt_text === undefined ? undefined : plainWords(raw.alt_text),
        caption: raw.caption && plainWords(raw.caption.raw),
        description: raw.description && plainWords(raw.description.raw),
        title: raw.title && plainWords(raw.title.raw),
        original_url: file?.url,
      },
    }
  })
}

const toTermParts = (raw: Raw<'tags'>): Parts => ({
  ...(raw.link === undefined ? {} : { sourceUrl: raw.link }),
  fields: {
    name: raw.name === undefined ? undefined : plainWords(raw.name),
    slug: raw.slug === undefined ? undefined : readSlug(raw.slug),
    description: raw.description === undefined ? undefined : plainWords(raw.description),
  },
})

export const toTag = (given: RawRecord): MappedRecord => map('tags', given, 'name', toTermParts)

export function toCategory(given: RawRecord): MappedRecord {
  return map('categories', given, 'name', (raw) => {
    const { fields, ...rest } = toTermParts(raw)
    return { ...rest, fields: { ...fields, parent_category: raw.parent ? toRef('categories', raw.parent) : undefined } }
  })
}

const commentedOn: Record<string, string> = { post: 'posts', page: 'pages' }

export function toComment(given: RawRecord, around: Surroundings): MappedRecord {
  return map('comments', given, 'post', (raw) => {
    const lost: [SourceWarning, string][] = []
    const entity = commentedOn[raw._links?.up[0]?.post_type ?? '']
    if (entity === undefined) lost.push(['parent_not_moved', 'It was written on something that is not moved.'])
    const hasParent = raw.parent !== undefined && raw.parent > 0 && around.comments.has(raw.parent)
    if (raw.parent && !hasParent) lost.push(['parent_not_moved', 'It answers a comment that was deleted or is spam.'])
    // Comments stay when an account is deleted; then only the name is left.
    const author = raw.author && around.users.has(raw.author) ? { userId: String(raw.author) } : undefined
    return {
      ...(raw.link === undefined ? {} : { sourceUrl: raw.link }),
      ...(raw.date_gmt === undefined ? {} : { createdAt: toMoment(raw.date_gmt) }),
      ...(author ? { createdBy: author } : {}),
      lost,
      fields: {
        post: entity && raw.post ? toRef(entity, raw.post) : undefined,
        author_name: raw.author_name === undefined ? undefined : plainWords(raw.author_name),
        author_email: raw.author_email ? { address: raw.author_email } : undefined,
        author_url: raw.author_url || undefined,
        author,
        body: raw.content && toHtml(raw.content.rendered, around.shown.get(raw.id)),
        status: raw.status === 'hold' ? 'pending' : raw.status,
        parent_comment: hasParent ? toRef('comments', Number(raw.parent)) : undefined,
      },
    }
  })
}

const kinds = {
  media: toMedium,
  tags: toTag,
  categories: toCategory,
  posts: toPost,
  pages: toPage,
  comments: toComment,
}
export type Entity = keyof typeof kinds

export const toRecord = (entity: Entity, given: RawRecord, around: Surroundings): MappedRecord =>
  kinds[entity](given, around)

export const toMoment = (text: string): string => new Date(`${text}Z`).toISOString()

/**
 * A record that was never changed carries its own date as the time of its last change, even if it was made today and
 * dated years back. So that time says nothing.
 */
function stamps({ date_gmt, modified_gmt }: { date_gmt?: string; modified_gmt?: string }) {
  return {
    ...(date_gmt === undefined ? {} : { createdAt: toMoment(date_gmt) }),
    ...(modified_gmt === undefined || modified_gmt === date_gmt ? {} : { updatedAt: toMoment(modified_gmt) }),
  }
}

const toRef = (entity: string, id: number): RecordRef => ({ entity, sourceId: String(id) })

const toHtml = (body: string, inlineFiles: { url: string; attachment: string }[] = []): RichText => ({
  format: 'html',
  body,
  ...(inlineFiles.length > 0 ? { inlineFiles } : {}),
})
