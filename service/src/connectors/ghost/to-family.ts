import type { FamilyRecord, FieldValue, RecordRef } from '../../families/record.ts'
import { plainWords } from '../../text/plain-words.ts'
import type { SourceWarning } from '../../warnings/codes.ts'
import type { RecordWarning } from '../contract.ts'
import { linkPlayers, listMedia } from './list-media.ts'
import { dropUnseen, readNote } from './mark-record.ts'
import { type ListName, type Raw, type RawRecord, takeFields } from './schema.ts'

// Raw → record. Pure; what could not be taken along stands beside the record as warnings.

export interface MappedRecord {
  record: FamilyRecord
  warnings: RecordWarning[]
}

/** What comments refer to, asked for once a page. */
export interface Surroundings {
  pages: ReadonlySet<string>
  comments: ReadonlySet<string>
}

type Parts = Omit<FamilyRecord, 'entity' | 'sourceId' | 'fields'> & {
  fields: Record<string, FieldValue | undefined>
  lost?: [code: SourceWarning, message: string][]
}

function map<E extends Exclude<ListName, 'users' | 'labels'>>(
  entity: string,
  list: E,
  given: RawRecord,
  required: string,
  toParts: (raw: Raw<E>) => Parts,
): MappedRecord {
  const { raw, odd } = takeFields(list, given)
  const { fields, lost = [], ...rest } = toParts(raw)
  const sourceId = given.id
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

/** Not for everyone, so no destination may show it to everyone by mistake. */
const restricted: Record<string, string> = { members: 'members', paid: 'paid', tiers: 'paid' }

/** What is not certainly for everyone has as few readers as the family knows. */
function visibilityOf(visibility: string | undefined, lost: [SourceWarning, string][]): string {
  if (visibility === 'public') return visibility
  const known = restricted[visibility ?? '']
  if (known === undefined) lost.push(['audience_narrowed', 'Who may read it is told in a word that we do not know.'])
  return known ?? 'paid'
}

function toWriting(raw: Raw<'posts'>): Parts {
  const lost: [SourceWarning, string][] = []
  const visibility = visibilityOf(raw.visibility, lost)
  if (raw.visibility === 'tiers') lost.push(['tiers_not_moved', 'Only some tiers could read it; that is not moved.'])
  if (raw.status === 'sent') lost.push(['email_only', 'It was only ever sent by e-mail.'])
  const isOut = raw.status === 'published' || raw.status === 'scheduled'
  const isPrivate = raw.status === 'sent' || (isOut && visibility !== 'public')
  const html = raw.html == null ? undefined : linkPlayers(raw.html)
  const used = html === undefined ? [] : listMedia({ html })
  const inlineFiles = [...new Map(used.map(({ url, id }) => [url, { url, attachment: id }])).values()]
  const [image] = listMedia({ feature_image: raw.feature_image ?? null })
  const authors = raw.authors?.map(({ id }) => ({ userId: id })) ?? []
  return {
    ...(raw.url === undefined ? {} : { sourceUrl: raw.url }),
    ...stamps(raw),
    ...(authors[0] ? { createdBy: authors[0] } : {}),
    lost,
    fields: {
      title: raw.title,
      slug: raw.slug,
      body:
        html === undefined
          ? undefined
          : { format: 'html', body: html, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) },
      excerpt: raw.custom_excerpt ?? undefined,
      status: isPrivate ? 'private' : raw.status,
      visibility,
      published_at: raw.published_at ? toMoment(raw.published_at) : undefined,
      authors,
      tags: raw.tags?.map(({ id }) => toRef('tags', id)),
      feature_image: image ? toRef('media', image.id) : undefined,
      feature_image_alt: raw.feature_image_alt ?? undefined,
      feature_image_caption: raw.feature_image_caption ? plainWords(raw.feature_image_caption) : undefined,
      canonical_url: raw.canonical_url ?? undefined,
      seo_title: raw.meta_title ?? undefined,
      seo_description: raw.meta_description ?? undefined,
    },
  }
}

export function toPost(given: RawRecord): MappedRecord {
  return map('posts', 'posts', given, 'title', (raw) => {
    const { fields, ...rest } = toWriting(raw)
    return { ...rest, fields: { ...fields, is_featured: raw.featured } }
  })
}

export const toPage = (given: RawRecord): MappedRecord => map('pages', 'posts', given, 'title', toWriting)

export const toTag = (given: RawRecord): MappedRecord =>
  map('tags', 'tags', given, 'name', (raw) => ({
    ...(raw.url === undefined ? {} : { sourceUrl: raw.url }),
    ...stamps(raw),
    fields: { name: raw.name, slug: raw.slug, description: raw.description ?? undefined },
  }))

export function toComment(given: RawRecord, { pages, comments }: Surroundings): MappedRecord {
  return map('comments', 'comments', given, 'post', (raw) => {
    const answered = [raw.in_reply_to_id, raw.parent_id].filter((id) => id != null)
    const parent = answered.find((id) => comments.has(id))
    const lost: [SourceWarning, string][] = []
    if (answered.length > 0 && !parent) lost.push(['parent_not_moved', 'It answers a comment that was deleted.'])
    if (raw.member === null) lost.push(['author_missing', 'Who wrote it is no member any more.'])
    return {
      ...(raw.created_at === undefined ? {} : { createdAt: toMoment(raw.created_at) }),
      lost,
      fields: {
        post: raw.post && toRef(pages.has(raw.post.id) ? 'pages' : 'posts', raw.post.id),
        author_name: raw.member?.name ?? undefined,
        author_email: raw.member?.email ? { address: raw.member.email } : undefined,
        body: raw.html == null ? undefined : { format: 'html', body: dropUnseen(raw.html) },
        // Hidden by the staff; no word of other tools comes closer.
        status: raw.status === 'published' ? 'approved' : 'pending',
        parent_comment: parent ? toRef('comments', parent) : undefined,
      },
    }
  })
}

export function toSubscriber(given: RawRecord): MappedRecord {
  return map('subscribers', 'members', given, 'email', (raw) => {
    const isPaying = raw.status !== undefined && raw.status !== 'free'
    return {
      ...stamps(raw),
      lost: isPaying ? [['plan_not_moved', 'What this member pays for is not moved.']] : [],
      fields: {
        email: raw.email ? { address: raw.email } : undefined,
        name: raw.name ?? undefined,
        status: raw.subscribed === undefined ? undefined : raw.subscribed ? 'subscribed' : 'unsubscribed',
        labels: raw.labels?.map(({ name }) => name),
        note: raw.note ? readNote(raw.note).note : undefined,
      },
    }
  })
}

const kinds = { tags: toTag, posts: toPost, pages: toPage, comments: toComment, subscribers: toSubscriber }
export type Entity = keyof typeof kinds

export const toRecord = (entity: Entity, given: RawRecord, around: Surroundings): MappedRecord =>
  kinds[entity](given, around)

const toMoment = (text: string): string => new Date(text).toISOString()

/** An id begins with the second in which it was made. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8), 16) * 1000
export const firstIdAt = (moment: string): string =>
  `${Math.max(0, Math.floor(Date.parse(moment) / 1000))
    .toString(16)
    .padStart(8, '0')}${'0'.repeat(16)}`

/** What is made today and dated back says that it was changed long ago; its id knows better. */
function stamps({ id, created_at, updated_at }: { id: string; created_at?: string; updated_at?: string }) {
  const changed = updated_at === undefined ? undefined : Math.max(Date.parse(updated_at), timeOfId(id))
  return {
    ...(created_at === undefined ? {} : { createdAt: toMoment(created_at) }),
    ...(changed === undefined ? {} : { updatedAt: new Date(changed).toISOString() }),
  }
}

const toRef = (entity: string, sourceId: string): RecordRef => ({ entity, sourceId })
