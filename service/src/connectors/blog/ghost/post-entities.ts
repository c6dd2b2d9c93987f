import Type from 'typebox'
import type { RichText } from '../../../families/record.ts'
import { escapeText, plainWords } from '../../../text/plain-words.ts'
import { defineEntity, type EntityRules } from '../../kit/entity.ts'
import { bylineOf, clean, isLeftOut } from '../../kit/left-out.ts'
import { lens, made, omit, takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { noticesIf } from '../../kit/that-hold.ts'
import { comparableBody } from './compare-body.ts'
import * as its from './lenses.ts'
import { idsOf, orNull, textOrNone, toRef, words } from './lenses.ts'
import { linkPlayers, listMedia } from './list-media.ts'
import { dropByline } from './mark-record.ts'
import { writeBody } from './write-body.ts'

function readBody(given: string): RichText {
  const body = linkPlayers(given)
  const inlineFiles = [
    ...new Map(listMedia({ html: body }).map((used) => [used.url, { url: used.url, attachment: used.id }])).values(),
  ]
  return { format: 'html', body, ...(inlineFiles.length > 0 ? { inlineFiles } : {}) }
}

const writingFields: Record<string, its.Field> = {
  title: lens('text', {
    from: 'title',
    check: its.text,
    max: 255,
    writesEmpty: true,
    // Ghost uses the same default.
    write: (title) => its.toLine(title) || '(Untitled)',
  }),
  slug: its.slug,
  body: lens('rich_text', {
    from: 'html',
    check: textOrNone,
    writesEmpty: true,
    read: (html) => readBody(String(html)),
    // With an empty text, Ghost would keep the old one.
    write: (body, { content, site }) => `${writeBody(clean(body), site)}${bylineOf(content)}` || '<p></p>',
    wanted: (body, { site }) => writeBody(clean(body), site),
    stored: (html, raw) => comparableBody(isLeftOut(raw, 'byline') ? dropByline(String(html)) : String(html)),
  }),
  excerpt: words('long_text', 'custom_excerpt', 300),
  status: its.times.status,
  visibility: lens('option', {
    from: 'visibility',
    check: its.text,
    options: ['public', 'members', 'paid'],
    absent: 'paid',
    empty: 'public',
    read: its.readVisibility,
    write: its.writeVisibility,
  }),
  published_at: lens('datetime', {
    from: 'published_at',
    check: its.orNone(its.moment),
    writesEmpty: true,
    read: its.toMoment,
    write: (_date, { content }) => its.dateOf(content) ?? omit,
    stored: (date, raw) => (isLeftOut(raw, 'date') ? null : its.toSeconds(date)),
  }),
  authors: lens('user', {
    from: 'authors',
    check: Type.Array(its.identified),
    many: true,
    absent: [],
    writesEmpty: true,
    read: (authors) => idsOf(authors).map((userId) => ({ userId })),
    write(_authors, { content: { fields, createdBy } }) {
      const own = its.authorIds(fields)
      const ids = own.length > 0 ? own : createdBy?.userId ? [createdBy.userId] : []
      return ids.length === 0 ? omit : ids.map((one) => ({ id: one }))
    },
    wanted: (_authors, { content }) => its.authorIds(content.fields).map((one) => ({ id: one })),
    stored: (authors, raw) => (isLeftOut(raw, 'author') ? null : idsOf(authors)),
  }),
  tags: lens('relation', {
    from: 'tags',
    check: Type.Array(its.identified),
    many: true,
    relates: 'tags',
    writesEmpty: true,
    read: (tags) => idsOf(tags).map((one) => toRef('tags', one)),
    write: (_tags, { content }) => its.tagIds(content.fields).map((one) => ({ id: one })),
    stored: idsOf,
  }),
  feature_image: lens('relation', {
    from: 'feature_image',
    check: textOrNone,
    relates: 'media',
    read(address) {
      const [image] = listMedia({ feature_image: address })
      return image && toRef('media', image.id)
    },
    write: (image) => orNull(its.relationId(image)),
  }),
  feature_image_alt: words('text', 'feature_image_alt', 191),
  feature_image_caption: {
    ...words('text', 'feature_image_caption', 2_000, { write: (given) => orNull(escapeText(its.toLine(given))) }),
    read: (caption) => (caption === '' ? undefined : plainWords(String(caption))),
    stored: (sent) => (typeof sent === 'string' ? plainWords(sent) : null),
  },
  canonical_url: {
    ...words('text', 'canonical_url', 2_000),
    type: 'url',
    write: (given) => (URL.canParse(clean(given).trim()) ? clean(given).trim() : null),
  },
  seo_title: words('text', 'meta_title', 300),
  seo_description: words('long_text', 'meta_description', 500),
}

const writing: EntityRules<its.Surroundings> = {
  ...its.stamps,
  createdBy: lens('user', {
    from: 'authors',
    check: Type.Array(its.identified),
    read: (authors) => idsOf(authors).map((userId) => ({ userId }))[0],
  }),
  sourceUrl: 'url',
  also: { codeinjection_head: textOrNone },
  warns: ({ visibility, status }) =>
    noticesIf(
      [
        visibility !== 'public' && !its.restricted.has(String(visibility)),
        'audience_narrowed',
        'The source names its readers by a word that we do not know.',
      ],
      [visibility === 'tiers', 'tiers_not_moved', 'Only some tiers could read it. The tiers are not copied.'],
      [status === 'sent', 'email_only', 'It was only ever sent by e-mail.'],
    ),
  fields: writingFields,
}

export const posts = defineEntity<its.Surroundings>('blog', 'posts', {
  ...writing,
  fields: {
    ...writingFields,
    // Ghost has only tags; see `tags`.
    categories: takenElsewhere(made('relation', () => undefined, { many: true, relates: 'categories' })),
    is_featured: {
      ...is.flag('featured', { empty: false }),
      write: (isFeatured) => isFeatured === true,
      stored: (isFeatured) => isFeatured || null,
    },
  },
})
export const pages = defineEntity<its.Surroundings>('blog', 'pages', {
  ...writing,
  also: { ...writing.also, featured: Type.Boolean() },
})
