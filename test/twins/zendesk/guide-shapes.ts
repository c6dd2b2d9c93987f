import { Type } from 'typebox'
import type { OperationShape } from '../check-request.ts'
import { any, closed, id, ids, text, texts, yes } from './bodies.ts'
import { paging } from './lists.ts'

// The requests of https://developer.zendesk.com/api-reference/help_center/help-center-api/ that are needed for a
// knowledge base.

const translated = { locale: Type.Optional(Type.String()), title: text, body: text, draft: yes, outdated: yes }
const translation = Type.Object({ translation: Type.Object(translated, closed) }, closed)
/** Texts belong to a translation: a change of the article itself ignores them. */
const ofArticle = {
  author_id: id,
  comments_disabled: yes,
  content_tag_ids: texts,
  label_names: texts,
  permission_group_id: id,
  position: id,
  promoted: yes,
  section_id: id,
  user_segment_id: id,
  user_segment_ids: ids,
}
const { section_id: _section, ...madeArticle } = ofArticle
const newArticle = Type.Object(
  {
    article: Type.Object(
      {
        ...madeArticle,
        locale: Type.Optional(Type.String()),
        title: text,
        body: text,
        draft: yes,
        translations: Type.Optional(Type.Array(Type.Object(translated, closed))),
      },
      closed,
    ),
    notify_subscribers: yes,
  },
  closed,
)
const place = { position: id }
const words = { name: text, description: text, locale: Type.Optional(Type.String()), translations: any }
const shelf = (name: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ [name]: Type.Object(properties, closed) }, closed)

const list = { ...paging, sort_by: /[a-z_]+/, sort_order: /asc|desc/, include: /[a-z_]+(,[a-z_]+)*/ } as const
const articles = { ...list, start_time: /\d{1,11}/, label_names: true } as const
const forms = ['file', 'inline', 'guide_media_id', 'locale']

const base = '/api/v2/help_center'
const get = (path: string, query?: OperationShape['query']) =>
  ({ method: 'GET', path: `${base}/${path}`, query }) as const satisfies OperationShape
const send = <M extends 'POST' | 'PUT'>(method: M, path: string, json: NonNullable<OperationShape['json']>) =>
  ({ method, path: `${base}/${path}`, json }) as const
const remove = (path: string) => ({ method: 'DELETE', path: `${base}/${path}` }) as const

const translationsOf = (kind: string) => ({
  list: get(`${kind}/:id/translations`, { ...paging, locales: true, outdated: true, draft: /true|false/ }),
  get: get(`${kind}/:id/translations/:locale`),
  make: send('POST', `${kind}/:id/translations`, translation),
  change: send('PUT', `${kind}/:id/translations/:locale`, translation),
})

export const guideShapes = {
  locales: get('locales'),
  segments: get('user_segments', { ...paging, built_in: /true|false/ }),
  permissionGroups: { method: 'GET', path: '/api/v2/guide/permission_groups', query: paging },

  categories: get('categories', list),
  categoriesIn: get(':locale/categories', list),
  category: get('categories/:id'),
  makeCategory: send('POST', 'categories', shelf('category', { ...words, ...place })),
  changeCategory: send('PUT', 'categories/:id', shelf('category', place)),
  removeCategory: remove('categories/:id'),
  ofCategories: translationsOf('categories'),

  sections: get('sections', list),
  sectionsIn: get(':locale/sections', list),
  sectionsOf: get('categories/:id/sections', list),
  section: get('sections/:id'),
  makeSection: send('POST', 'categories/:id/sections', shelf('section', { ...words, ...place, parent_section_id: id })),
  changeSection: send(
    'PUT',
    'sections/:id',
    shelf('section', { ...place, category_id: id, parent_section_id: id, theme_template: text }),
  ),
  removeSection: remove('sections/:id'),
  ofSections: translationsOf('sections'),

  articles: get('articles', articles),
  articlesIn: get(':locale/articles', articles),
  articlesOf: get('sections/:id/articles', articles),
  changedArticles: get('incremental/articles', articles),
  article: get('articles/:id', { include: true }),
  makeArticle: send('POST', 'sections/:id/articles', newArticle),
  makeArticleIn: send('POST', ':locale/sections/:id/articles', newArticle),
  changeArticle: send('PUT', 'articles/:id', shelf('article', ofArticle)),
  removeArticle: remove('articles/:id'),
  ofArticles: translationsOf('articles'),
  comments: get('articles/:id/comments', paging),
  attachments: get('articles/:id/attachments', paging),
  inline: get('articles/:id/attachments/inline', paging),
  block: get('articles/:id/attachments/block', paging),
  makeAttachment: { method: 'POST', path: `${base}/articles/:id/attachments`, form: forms },
  makeLoose: { method: 'POST', path: `${base}/articles/attachments`, form: forms },
  associate: send('POST', 'articles/:id/bulk_attachments', Type.Object({ attachment_ids: ids }, closed)),
  attachment: get('articles/attachments/:id'),
  removeAttachment: remove('articles/attachments/:id'),
  content: { method: 'GET', path: '/hc/article_attachments/:id/:name' },
  mediaAddress: {
    method: 'POST',
    path: '/api/v2/guide/medias/upload_url',
    json: Type.Object({ content_type: Type.String(), file_size: Type.Integer() }, closed),
  },
  makeMedia: {
    method: 'POST',
    path: '/api/v2/guide/medias',
    json: Type.Object({ asset_upload_id: Type.String(), filename: Type.String() }, closed),
  },
  removeMedia: { method: 'DELETE', path: '/api/v2/guide/medias/:id' },
} as const satisfies Record<string, OperationShape | Record<string, OperationShape>>
