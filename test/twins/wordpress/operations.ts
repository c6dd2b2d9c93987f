import { Type } from 'typebox'
import type { KnownRequests } from '../check-outbound.ts'
import type { OperationShape, SeenRequest } from '../check-request.ts'

// The requests of https://developer.wordpress.org/rest-api/reference/ that are needed for a blog, and no others.

const closed = { additionalProperties: false }
const any = Type.Optional(Type.Any())
const text = Type.Optional(Type.String())
const id = Type.Optional(Type.Integer({ minimum: 0 }))
const ids = Type.Optional(Type.Array(Type.Integer({ minimum: 0 })))
const moment = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ?$' }))
const open = Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')]))

const shown = { context: /view|edit|embed/, _fields: true, _envelope: /1/, rest_route: true } as const
const number = /\d{1,9}/
const numbers = /\d{1,9}(,\d{1,9})*/
const list = {
  ...shown,
  page: number,
  per_page: number,
  offset: number,
  order: /asc|desc/,
  orderby: /[a-z_]+/,
  search: true,
  include: numbers,
  exclude: numbers,
} as const
const forced = { _fields: true, force: /true|1/ } as const
const force = Type.Object({ force: Type.Optional(Type.Boolean()) }, closed)

const writing = {
  date: moment,
  date_gmt: moment,
  slug: text,
  status: Type.Optional(Type.Enum(['publish', 'future', 'draft', 'pending', 'private', 'trash'])),
  password: text,
  title: text,
  content: text,
  excerpt: text,
  author: id,
  featured_media: id,
  comment_status: open,
  ping_status: open,
  template: text,
  meta: any,
}
const formats = ['standard', 'aside', 'chat', 'gallery', 'link', 'image', 'quote', 'status', 'video', 'audio']
const format = Type.Optional(Type.Enum(formats))
const post = Type.Object(
  { ...writing, sticky: Type.Optional(Type.Boolean()), format, tags: ids, categories: ids },
  closed,
)
const page = Type.Object({ ...writing, parent: id, menu_order: Type.Optional(Type.Integer()) }, closed)
const term = { name: text, slug: text, description: text, meta: any }
const comment = Type.Object(
  {
    post: id,
    parent: id,
    author: id,
    author_name: text,
    author_email: text,
    author_url: text,
    author_ip: text,
    author_user_agent: text,
    content: text,
    date: moment,
    date_gmt: moment,
    status: text,
    meta: any,
  },
  closed,
)
const mediaWords = { title: text, alt_text: text, caption: text, description: text, slug: text, date_gmt: moment }
const medium = Type.Object({ ...mediaWords, author: id, post: id, comment_status: open, status: text }, closed)
const user = Type.Object(
  { username: text, name: text, email: text, password: text, roles: Type.Optional(Type.Array(Type.String())) },
  closed,
)
const ofPosts = {
  ...list,
  status: /[a-z,]+/,
  slug: true,
  author: numbers,
  parent: numbers,
  before: true,
  after: true,
} as const

const resource = (name: string, query: OperationShape['query'], json: NonNullable<OperationShape['json']>) => {
  const path = `/wp/v2/${name}`
  return {
    list: { method: 'GET', path, query },
    get: { method: 'GET', path: `${path}/:id`, query: shown },
    make: { method: 'POST', path, query: shown, json },
    change: { method: 'POST', path: `${path}/:id`, query: shown, json },
    remove: { method: 'DELETE', path: `${path}/:id`, query: forced, json: force },
  } as const satisfies Record<string, OperationShape>
}

export const shapes = {
  posts: resource('posts', { ...ofPosts, tags: numbers, categories: numbers, sticky: /true|false/ }, post),
  pages: resource('pages', { ...ofPosts, menu_order: number }, page),
  media: resource('media', { ...ofPosts, media_type: true, mime_type: true }, medium),
  tags: resource('tags', { ...list, slug: true, hide_empty: true, post: number }, Type.Object(term, closed)),
  categories: resource(
    'categories',
    { ...list, slug: true, hide_empty: true, post: number, parent: number },
    Type.Object({ ...term, parent: id }, closed),
  ),
  comments: resource(
    'comments',
    { ...list, status: /[a-z]+/, type: /[a-z]+/, post: numbers, parent: numbers, author: numbers, author_email: true },
    comment,
  ),
  users: {
    ...resource('users', { ...list, roles: true, slug: true }, user),
    remove: {
      method: 'DELETE',
      path: '/wp/v2/users/:id',
      query: { ...forced, reassign: number },
    } as const satisfies OperationShape,
  },
}

export const others = {
  site: { method: 'GET', path: '/', query: shown },
  me: { method: 'GET', path: '/wp/v2/users/me', query: shown },
  types: { method: 'GET', path: '/wp/v2/types', query: shown },
  menuItems: { method: 'GET', path: '/wp/v2/menu-items', query: ofPosts },
  blocks: { method: 'GET', path: '/wp/v2/blocks', query: ofPosts },
  upload: { method: 'POST', path: '/wp/v2/media', form: [...Object.keys(medium.properties), 'file'] },
  file: { method: 'GET', path: '/wp-content/uploads/:year/:month/:name' },
  batch: {
    method: 'POST',
    path: '/batch/v1',
    json: Type.Object(
      {
        validation: text,
        requests: Type.Array(
          Type.Object(
            { method: Type.Enum(['POST', 'PUT', 'PATCH', 'DELETE']), path: Type.String(), body: any, headers: any },
            closed,
          ),
          { maxItems: 25 },
        ),
      },
      closed,
    ),
    inside: ({ requests }: { requests: { method: string; path: string; body?: unknown }[] }): SeenRequest[] =>
      requests.map(({ method, path, body }) => ({ method, path, json: body, hasBody: body !== undefined })),
  },
} as const satisfies Record<string, OperationShape>

/** Moves the path from the query to its usual place, for a site without pretty addresses. */
export function addressOf(url: URL): URL {
  const route = url.searchParams.get('rest_route')
  if (route === null) return url
  const address = new URL(url)
  address.searchParams.delete('rest_route')
  address.pathname = route
  return address
}

/** All known requests, for a real site. */
export const wordpressRequests: KnownRequests = {
  operations: [...Object.values(shapes).flatMap((one) => Object.values(one)), ...Object.values(others)],
  addressOf,
}
