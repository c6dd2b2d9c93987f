import { Type } from 'typebox'
import type { KnownRequests } from '../twins/check-outbound.ts'
import type { OperationShape } from '../twins/check-request.ts'

// The requests of Ghost 6 that are needed for a blog. The names are those of its own schemas
// (@tryghost/admin-api-schema) and endpoints. Ghost removes any other name before it handles the request.

const closed = { additionalProperties: false }
/** One record under the name of its kind, with these attributes and no others. */
const one = (kind: string, ...names: string[]) => {
  const attributes = Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Any())]))
  return Type.Object({ [kind]: Type.Array(Type.Object(attributes, closed), { minItems: 1, maxItems: 1 }) }, closed)
}

const about = ['meta_title', 'meta_description', 'canonical_url', 'codeinjection_head', 'codeinjection_foot']
const shared = ['og_image', 'og_title', 'og_description', 'twitter_image', 'twitter_title', 'twitter_description']
const writing = [
  ...['title', 'slug', 'mobiledoc', 'lexical', 'html', 'feature_image', 'feature_image_alt', 'feature_image_caption'],
  ...['featured', 'status', 'locale', 'visibility', 'visibility_filter', 'tiers', 'updated_at', 'published_at'],
  ...['custom_excerpt', 'custom_template', 'authors', 'tags', ...about, ...shared],
]
const bodies = {
  posts: one('posts', ...writing, 'email_subject', 'email_only', 'collections'),
  pages: one('pages', ...writing, 'show_title_and_feature_image'),
  tags: one('tags', 'name', 'slug', 'description', 'feature_image', 'visibility', 'accent_color', ...about, ...shared),
  labels: one('labels', 'name', 'slug'),
  members: one(
    ...(['members', 'name', 'email', 'note', 'subscribed', 'comped', 'labels', 'products', 'tiers'] as const),
    'newsletters',
  ),
  comments: one(
    ...(['comments', 'id', 'post_id', 'member_id', 'html', 'status', 'parent_id', 'in_reply_to_id'] as const),
    'created_at',
  ),
}

const api = '/ghost/api/admin'
type Query = NonNullable<OperationShape['query']>
const number = /\d{1,9}/
const list: Query = {
  limit: number,
  page: number,
  filter: true,
  order: /[a-z_.]+ (asc|desc)/,
  fields: true,
  include: true,
}
const shown: Query = { ...list, formats: /(html|lexical|mobiledoc|plaintext)(,(html|lexical|mobiledoc|plaintext))*/ }
const get = (path: string, query: Query = {}): OperationShape => ({ method: 'GET', path, query })
const counted = ['users', 'newsletters', 'offers', 'tiers']

export const ghostRequests: KnownRequests = {
  operations: [
    get(`${api}/site/`),
    get(`${api}/settings/`),
    ...counted.map((name) => get(`${api}/${name}/`, list)),
    ...Object.entries(bodies).flatMap(([name, json]): OperationShape[] => [
      get(`${api}/${name}/`, shown),
      get(`${api}/${name}/:id/`, shown),
      { method: 'POST', path: `${api}/${name}/`, query: { source: /html/, ...shown }, json },
      { method: 'PUT', path: `${api}/${name}/:id/`, query: { source: /html/, ...shown }, json },
      { method: 'DELETE', path: `${api}/${name}/:id/` },
    ]),
    ...['images', 'media', 'files'].map(
      (kind): OperationShape => ({ method: 'POST', path: `${api}/${kind}/upload/`, form: ['file', 'purpose', 'ref'] }),
    ),
    { method: 'POST', path: `${api}/members/upload/`, form: ['membersfile', 'labels', 'mapping'] },
    get('/content/file'),
  ],
  /** Files are in folders of any depth. */
  addressOf: (url) => (url.pathname.startsWith('/content/') ? new URL('/content/file', url) : url),
}
