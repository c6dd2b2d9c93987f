import {
  boolean,
  datetime,
  dueAt,
  type EntityDefinition,
  email,
  type FamilyDefinition,
  integer,
  longText,
  many,
  option,
  readers,
  relation,
  required,
  requiredText,
  richText,
  secret,
  state,
  text,
  url,
  user,
} from './definition.ts'

const writing: EntityDefinition['fields'] = {
  title: requiredText,
  slug: text,
  body: richText,
  excerpt: longText,
  status: dueAt(
    'published_at',
    'scheduled',
    state(['published', 'scheduled', 'private', 'draft'], ['private', 'draft']),
  ),
  /** The readers of a published text. */
  visibility: readers('public', 'members', 'paid'),
  published_at: datetime,
  authors: many(user),
  /** People with the password may read a text that is private otherwise. */
  password: secret,
  comments_enabled: boolean,
  tags: many(relation('tags')),
  feature_image: relation('media'),
  feature_image_alt: text,
  feature_image_caption: text,
  canonical_url: url,
  original_url: url,
  seo_title: text,
  seo_description: longText,
}

export const blog: FamilyDefinition = {
  entities: [
    {
      name: 'media',
      fields: {
        file_name: requiredText,
        content_type: text,
        size: integer,
        alt: text,
        caption: longText,
        description: longText,
        title: text,
        original_url: url,
      },
    },
    { name: 'tags', fields: { name: requiredText, slug: text, description: longText } },
    {
      name: 'categories',
      secondPass: ['parent_category'],
      fields: { name: requiredText, slug: text, description: longText, parent_category: relation('categories') },
    },
    {
      name: 'posts',
      isTop: true,
      fields: {
        ...writing,
        categories: many(relation('categories')),
        is_featured: boolean,
        format: option('text', 'photo', 'quote', 'link', 'video', 'audio'),
      },
    },
    {
      name: 'pages',
      isTop: true,
      secondPass: ['parent_page'],
      fields: { ...writing, parent_page: relation('pages'), position: integer },
    },
    {
      name: 'comments',
      parent: 'post',
      secondPass: ['parent_comment'],
      fields: {
        post: required(relation('posts', 'pages')),
        author_name: text,
        author_email: email,
        author_url: url,
        author: user,
        body: richText,
        status: state(['approved', 'pending', 'spam', 'trash'], ['pending', 'spam', 'trash']),
        parent_comment: relation('comments'),
      },
    },
    {
      name: 'subscribers',
      isTop: true,
      fields: { email: required(email), name: text, status: text, labels: many(text), note: longText },
    },
  ],
}
