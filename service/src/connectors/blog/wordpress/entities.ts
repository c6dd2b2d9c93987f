import Type from 'typebox'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { OutgoingContent } from '../../contract/contract.ts'
import { defineEntity, type Entity } from '../../kit/entity.ts'
import { bylineOf, clean, isLeftOut, textOf } from '../../kit/left-out.ts'
import { lens, made, omit, type RawRecord, takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { comments } from './comment-entity.ts'
import { hideSigns, hideSmileys } from './hide-signs.ts'
import * as its from './lenses.ts'
import { type Field, idOrNone, reference, type Surroundings, text, toRef } from './lenses.ts'
import { markHtml } from './mark-record.ts'
import { mediaFile } from './media-file.ts'
import { normalizeHtml } from './read-html.ts'
import * as state from './state.ts'
import { writeSlug } from './write-slug.ts'

// Fields that the REST API sends with context=edit and accepts. https://developer.wordpress.org/rest-api/reference/

/** One record as the API sends it. Only its id is certain. */
export type Raw = RawRecord & { id: number }
type Fields = OutgoingContent['fields']

const ids = (from: string, entity: string): Field => is.references(from, entity, { empty: [] })

const formats = {
  ...{ standard: 'text', image: 'photo', quote: 'quote', link: 'link', video: 'video', audio: 'audio' },
  ...{ aside: 'aside', chat: 'chat', gallery: 'gallery', status: 'status' },
}
const statuses: Record<string, string> = { publish: 'published', future: 'scheduled' }

/** A published text with a password becomes private, the closest status: only people with the password may read it. */
function readStatus(status: string, password: unknown): string | undefined {
  if (status === 'publish' && password !== '') return password === undefined ? undefined : 'private'
  return statuses[status] ?? status
}

/** Statuses before publication. The date of such a text is only the time of its last save. */
const unpublished = new Set(['draft', 'pending', 'auto-draft'])

const pictureOf = ({ featured_media: id }: Readonly<Record<string, unknown>>, { media }: Surroundings) =>
  media.get(id as number)
const wordsOf = (html: string | undefined) => html && plainWords(html)

const writing = {
  createdAt: its.stamp('date_gmt'),
  updatedAt: its.changedAt,
  createdBy: its.author,
  sourceUrl: 'link',
}

const warns: Entity<Surroundings>['warns'] = (raw, around) =>
  noticesIf(
    [raw.featured_media && !pictureOf(raw, around), 'image_missing', 'Its featured image has been deleted.'],
    [
      typeof raw.author === 'number' && !around.users.has(raw.author),
      'author_missing',
      'Its author no longer has an account.',
    ],
  )

const writingFields: Record<string, Field> = {
  title: its.words('text', 'title', { write: (title) => escapeText(clean(title)) }),
  slug: its.ownSlug,
  body: its.html(
    {
      // The stand-in account of an author without an account did not write the text, so the text names the author.
      write: (body, { content, now }) =>
        markHtml(`${hideSigns(clean(body))}${bylineOf(content)}`, String(content.key), state.leftOutOf(content, now)),
      wanted: (body) => hideSigns(clean(body)),
    },
    normalizeHtml,
  ),
  excerpt: its.words('long_text', 'excerpt', { write: (excerpt) => hideSmileys(escapeText(clean(excerpt))) }),
  status: lens('option', {
    from: 'status',
    check: text,
    options: ['draft', 'pending', 'scheduled', 'published', 'private'],
    writesEmpty: true,
    read: (status, { password }) => readStatus(status, password),
    write: (_status, { content, now }) => state.statusOf(content, now).status,
    wanted: (_status, { content }) => state.wantedStatus(content),
    stored: (status, raw) => (raw ? state.storedStatus(String(status), raw) : status),
  }),
  published_at: {
    ...its.stamp('date_gmt', (_date, { content }) => state.dateOf(content) ?? omit),
    read: (date, { status }) =>
      typeof status !== 'string' || unpublished.has(status) ? undefined : its.toMoment(String(date)),
  },
  // A text in WordPress has one author.
  authors: lens('user', {
    from: 'author',
    check: idOrNone,
    many: true,
    takesOne: true,
    absent: [],
    writesEmpty: true,
    read: (id, _raw, { users }: Surroundings) => (users.has(id) ? [{ userId: String(id) }] : []),
    write: (id, { content }) => Number(clean(id) || content.createdBy?.userId || 0) || omit,
    wanted: (id) => clean(id),
    stored: (id, raw) => (isLeftOut(raw, 'author') || id === 0 ? null : String(id)),
  }),
  feature_image: {
    ...reference('featured_media', 'media'),
    read: (id, _raw, { media }) => (media.has(id as number) ? toRef('media', id as number) : undefined),
  },
  feature_image_alt: made('text', (raw, around) => wordsOf(pictureOf(raw, around)?.alt_text)),
  feature_image_caption: made('text', (raw, around) => wordsOf(pictureOf(raw, around)?.caption?.raw)),
  comments_enabled: lens('boolean', {
    from: 'comment_status',
    check: text,
    empty: omit,
    read: (comments) => comments === 'open',
    write: (isOpen) => (typeof isOpen === 'boolean' ? (isOpen ? 'open' : 'closed') : omit),
    stored: (comments, raw) => (isLeftOut(raw, 'comments') ? null : comments === 'open'),
  }),
  password: lens('text', { from: 'password', check: text, max: 255, empty: '', write: clean }),
}

const posts = defineEntity<Surroundings>('blog', 'posts', {
  ...writing,
  warns,
  fields: {
    ...writingFields,
    tags: ids('tags', 'tags'),
    categories: ids('categories', 'categories'),
    is_featured: {
      ...is.flag('sticky', { empty: false }),
      // WordPress refuses a sticky post with a password. The password is more important.
      write: (isSticky, { content }) => isSticky === true && textOf(content.fields, 'password') === '',
      stored: (isSticky) => isSticky || null,
    },
    format: {
      ...is.option('format', formats, { empty: 'standard' }),
      check: text,
      stored: (format) => (format === 'standard' ? null : (formats[format as keyof typeof formats] ?? format)),
    },
  },
})

const pages = defineEntity<Surroundings>('blog', 'pages', {
  ...writing,
  warns,
  fields: {
    ...writingFields,
    parent_page: reference('parent', 'pages'),
    position: { ...is.integer('menu_order', { empty: 0 }), write: Number, stored: (order) => order || null },
  },
})

const media = defineEntity<Surroundings>('blog', 'media', {
  ...writing,
  createdAt: { ...its.stamp('date_gmt', (date) => its.toSeconds(date) ?? omit), stored: () => null },
  also: { slug: text, source_url: text, media_details: Type.Unknown() },
  fields: {
    file_name: takenElsewhere(made('text', (raw) => mediaFile(raw)?.name)),
    content_type: takenElsewhere(is.text('mime_type')),
    size: takenElsewhere(made('integer', (raw) => mediaFile(raw)?.size ?? undefined)),
    alt: its.words('text', 'alt_text', { isPlain: true, isLine: true }),
    caption: its.words('long_text', 'caption'),
    description: its.words('long_text', 'description'),
    // Without a title, WordPress would take one from the camera's data in the file.
    title: its.words('text', 'title', {
      isLine: true,
      writesEmpty: true,
      write: (_title, { content }) => escapeText(mediaTitle(content.fields)),
    }),
    original_url: made('url', (raw) => mediaFile(raw)?.url),
  },
})

const mediaTitle = (fields: Fields): string =>
  textOf(fields, 'title').trim() ||
  textOf(fields, 'file_name')
    .replace(/\.[^.]*$/, '')
    .trim() ||
  'File'

/** The slug to send. It is never empty, so that we know the term's slug afterwards. */
export const termSlug = (fields: Fields): string =>
  writeSlug(textOf(fields, 'slug')) || writeSlug(textOf(fields, 'name')) || 'term'

const termFields: Record<string, Field> = {
  name: its.words('text', 'name', { isPlain: true, isLine: true, max: 190 }),
  slug: its.slug((_slug, { content }) => termSlug(content.fields)),
  description: its.words('long_text', 'description', { isPlain: true }),
}
const tags = defineEntity<Surroundings>('blog', 'tags', { sourceUrl: 'link', fields: termFields })
const categories = defineEntity<Surroundings>('blog', 'categories', {
  sourceUrl: 'link',
  fields: { ...termFields, parent_category: reference('parent', 'categories') },
})

export const entities = { media, tags, categories, posts, pages, comments } satisfies Record<
  string,
  Entity<Surroundings>
>
export type EntityName = keyof typeof entities

/** Every list has a filter by id, so deletions can be found for all entities. */
export const tellsDeleted = Object.keys(entities) as EntityName[]
