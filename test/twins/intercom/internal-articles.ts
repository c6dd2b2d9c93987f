import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  closed,
  fail,
  type InternalArticle,
  invalid,
  notFound,
  optional,
  type Values,
} from './account.ts'
import { availability } from './articles.ts'
import { numberedPages } from './paging.ts'
import { someHtml, withFiles } from './texts.ts'

/** Articles only for teammates: no state, no collection, no translations. */
export function internalArticleOperations(account: Account): Operation[] {
  const { internalArticles, admins, now } = account
  const find = (id: string | undefined) => internalArticles.get(`${id}`) ?? notFound()
  const present = (one: InternalArticle) => ({
    type: 'internal_article',
    id: one.id,
    title: one.title,
    body: withFiles(account, one.body),
    owner_id: one.ownerId,
    author_id: one.authorId,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    locale: 'en',
  })
  const person = (json: Values, name: string, otherwise: number): number => {
    const id = (json[name] as number | undefined) ?? otherwise
    return admins.get(String(id)) ? id : invalid(`${name} is not a teammate of this workspace`, name)
  }
  const merge = (known: InternalArticle, json: Values): InternalArticle => ({
    ...known,
    title: (json.title as string | undefined) ?? known.title,
    body: json.body === undefined ? known.body : someHtml(String(json.body)),
    authorId: person(json, 'author_id', known.authorId),
    ownerId: person(json, 'owner_id', known.ownerId),
    updatedAt: now(),
  })
  const shape = closed({
    title: optional(Type.String()),
    body: optional(Type.String()),
    author_id: optional(Type.Integer()),
    owner_id: optional(Type.Integer()),
    ...availability,
  })
  return [
    {
      method: 'GET',
      path: '/internal_articles',
      query: { page: /\d+/, per_page: /\d+/ },
      act(request) {
        const all = internalArticles.list().toSorted((a, b) => b.updatedAt - a.updatedAt || Number(b.id) - Number(a.id))
        const { items, ...page } = numberedPages(all, request, 25)
        return answer(200, { type: 'list', data: items.map(present), ...page })
      },
    },
    {
      method: 'POST',
      path: '/internal_articles',
      json: shape,
      act({ json }) {
        for (const name of ['title', 'author_id', 'owner_id'])
          if (!json[name]) fail(400, 'parameter_not_found', `${name} is a required parameter.`, name)
        const blank = { title: '', body: '', authorId: 0, ownerId: 0, createdAt: now(), updatedAt: now() }
        return answer(200, present(internalArticles.put(merge({ id: account.nextId(), ...blank }, json))))
      },
    },
    { method: 'GET', path: '/internal_articles/:id', act: ({ params }) => answer(200, present(find(params.id))) },
    {
      method: 'PUT',
      path: '/internal_articles/:id',
      json: shape,
      act: ({ params, json }) => answer(200, present(internalArticles.put(merge(find(params.id), json)))),
    },
    {
      method: 'DELETE',
      path: '/internal_articles/:id',
      act({ params }) {
        const { id } = find(params.id)
        internalArticles.remove(id)
        return answer(200, { id, object: 'internal_article', deleted: true })
      },
    },
  ]
}
