import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { answer, type TwinAnswer, type TwinRequest } from '../answers.ts'
import { type Clock, minuteMs } from '../clock.ts'
import { numberedPage, numberOf } from '../pages.ts'
import type { Operation, ToolRules } from '../tool-twin.ts'
import { assetOperations } from './assets.ts'
import { type Article, type Category, type Collection, createLibrary, type Site } from './library.ts'

// https://developer.helpscout.com/docs-api/ is another host, with another key and another shape of answers.

export interface DocsOptions {
  key: string
  userId: number
  perTenMinutes?: number | null
}

const text = Type.String()
const may = (schema: TSchema) => Type.Optional(schema)
const closed = (fields: Record<string, TSchema>) => Type.Object(fields, { additionalProperties: false })
const texts = may(Type.Array(text))
const articleFields = { status: may(text), slug: may(text), categories: texts, related: texts, keywords: texts }
const groupFields = { slug: may(text), visibility: may(text), order: may(Type.Integer()), defaultSort: may(text) }
const paged = { page: /[1-9]\d*/, order: /asc|desc/, sort: true, pageSize: /\d+/ } as const
const reload = { reload: /true|false/ }

export function createDocs(clock: Clock, { key, userId, perTenMinutes = null }: DocsOptions) {
  const library = createLibrary(clock, userId)
  const { sites, collections, categories, articles, fail, found } = library
  const { addCollection, addCategory, addArticle, changeCollection, changeCategory, changeArticle, checkCategories } =
    library

  /** An article as lists show it: without its text and its categories. */
  const presentRef = (one: Article) => ({
    id: one.id,
    number: one.number,
    collectionId: one.collectionId,
    slug: one.slug,
    status: one.status,
    hasDraft: one.draft !== null,
    name: one.name,
    publicUrl: `https://docs.example.invalid/article/${one.number}-${one.slug}`,
    popularity: 1,
    viewCount: 0,
    createdBy: one.createdBy,
    updatedBy: one.updatedAt === null ? null : one.createdBy,
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
    lastPublishedAt: one.status === 'published' ? (one.updatedAt ?? one.createdAt) : null,
  })
  const presentArticle = (one: Article, isDraft = false) => ({
    ...presentRef(one),
    text: isDraft ? (one.draft ?? one.text) : one.text,
    categories: one.categories,
    related: one.related,
    keywords: one.keywords,
  })
  const countIn = (isWanted: (one: Article) => boolean) => articles.list(isWanted).length
  const stamps = { createdBy: userId, updatedBy: null }
  const presentCollection = (one: Collection) => ({
    ...one,
    ...stamps,
    publicUrl: `https://docs.example.invalid/collection/${one.number}-${one.slug}`,
    articleCount: countIn(({ collectionId }) => collectionId === one.id),
  })
  const presentCategory = (one: Category) => ({
    ...one,
    ...stamps,
    articleCount: countIn((article) => article.categories.includes(one.id)),
  })
  const presentSite = (one: Site) => ({
    ...one,
    status: 'active',
    cname: '',
    hasPublicSite: true,
    companyName: one.title,
    ...stamps,
    updatedAt: null,
  })

  const page = <T>({ query }: TwinRequest, name: string, items: T[], present: (item: T) => unknown): TwinAnswer => {
    const size = Math.max(1, numberOf(query.get('pageSize'), { otherwise: 50, most: 100 }))
    const number = Math.max(1, numberOf(query.get('page'), { otherwise: 1 }))
    const ordered = query.get('order') === 'desc' ? items.toReversed() : items
    const { items: on } = numberedPage(ordered, { page: number, size })
    const pages = Math.ceil(items.length / size)
    return answer(200, { [name]: { page: number, pages, count: items.length, items: on.map(present) } })
  }
  const made = ({ origin, query }: TwinRequest, path: string, id: string, json: unknown): TwinAnswer => ({
    status: 201,
    headers: { location: `${origin}/v1/${path}/${id}` },
    ...(query.get('reload') === 'true' && { json }),
  })
  const articleIn = ({ params }: TwinRequest) =>
    found(articles.list(({ id, number }) => id === params.id || String(number) === params.id)[0])
  const articlesWhere = (request: TwinRequest, isWanted: (one: Article) => boolean) => {
    const status = request.query.get('status') ?? 'all'
    const list = articles.list((one) => isWanted(one) && (status === 'all' || one.status === status))
    return page(request, 'articles', list, presentRef)
  }
  const bySite = ({ query }: TwinRequest) =>
    collections.list(
      (one) =>
        one.siteId === (query.get('siteId') ?? one.siteId) &&
        ['all', one.visibility].includes(query.get('visibility') ?? 'all'),
    )
  const listed = { ...paged, status: /all|published|notpublished/ }
  const removed = (isGone: boolean) => (isGone ? answer(200) : fail(404, 'Not found'))

  const operations: Operation[] = [
    {
      method: 'GET',
      path: '/v1/sites',
      query: paged,
      act: (request) => page(request, 'sites', sites.list(), presentSite),
    },
    {
      method: 'GET',
      path: '/v1/collections',
      query: { ...paged, siteId: true, visibility: /all|public|private/ },
      act: (request) => page(request, 'collections', bySite(request), presentCollection),
    },
    {
      method: 'POST',
      path: '/v1/collections',
      query: reload,
      json: closed({ siteId: text, name: text, ...groupFields, description: may(text) }),
      act(request) {
        const { siteId, name, ...more } = request.json
        const one = addCollection(siteId, name, more)
        return made(request, 'collections', one.id, { collection: presentCollection(one) })
      },
    },
    {
      method: 'GET',
      path: '/v1/collections/:id',
      act: ({ params }) => answer(200, { collection: presentCollection(found(collections.get(String(params.id)))) }),
    },
    {
      method: 'PUT',
      path: '/v1/collections/:id',
      query: reload,
      json: closed({ name: may(text), ...groupFields, description: may(text) }),
      act({ params, json }) {
        changeCollection(found(collections.get(String(params.id))), json)
        return answer(200)
      },
    },
    {
      method: 'DELETE',
      path: '/v1/collections/:id',
      act({ params }) {
        const isIn = ({ collectionId }: { collectionId: string }) => collectionId === params.id
        for (const store of [articles, categories]) for (const { id } of store.list(isIn)) store.remove(id)
        return removed(collections.remove(String(params.id)))
      },
    },
    {
      method: 'GET',
      path: '/v1/collections/:id/categories',
      query: paged,
      act(request) {
        const { id } = found(collections.get(String(request.params.id)))
        const list = categories.list(({ collectionId }) => collectionId === id).toSorted((a, b) => a.order - b.order)
        return page(request, 'categories', list, presentCategory)
      },
    },
    {
      method: 'POST',
      path: '/v1/categories',
      query: reload,
      json: closed({ collectionId: text, name: text, ...groupFields }),
      act(request) {
        const { collectionId, name, ...more } = request.json
        found(collections.get(collectionId))
        const one = addCategory(collectionId, name, more)
        return made(request, 'categories', one.id, { category: presentCategory(one) })
      },
    },
    {
      method: 'GET',
      path: '/v1/categories/:id',
      act: ({ params }) => answer(200, { category: presentCategory(found(categories.get(String(params.id)))) }),
    },
    {
      method: 'PUT',
      path: '/v1/categories/:id',
      query: reload,
      json: closed({ name: may(text), ...groupFields }),
      act({ params, json }) {
        changeCategory(found(categories.get(String(params.id))), json)
        return answer(200)
      },
    },
    {
      method: 'DELETE',
      path: '/v1/categories/:id',
      act({ params }) {
        const gone = found(categories.get(String(params.id)))
        categories.remove(gone.id)
        for (const one of articles.list((article) => article.categories.includes(gone.id))) {
          const rest = one.categories.filter((id) => id !== gone.id)
          articles.change(one.id, { categories: checkCategories(one.collectionId, rest) })
        }
        return answer(200)
      },
    },
    {
      method: 'GET',
      path: '/v1/collections/:id/articles',
      query: listed,
      act(request) {
        const { id } = found(collections.get(String(request.params.id)))
        return articlesWhere(request, ({ collectionId }) => collectionId === id)
      },
    },
    {
      method: 'GET',
      path: '/v1/categories/:id/articles',
      query: listed,
      act(request) {
        const { id } = found(categories.get(String(request.params.id)))
        return articlesWhere(request, (one) => one.categories.includes(id))
      },
    },
    {
      method: 'GET',
      path: '/v1/articles/:id',
      query: { draft: /true|false/ },
      act: (request) =>
        answer(200, { article: presentArticle(articleIn(request), request.query.get('draft') === 'true') }),
    },
    {
      method: 'POST',
      path: '/v1/articles',
      query: reload,
      json: closed({ collectionId: text, name: text, text, ...articleFields }),
      act(request) {
        const { collectionId, name, text: body, ...more } = request.json
        const one = addArticle(collectionId, name, body, more)
        return made(request, 'articles', one.id, { article: presentArticle(one) })
      },
    },
    {
      method: 'PUT',
      path: '/v1/articles/:id',
      query: reload,
      json: closed({
        ...{ name: may(text), text: may(text), ...articleFields },
        categories: may(Type.Union([Type.Array(text), Type.Null()])),
      }),
      act(request) {
        const one = changeArticle(articleIn(request), request.json)
        return request.query.get('reload') === 'true' ? answer(200, { article: presentArticle(one) }) : answer(200)
      },
    },
    { method: 'DELETE', path: '/v1/articles/:id', act: (request) => removed(articles.remove(articleIn(request).id)) },
    ...assetOperations(library, key),
  ]
  const rules: ToolRules = {
    operations,
    admit({ headers, url }) {
      if (url.pathname.startsWith('/assets/')) return null
      const [, coded = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
      const [name] = Buffer.from(coded, 'base64').toString().split(':')
      if (name === key) return null
      return answer(401, { code: 401, error: 'Invalid API key' }, { 'correlation-id': randomUUID() })
    },
    limits:
      perTenMinutes === null
        ? []
        : [
            {
              name: 'docs',
              perMs: 10 * minuteMs,
              limit: perTenMinutes,
              spent: ({ resetMs }) =>
                answer(
                  429,
                  { code: 429, error: 'Throttle limit reached' },
                  {
                    'retry-after': String(Math.ceil(resetMs / 1000)),
                  },
                ),
            },
          ],
  }
  return { ...library, rules }
}

export type Docs = ReturnType<typeof createDocs>
