import type { DestinationDescription, DestinationEntity, DestinationField } from '../contract.ts'
import { longestSlug } from './write-slug.ts'

const field = (type: DestinationField['type'], more: Partial<DestinationField> = {}): DestinationField => ({
  type,
  many: false,
  required: false,
  maxLength: null,
  options: [],
  ...more,
})
const text = (maxLength: number) => field('text', { maxLength })
const long = (maxLength: number) => field('long_text', { maxLength })
const many = (type: DestinationField['type']) => field(type, { many: true })

const writing = {
  title: field('text', { required: true, maxLength: 255 }),
  slug: text(longestSlug),
  body: field('rich_text'),
  excerpt: long(300),
  status: field('option', { options: ['draft', 'scheduled', 'published', 'private'] }),
  visibility: field('option', { options: ['public', 'members', 'paid'] }),
  published_at: field('datetime'),
  authors: many('user'),
  tags: many('relation'),
  feature_image: field('relation'),
  feature_image_alt: text(191),
  feature_image_caption: text(2_000),
  canonical_url: field('url', { maxLength: 2_000 }),
  seo_title: text(300),
  seo_description: long(500),
}
const tag: DestinationEntity = {
  fields: { name: field('text', { required: true, maxLength: 191 }), slug: text(longestSlug), description: long(500) },
  customFields: [],
  unites: { kind: 'tag', by: ['name'] },
}

const entities: DestinationDescription['entities'] = {
  media: {
    fields: { file_name: field('text', { required: true }), content_type: field('text'), size: field('integer') },
    customFields: [],
    removal: 'never',
  },
  tags: tag,
  // Ghost has tags only; what was a category becomes one, and stands first.
  categories: tag,
  posts: {
    fields: { ...writing, categories: many('relation'), is_featured: field('boolean') },
    customFields: [],
  },
  pages: { fields: writing, customFields: [] },
  comments: {
    fields: {
      post: field('relation', { required: true }),
      author_name: text(191),
      author_email: field('email', { maxLength: 191 }),
      body: field('rich_text'),
      status: field('option', { options: ['approved', 'pending', 'spam', 'trash'] }),
      parent_comment: field('relation'),
    },
    customFields: [],
    fixedRelations: ['parent_comment'],
  },
  subscribers: {
    fields: {
      email: field('email', { required: true, maxLength: 191 }),
      name: text(191),
      status: field('text'),
      labels: field('text', { many: true, maxLength: 150 }),
      note: long(1_900),
    },
    customFields: [],
    unites: { kind: 'member', by: ['email'] },
  },
}

export const describeSite = (siteName: string): DestinationDescription => ({
  account: { name: siteName },
  textFormat: 'html',
  // It depends on the server in front of it; a file that is too large is refused by itself.
  maxFileBytes: null,
  capabilities: {
    deliveryClass: 'C',
    delete: true,
    silentCreate: true,
    backdate: true,
    createField: false,
    batchSize: 25,
    concurrency: 4,
    settleMs: 0,
  },
  entities,
})
