import Type from 'typebox'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import type { OutgoingContent } from '../../contract/contract.ts'
import { asciiAddress } from '../../kit/ascii-address.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { bylineOf, clean, isLeftOut, textOf } from '../../kit/left-out.ts'
import { lens, made, omit, type RawRecord, takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { hideSigns, hideSmileys } from './hide-signs.ts'
import * as its from './lenses.ts'
import { type Field, idOrNone, plainLine, reference, type Surroundings, text, toRef, writeSlug } from './lenses.ts'
import { markHtml } from './mark-record.ts'
import { mediaFile } from './media-file.ts'
import { writeCommentHtml } from './write-comment-html.ts'

// Fields that the REST API sends with context=edit and accepts. https://developer.wordpress.org/rest-api/reference/

/** One record as the API sends it. Only its id is certain. */
export type Raw = RawRecord & { id: number }
type Fields = OutgoingContent['fields']

const formats: Record<string, string> = {
  ...{ standard: 'text', image: 'photo', quote: 'quote', link: 'link', video: 'video', audio: 'audio' },
  ...{ aside: 'aside', chat: 'chat', gallery: 'gallery', status: 'status' },
}
/** Statuses before publication. The date of such a text is only the time of its last save. */
const unpublished = new Set(['draft', 'pending', 'auto-draft'])

const pictureOf = ({ featured_media: id }: Readonly<Record<string, unknown>>, { media }: Surroundings) =>
  media.get(id as number)
const wordsOf = (html: string | undefined) => html && plainWords(html)

const writing: Omit<EntityRules<Surroundings>, 'fields'> = {
  createdAt: its.stamp('date_gmt'),
  updatedAt: its.changedAt,
  createdBy: its.author,
  sourceUrl: 'link',
  warns: (raw, around) =>
    noticesIf(
      [raw.featured_media && !pictureOf(raw, around), 'image_missing', 'Its featured image has been deleted.'],
      [
        typeof raw.author === 'number' && !around.users.has(raw.author),
        'author_missing',
        'Its author no longer has an account.',
      ],
    ),
}

const writingFields: Record<string, Field> = {
  title: its.words('text', 'title', { write: (title) => escapeText(clean(title)) }),
  slug: its.slug(),
  body: its.html({
    // The stand-in account of an author without an account did not write the text, so the text names the author.
    write(body, { content, now }) {
      const leftOut = its.times.leftOutOf(
        content,
        now,
        [textOf(content.fields, 'authors') === '', 'author'],
        [typeof content.fields.comments_enabled !== 'boolean', 'comments'],
        [writeSlug(textOf(content.fields, 'slug')) === '', 'slug'],
      )
      return markHtml(`${hideSigns(clean(body))}${bylineOf(content)}`, String(content.key), leftOut)
    },
    wanted: (body) => hideSigns(clean(body)),
  }),
  excerpt: its.words('long_text', 'excerpt', { write: (excerpt) => hideSmileys(escapeText(clean(excerpt))) }),
  status: its.times.status,
  published_at: {
    ...its.stamp('date_gmt', (_date, { content }) => its.dateOf(content) ?? omit),
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
  fields: {
    ...writingFields,
    tags: is.references('tags', 'tags', { empty: [] }),
    categories: is.references('categories', 'categories', { empty: [] }),
    is_featured: {
      ...is.flag('sticky', { empty: false }),
      // WordPress refuses a sticky post with a password. The password is more important.
      write: (isSticky, { content }) => isSticky === true && textOf(content.fields, 'password') === '',
      stored: (isSticky) => isSticky || null,
    },
    format: {
      ...is.option('format', formats, { empty: 'standard' }),
      check: text,
      stored: (format) => (format === 'standard' ? null : (formats[String(format)] ?? format)),
    },
  },
})

const pages = defineEntity<Surroundings>('blog', 'pages', {
  ...writing,
  fields: {
    ...writingFields,
    parent_page: reference('parent', 'pages'),
    position: { ...is.integer('menu_order', { empty: 0 }), write: Number, stored: (order) => order || null },
  },
})

const media = defineEntity<Surroundings>('blog', 'media', {
  ...writing,
  warns: () => [],
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

const commentedOn: Record<string, string> = { post: 'posts', page: 'pages' }
const placeOf = ({ _links }: Readonly<Record<string, unknown>>): string | undefined =>
  commentedOn[(_links as { up: { post_type: string }[] } | undefined)?.up[0]?.post_type ?? '']

const plainEmail =
  /^[a-z0-9!#$%*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i
const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#][a-z0-9\-._~:/?#@!$()*+,;=%]*)?$/i

/** Leaves out an address that WordPress would refuse together with the comment. */
export function writeEmail(given: unknown): string {
  const email = asciiAddress(clean(given).trim())
  return plainEmail.test(email) && email.length <= 100 ? email : ''
}
function writeUrl(given: unknown): string {
  const url = clean(given).trim()
  return plainUrl.test(url) && url.length <= 200 ? url : ''
}

/**
 * Name and address of an author without an account. If the author has an account, its own values apply and nothing is
 * compared.
 */
const guest = (field: Field, write: (value: unknown) => string): Field => ({
  ...field,
  write,
  writesEmpty: true,
  wanted: (value, { content }) => (textOf(content.fields, 'author') === '' ? write(value) : null),
  stored: (sent, raw) => (raw && raw.author !== 0 ? null : field.stored(sent, raw)),
})
const writeName = (name: unknown): string => escapeText(plainLine(clean(name)))
/** Whether the comment has no author. Then it names the person who made the record in the source. */
export const isNameless = ({ fields }: OutgoingContent): boolean =>
  textOf(fields, 'author') === '' && writeName(fields.author_name) === ''

export const commentStatus = (status: unknown): string =>
  ['approved', 'spam', 'trash'].includes(clean(status)) ? clean(status) : 'hold'

const comments = defineEntity<Surroundings>('blog', 'comments', {
  createdAt: its.stamp('date_gmt', (date) => its.toSeconds(date) ?? omit),
  createdBy: its.author,
  sourceUrl: 'link',
  also: {
    author_ip: text,
    author_user_agent: text,
    _links: Type.Object({ up: Type.Array(Type.Object({ post_type: text })) }),
  },
  warns: (raw, around) =>
    noticesIf(
      [!placeOf(raw), 'parent_not_moved', 'It belongs to a record that is not copied.'],
      [
        raw.parent && !around.comments.has(raw.parent as number),
        'parent_not_moved',
        'It answers a comment that was deleted or is spam.',
      ],
    ),
  fields: {
    post: {
      ...reference('post', 'posts'),
      read(id, raw) {
        const entity = placeOf(raw)
        return entity && id ? toRef(entity, id as number) : undefined
      },
    },
    author_name: {
      ...guest(
        lens('text', {
          from: 'author_name',
          check: text,
          max: 200,
          read: plainWords,
          stored: (name, raw) => (isLeftOut(raw, 'byline') ? null : plainLine(plainWords(String(name)))),
        }),
        writeName,
      ),
      write: (name, { content }) => writeName(isNameless(content) ? content.createdBy?.name : name),
    },
    author_email: guest(
      lens('email', {
        from: 'author_email',
        check: text,
        read: (address) => (address === '' ? undefined : { address }),
      }),
      writeEmail,
    ),
    author_url: guest(lens('url', { from: 'author_url', check: text, read: (url) => url || undefined }), writeUrl),
    // When an account is deleted, its comments stay with the author's name only.
    author: {
      ...its.author,
      empty: omit,
      write: Number,
      stored: (id) => (id === omit || id === 0 ? null : String(id)),
    },
    // A space replaces an empty comment, which WordPress refuses.
    body: its.html({ write: (body) => hideSmileys(writeCommentHtml(clean(body))) || '&nbsp;' }),
    status: {
      ...is.option('status', { approved: 'approved', hold: 'pending', spam: 'spam', trash: 'trash' }),
      check: text,
      writesEmpty: true,
      write: commentStatus,
    },
    parent_comment: {
      ...reference('parent', 'comments'),
      read: (id, _raw, around) =>
        around.comments.has(id as number) && id !== 0 ? toRef('comments', id as number) : undefined,
    },
  },
})

export const entities = { media, tags, categories, posts, pages, comments }
export type EntityName = keyof typeof entities

/** Every list has a filter by id, so deletions can be found for all entities. */
export const tellsDeleted = Object.keys(entities) as EntityName[]
