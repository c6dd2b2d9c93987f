import type { DestinationDescription, DestinationEntity, DestinationField } from '../contract.ts'

const field = (type: DestinationField['type'], more: Partial<DestinationField> = {}): DestinationField => ({
  type,
  many: false,
  required: false,
  maxLength: null,
  options: [],
  ...more,
})
const entity = (fields: DestinationEntity['fields']): DestinationEntity => ({ fields, customFields: [] })
const text = field('text')
const name = field('text', { required: true, maxLength: 190 })

const writing = {
  title: field('text', { required: true }),
  slug: text,
  body: field('rich_text'),
  excerpt: field('long_text'),
  status: field('option', { options: ['draft', 'pending', 'scheduled', 'published', 'private'] }),
  published_at: field('datetime'),
  // A text has one author.
  authors: field('user'),
  feature_image: field('relation'),
  comments_enabled: field('boolean'),
  password: field('text', { maxLength: 255 }),
}
const formats = ['text', 'photo', 'quote', 'link', 'video', 'audio', 'aside', 'chat', 'gallery', 'status']

const entities: DestinationDescription['entities'] = {
  media: entity({
    file_name: field('text', { required: true }),
    content_type: text,
    size: field('integer'),
    alt: text,
    caption: field('long_text'),
    description: field('long_text'),
    title: text,
  }),
  tags: {
    ...entity({ name, slug: text, description: field('long_text') }),
    unites: { kind: 'tag', by: ['name'] },
  },
  categories: {
    ...entity({ name, slug: text, description: field('long_text'), parent_category: field('relation') }),
    // See findTerm in write-records.ts.
    unites: { kind: 'category', by: ['name', 'slug'] },
  },
  posts: entity({
    ...writing,
    tags: field('relation', { many: true }),
    categories: field('relation', { many: true }),
    is_featured: field('boolean'),
    format: field('option', { options: formats }),
  }),
  pages: entity({ ...writing, parent_page: field('relation'), position: field('integer') }),
  comments: entity({
    post: field('relation', { required: true }),
    author_name: field('text', { maxLength: 200 }),
    author_email: field('email'),
    author_url: field('url'),
    author: field('user'),
    body: field('rich_text'),
    status: field('option', { options: ['approved', 'pending', 'spam', 'trash'] }),
    parent_comment: field('relation'),
  }),
}

/** The same for every WordPress: what can differ are its plugins, and those it does not tell of. */
export const describeSite = (siteName: string): DestinationDescription => ({
  account: { name: siteName },
  textFormat: 'html',
  // It depends on PHP's settings, which the API does not tell; a file that is too large is refused by itself.
  maxFileBytes: null,
  capabilities: {
    deliveryClass: 'C',
    delete: true,
    // See hold-comments.ts.
    silentCreate: true,
    backdate: true,
    createField: false,
    // The most that batch/v1 takes.
    batchSize: 25,
    concurrency: 4,
    settleMs: 0,
  },
  entities,
})
