import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Article,
  closed,
  fail,
  invalid,
  notFound,
  nullable,
  optional,
  type Translation,
  type Values,
  workspace,
} from './account.ts'
import { contentsOf, defaultLocale, locales, newestFirst, site, slug, translated } from './locales.ts'
import { numberedPages } from './paging.ts'
import { someHtml, withFiles } from './texts.ts'

const state = optional(Type.Union([Type.Literal('published'), Type.Literal('draft')]))
const contentShape = closed({
  type: nullable(Type.Literal('article_content')),
  title: optional(Type.String()),
  description: optional(Type.String()),
  body: optional(Type.String()),
  author_id: optional(Type.Integer()),
  state,
})
/** Content that Fin and similar bots may read. */
export const availability = {
  ai_chatbot_availability: optional(Type.Boolean()),
  ai_copilot_availability: optional(Type.Boolean()),
  ai_sales_agent_availability: optional(Type.Boolean()),
}
const articleShape = {
  ...availability,
  title: optional(Type.String()),
  description: optional(Type.String()),
  body: optional(Type.String()),
  author_id: optional(Type.Integer()),
  state,
  parent_type: optional(Type.Union([Type.Literal('collection'), Type.Literal('section')])),
  translated_content: translated('article_translated_content', contentShape),
}
function presentContent(account: Account, one: Translation, id: string, locale: string) {
  return {
    title: one.title,
    description: one.description,
    body: withFiles(account, one.body),
    author_id: one.authorId,
    state: one.state,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    // Drafts have no address.
    url: one.state === 'draft' ? null : `${site}/${locale}/articles/${id}-${slug(one.title)}`,
  }
}

/** A collection, and those above it. */
const withAbove = (account: Account, id: string): string[] => {
  const above = account.collections.get(id)?.parentId ?? null
  return [id, ...(above === null ? [] : withAbove(account, above))]
}

function presentArticle(account: Account, one: Article) {
  const own = presentContent(account, one, one.id, defaultLocale)
  const others = Object.entries(one.translations).map(([locale, content]) => [
    locale,
    { type: 'article_content', ...presentContent(account, content, one.id, locale) },
  ])
  return {
    type: 'article',
    id: one.id,
    workspace_id: workspace,
    ...own,
    parent_id: one.parentId,
    parent_type: one.parentId === null ? null : 'collection',
    parent_ids: one.parentId === null ? [] : withAbove(account, String(one.parentId)).map(Number),
    tags: { type: 'tag.list', tags: [] },
    has_unpublished_changes: one.hasDraft === true,
    default_locale: defaultLocale,
    translated_content: {
      type: 'article_translated_content',
      ...Object.fromEntries(locales.map((locale) => [locale, null])),
      [defaultLocale]: { type: 'article_content', ...own },
      ...Object.fromEntries(others),
    },
  }
}

export function articleOperations(account: Account): Operation[] {
  const { articles, collections, admins, now } = account
  const findArticle = (id: string | undefined) => articles.get(`${id}`) ?? notFound()

  const content = (known: Translation, given: Values): Translation => {
    const authorId = (given.author_id as number | undefined) ?? known.authorId
    if (!admins.get(String(authorId))) invalid('author_id is not a teammate of this workspace', 'author_id')
    return {
      title: (given.title as string | undefined) ?? known.title,
      description: (given.description as string | undefined) ?? known.description,
      body: given.body === undefined ? known.body : someHtml(String(given.body)),
      authorId,
      state: (given.state as Translation['state'] | undefined) ?? known.state,
      createdAt: known.createdAt,
      updatedAt: now(),
    }
  }
  const mergeArticle = (known: Article, json: Values): Article => {
    const parent =
      json.parent_id === undefined ? known.parentId : json.parent_id === null ? null : Number(json.parent_id)
    if (parent !== null && !collections.get(String(parent))) invalid('parent_id is not a collection', 'parent_id')
    // The default language may be inside the translations.
    const inner = contentsOf(json).find(([locale]) => locale === defaultLocale)?.[1] ?? {}
    const own = content(known, { ...inner, ...json })
    if (own.title === '') fail(400, 'parameter_not_found', 'Title is a required parameter.', 'title')
    const fresh = { ...own, title: '', description: '', body: '', createdAt: now() }
    const others = contentsOf(json)
      .filter(([locale]) => locale !== defaultLocale)
      .map(([locale, given]) => [locale, content(known.translations[locale] ?? fresh, given)])
    return {
      ...known,
      ...own,
      parentId: parent,
      translations: { ...known.translations, ...Object.fromEntries(others) },
    }
  }
  const byPage = { page: /\d+/, per_page: /\d+/ }
  return [
    {
      method: 'GET',
      path: '/news/news_items',
      query: byPage,
      act: (request) => {
        const { items, ...page } = numberedPages([], request, 25)
        return answer(200, { type: 'list', data: items, ...page })
      },
    },
    {
      method: 'GET',
      path: '/articles',
      query: byPage,
      act(request) {
        const { items, ...page } = numberedPages(newestFirst(articles.list()), request, 25)
        return answer(200, { type: 'list', data: items.map((one) => presentArticle(account, one)), ...page })
      },
    },
    {
      method: 'POST',
      path: '/articles',
      // A number here, and a text in a change.
      json: closed({ ...articleShape, parent_id: nullable(Type.Integer()) }),
      act({ json }) {
        const inner = contentsOf(json).find(([locale]) => locale === defaultLocale)?.[1] ?? {}
        if (json.author_id === undefined && inner.author_id === undefined)
          fail(
            400,
            'parameter_not_found',
            'author_id must be in the main body or default locale translated_content object',
          )
        const blank = { title: '', description: '', body: '', authorId: 0, state: 'draft' as const }
        const at = { createdAt: now(), updatedAt: now() }
        const made = { id: account.nextId(), ...blank, ...at, parentId: null, translations: {} }
        return answer(200, presentArticle(account, articles.put(mergeArticle(made, json))))
      },
    },
    {
      method: 'GET',
      path: '/articles/:id',
      act({ params }) {
        const one = presentArticle(account, findArticle(params.id))
        return answer(200, {
          ...one,
          statistics: { type: 'article_statistics', views: 0, conversions: 0, reactions: 0 },
        })
      },
    },
    {
      method: 'PUT',
      path: '/articles/:id',
      json: closed({ ...articleShape, parent_id: nullable(Type.String()) }),
      act: ({ params, json }) =>
        answer(200, presentArticle(account, articles.put(mergeArticle(findArticle(params.id), json)))),
    },
    {
      method: 'DELETE',
      path: '/articles/:id',
      act({ params }) {
        const { id } = findArticle(params.id)
        articles.remove(id)
        return answer(200, { id, object: 'article', deleted: true })
      },
    },
  ]
}
