import { Type } from 'typebox'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Collection,
  closed,
  fail,
  idShape,
  invalid,
  notFound,
  nullable,
  optional,
  type Values,
  workspace,
} from './account.ts'
import { contentsOf, defaultLocale, helpCenterId, locales, newestFirst, site, slug, translated } from './locales.ts'
import { numberedPages } from './paging.ts'

const groupShape = closed({
  type: nullable(Type.Literal('group_content')),
  name: optional(Type.String()),
  description: optional(Type.String()),
})
const collectionShape = {
  name: optional(Type.String()),
  description: optional(Type.String()),
  translated_content: translated('group_translated_content', groupShape),
  parent_id: nullable(idShape),
}

function presentCollection(one: Collection) {
  const of = (content: { name: string; description: string | null }) => ({ type: 'group_content', ...content })
  return {
    id: one.id,
    workspace_id: workspace,
    name: one.name,
    description: one.description,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
    url: `${site}/${defaultLocale}/collections/${one.id}-${slug(one.name)}`,
    icon: 'bookmark',
    order: one.order,
    default_locale: defaultLocale,
    translated_content: {
      type: 'group_translated_content',
      ...Object.fromEntries(locales.map((locale) => [locale, null])),
      [defaultLocale]: of({ name: one.name, description: one.description }),
      ...Object.fromEntries(Object.entries(one.translations).map(([locale, content]) => [locale, of(content)])),
    },
    parent_id: one.parentId,
    help_center_id: helpCenterId,
  }
}

const mostLevels = 3

export function collectionOperations(account: Account): Operation[] {
  const { articles, collections, now } = account
  const findCollection = (id: string | undefined) => collections.get(`${id}`) ?? notFound()
  const depthOf = (id: string | null): number => {
    const parent = id === null ? undefined : collections.get(id)
    return parent ? 1 + depthOf(parent.parentId) : 0
  }
  const mergeCollection = (known: Collection, json: Values): Collection => {
    const name = (json.name as string | undefined) ?? known.name
    if (name === '') fail(400, 'parameter_not_found', 'Name is a required parameter.')
    const given = json.parent_id
    const parentId = given === undefined ? known.parentId : given === null ? null : String(given)
    if (parentId !== null && (parentId === known.id || !collections.get(parentId)))
      invalid('parent_id is invalid', 'parent_id')
    if (depthOf(parentId) >= mostLevels) invalid(`There are at most ${mostLevels} levels of collections`, 'parent_id')
    const others = contentsOf(json)
      .filter(([locale]) => locale !== defaultLocale)
      .map(([locale, { name: own = '', description = '' }]) => [locale, { name: own, description }])
    return {
      ...known,
      name,
      description: (json.description as string | undefined) ?? known.description,
      parentId,
      translations: { ...known.translations, ...Object.fromEntries(others) },
      updatedAt: now(),
    }
  }
  const byPage = { page: /\d+/, per_page: /\d+/ }
  return [
    {
      method: 'GET',
      path: '/help_center/help_centers',
      query: byPage,
      act: () =>
        answer(200, {
          type: 'list',
          data: [
            {
              id: String(helpCenterId),
              workspace_id: workspace,
              created_at: 1_577_836_800,
              updated_at: 1_577_836_800,
              identifier: 'quay',
              website_turned_on: true,
              display_name: 'Quay',
              url: site,
              custom_domain: null,
              default: true,
              locales: ['en', 'de', 'ar'],
            },
          ],
        }),
    },
    {
      method: 'GET',
      path: '/help_center/collections',
      query: byPage,
      act(request) {
        const { items, ...page } = numberedPages(newestFirst(collections.list()), request, 20)
        return answer(200, { type: 'list', data: items.map(presentCollection), ...page })
      },
    },
    {
      method: 'POST',
      path: '/help_center/collections',
      json: closed({ ...collectionShape, help_center_id: nullable(Type.Integer()) }),
      act({ json: { help_center_id: center, ...json } }) {
        if (center !== undefined && center !== null && center !== helpCenterId) notFound()
        const at = { createdAt: now(), updatedAt: now(), order: collections.size() }
        const blank = { id: account.nextId(), name: '', description: null, parentId: null, translations: {}, ...at }
        return answer(200, presentCollection(collections.put(mergeCollection(blank, json))))
      },
    },
    {
      method: 'GET',
      path: '/help_center/collections/:id',
      act: ({ params }) => answer(200, presentCollection(findCollection(params.id))),
    },
    {
      method: 'PUT',
      path: '/help_center/collections/:id',
      json: closed(collectionShape),
      act: ({ params, json }) =>
        answer(200, presentCollection(collections.put(mergeCollection(findCollection(params.id), json)))),
    },
    {
      method: 'DELETE',
      path: '/help_center/collections/:id',
      act({ params }) {
        const { id } = findCollection(params.id)
        collections.remove(id)
        // The articles of a deleted collection belong to no collection.
        for (const one of articles.list(({ parentId }) => String(parentId) === id))
          articles.change(one.id, { parentId: null })
        for (const one of collections.list(({ parentId }) => parentId === id))
          collections.change(one.id, { parentId: null })
        return answer(200, { id, object: 'collection', deleted: true })
      },
    },
  ]
}
