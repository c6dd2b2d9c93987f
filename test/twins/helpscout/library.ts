import { createHash } from 'node:crypto'
import { refuse } from '../answers.ts'
import { type Clock, toSecond } from '../clock.ts'
import { createStore, type Kept } from '../store.ts'

export interface Site extends Kept {
  title: string
  subDomain: string
}
export interface Collection extends Kept {
  siteId: string
  number: number
  slug: string
  visibility: 'public' | 'private'
  order: number
  name: string
  description: string
  createdAt: string
  updatedAt: string | null
}
export interface Category extends Kept {
  collectionId: string
  number: number
  slug: string
  visibility: 'public' | 'private'
  order: number
  name: string
  defaultSort: string
  createdAt: string
  updatedAt: string | null
}
export interface Article extends Kept {
  collectionId: string
  number: number
  slug: string
  status: 'published' | 'notpublished'
  name: string
  text: string
  draft: string | null
  categories: string[]
  related: string[]
  keywords: string[]
  createdBy: number
  createdAt: string
  updatedAt: string | null
}

/** A knowledge base: sites have collections, collections have categories, and articles belong to both. */
export function createLibrary(clock: Clock, userId: number) {
  const sites = createStore<Site>(clock)
  const collections = createStore<Collection>(clock)
  const categories = createStore<Category>(clock)
  const articles = createStore<Article>(clock)
  const assets = createStore<Kept & { articleId: string; fileName: string; bytes: Buffer }>(clock)
  let count = 0
  const nextNumber = () => ++count
  const nextId = () => createHash('sha1').update(String(nextNumber())).digest('hex').slice(0, 24)
  const now = () => toSecond(clock.now())
  const fail = (status: number, error: string): never => refuse(status, { code: status, error })
  const found = <T>(thing: T | undefined): T => thing ?? (fail(404, 'Not found') as never)
  const slugOf = (name: string) =>
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'untitled'
  const unique = (names: { name: string }[], name: string) => {
    if (name.trim() === '') fail(400, 'name is required')
    if (names.some((one) => one.name === name)) fail(409, `name must be unique: ${name.slice(0, 60)}`)
  }

  const addCategory = (collectionId: string, name: string, more: Partial<Category> = {}): Category => {
    unique(
      categories.list((one) => one.collectionId === collectionId),
      name,
    )
    return categories.put({
      id: nextId(),
      collectionId,
      number: nextNumber(),
      slug: slugOf(name),
      visibility: 'public',
      order: 1,
      name,
      defaultSort: 'popularity',
      createdAt: now(),
      updatedAt: null,
      ...more,
    })
  }
  const addCollection = (siteId: string, name: string, more: Partial<Collection> = {}): Collection => {
    found(sites.get(siteId))
    unique(collections.list(), name)
    if ((more.description?.length ?? 0) > 45) fail(400, 'description is too long')
    const collection = collections.put({
      id: nextId(),
      siteId,
      number: nextNumber(),
      slug: slugOf(name),
      visibility: 'public',
      order: 1,
      name,
      description: '',
      createdAt: now(),
      updatedAt: null,
      ...more,
    })
    addCategory(collection.id, 'Uncategorized', { order: 0 })
    return collection
  }
  const changeCollection = (one: Collection, body: Partial<Collection>): void => {
    if (body.name !== undefined)
      unique(
        collections.list(({ id }) => id !== one.id),
        body.name,
      )
    if ((body.description?.length ?? 0) > 45) fail(400, 'description is too long')
    collections.change(one.id, { ...body, updatedAt: now() })
  }
  const changeCategory = (one: Category, body: Partial<Category>): void => {
    if (body.name !== undefined)
      unique(
        categories.list(({ id, collectionId }) => id !== one.id && collectionId === one.collectionId),
        body.name,
      )
    categories.change(one.id, { ...body, updatedAt: now() })
  }
  const checkCategories = (collectionId: string, asked: readonly string[] = []): string[] => {
    const known = categories.list((one) => one.collectionId === collectionId)
    const strange = asked.find((id) => !known.some((one) => one.id === id))
    if (strange !== undefined) fail(400, `no such category: ${strange.slice(0, 60)}`)
    const none = known.filter(({ name }) => name === 'Uncategorized').map(({ id }) => id)
    if (asked.some((id) => none.includes(id))) fail(400, 'Uncategorized cannot be chosen')
    return asked.length > 0 ? [...asked] : none
  }
  const addArticle = (collectionId: string, name: string, body: string, more: Partial<Article> = {}): Article => {
    found(collections.get(collectionId))
    unique(
      articles.list((one) => one.collectionId === collectionId),
      name,
    )
    if (body === '') fail(400, 'text is required')
    if (more.status && !['published', 'notpublished'].includes(more.status)) fail(400, 'status is not valid')
    return articles.put({
      id: nextId(),
      collectionId,
      number: nextNumber(),
      slug: slugOf(name),
      status: 'notpublished',
      name,
      text: body,
      draft: null,
      related: [],
      keywords: [],
      createdBy: userId,
      createdAt: now(),
      updatedAt: null,
      ...more,
      categories: checkCategories(collectionId, more.categories),
    })
  }
  /** Publishing an article, or changing the text of a published one, deletes the draft over it. */
  const changeArticle = (one: Article, { categories: asked, ...body }: Partial<Article>): Article => {
    if (body.name !== undefined)
      unique(
        articles.list(({ id, collectionId }) => id !== one.id && collectionId === one.collectionId),
        body.name,
      )
    if (body.text === '') fail(400, 'text is required')
    if (body.status && !['published', 'notpublished'].includes(body.status)) fail(400, 'status is not valid')
    const isOut = (body.status ?? one.status) === 'published'
    const isTold = one.status !== 'published' || body.text !== undefined
    const inside = asked !== undefined && { categories: checkCategories(one.collectionId, asked ?? []) }
    const draft = isOut && isTold ? { draft: null } : {}
    return found(articles.change(one.id, { ...body, ...inside, ...draft, updatedAt: now() }))
  }
  return {
    sites,
    collections,
    categories,
    articles,
    assets,
    nextId,
    now,
    fail,
    found,
    addCollection,
    addCategory,
    addArticle,
    changeCollection,
    changeCategory,
    changeArticle,
    checkCategories,
  }
}

export type Library = ReturnType<typeof createLibrary>
