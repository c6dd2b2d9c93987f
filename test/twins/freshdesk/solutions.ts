import { answer, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import {
  type Account,
  type Agent,
  type Article,
  asTags,
  type Category,
  cleanHtml,
  duplicate,
  type Folder,
  found,
  idOf,
  invalid,
  missing,
  plainOf,
} from './account.ts'
import { bodyOf, checkWeight, keepFiles, presentFiles } from './files.ts'
import { made, sendList } from './lists.ts'
import { shapes } from './shapes.ts'

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

export function saveCategory(account: Account, body: Partial<Category>, self?: Category): Category {
  const name = body.name ?? self?.name ?? missing('name')
  if (!name.trim()) missing('name')
  if (account.categories.list((one) => one.id !== self?.id && sameName(one.name, name)).length > 0) duplicate('name')
  const times = self ? { created_at: self.created_at, updated_at: account.now() } : account.times()
  const description = body.description === undefined ? (self?.description ?? null) : body.description
  return account.categories.put({ id: self?.id ?? account.nextId(), name: name.trim(), description, ...times })
}

export function saveFolder(account: Account, body: Partial<Folder> & { category_id: number }, self?: Folder): Folder {
  const { folders } = account
  const name = body.name ?? self?.name ?? missing('name')
  if (!name.trim()) missing('name')
  const parent_folder_id =
    body.parent_folder_id === undefined ? (self?.parent_folder_id ?? null) : body.parent_folder_id
  const parent = parent_folder_id === null ? undefined : folders.get(String(parent_folder_id))
  if (parent_folder_id !== null && parent?.category_id !== body.category_id)
    invalid('parent_folder_id', 'There is no folder matching the given parent_folder_id')
  const siblings = folders.list(
    (one) => one.id !== self?.id && one.category_id === body.category_id && one.parent_folder_id === parent_folder_id,
  )
  if (siblings.some((one) => sameName(one.name, name))) duplicate('name')
  const visibility = body.visibility ?? self?.visibility ?? 1
  if (visibility < 1 || visibility > 7) invalid('visibility', "It should be one of these values: '1,2,3,4,5,6,7'")
  const company_ids = body.company_ids ?? self?.company_ids ?? []
  if (visibility === 4 && company_ids.length === 0) missing('company_ids')
  return folders.put({
    id: self?.id ?? account.nextId(),
    name: name.trim(),
    description: body.description === undefined ? (self?.description ?? null) : body.description,
    category_id: body.category_id,
    parent_folder_id,
    visibility,
    company_ids: visibility === 4 ? company_ids : [],
    ...(self ? { created_at: self.created_at, updated_at: account.now() } : account.times()),
  })
}

/** The owner of the key is the author of a new article; a later change can set another author. */
export function saveArticle(
  account: Account,
  body: Partial<Article>,
  place: { folder_id: number; agent_id: number },
  self?: Article,
): Article {
  const title = body.title ?? self?.title ?? missing('title')
  if (!title.trim()) missing('title')
  const description = body.description ?? self?.description ?? missing('description')
  if (!description.trim()) missing('description')
  const status = body.status ?? self?.status ?? missing('status')
  if (status !== 1 && status !== 2) invalid('status', "It should be one of these values: '1,2'")
  const agent_id = body.agent_id ?? self?.agent_id ?? place.agent_id
  if (!account.agents.get(String(agent_id))) invalid('agent_id', 'There is no agent matching the given agent_id')
  return account.articles.put({
    id: self?.id ?? account.nextId(),
    title: title.trim(),
    description: cleanHtml(description),
    status,
    type: body.type ?? self?.type ?? 1,
    agent_id,
    folder_id: place.folder_id,
    tags: body.tags ? asTags(body.tags) : (self?.tags ?? []),
    seo_data: body.seo_data ?? self?.seo_data ?? {},
    attachments: body.attachments ?? self?.attachments ?? [],
    draft: body.draft === undefined ? (self?.draft ?? null) : body.draft,
    translations: self?.translations ?? {},
    ...(self ? { created_at: self.created_at, updated_at: account.now() } : account.times()),
  })
}

/** The category and all folders from the top down to this folder. */
function hierarchyOf({ categories, folders, languages }: Account, folder: Folder) {
  const path: Folder[] = []
  for (let at: Folder | undefined = folder; at; at = folders.get(String(at.parent_folder_id))) path.unshift(at)
  const category = found(categories.get(String(folder.category_id)))
  const level = (type: string, { id, name }: { id: string; name: string }, at: number) => ({
    level: at,
    type,
    data: { id: Number(id), name, language: languages.primary },
  })
  return [level('category', category, 0), ...path.map((one, at) => level('folder', one, at + 1))]
}

export function solutionOperations(account: Account, meOf: (headers: object) => Agent): Operation[] {
  const { categories, folders, articles } = account
  const categoryOf = ({ params }: TwinRequest) => found(categories.get(String(params.id)))
  const folderOf = ({ params }: TwinRequest) => found(folders.get(String(params.id)))
  const articleOf = ({ params }: TwinRequest) => found(articles.get(String(params.id)))
  const showCategory = (category: Category) => ({ ...category, id: idOf(category) })
  const showFolder = (folder: Folder) => {
    const { company_ids, ...kept } = folder
    return {
      ...kept,
      id: idOf(folder),
      hierarchy: hierarchyOf(account, folder),
      articles_count: articles.list(({ folder_id }) => folder_id === idOf(folder)).length,
      sub_folders_count: folders.list(({ parent_folder_id }) => parent_folder_id === idOf(folder)).length,
      ...(folder.visibility === 4 && { company_ids }),
    }
  }
  /** Lists of folders do not name the category. */
  const listedFolder = (folder: Folder) => {
    const { category_id: _category, ...kept } = showFolder(folder)
    return kept
  }
  const listedArticle = (article: Article) => {
    const { translations: _translations, draft: _draft, tags: _tags, attachments: _files, ...kept } = article
    const folder = found(folders.get(String(article.folder_id)))
    return {
      ...kept,
      id: idOf(article),
      description_text: plainOf(article.description),
      category_id: folder.category_id,
      hierarchy: hierarchyOf(account, folder),
      thumbs_up: 0,
      thumbs_down: 0,
      hits: 0,
    }
  }
  // Only a single article has tags and files, no list.
  const showArticle = (article: Article) => ({
    ...listedArticle(article),
    tags: article.tags,
    attachments: presentFiles(account, article.attachments),
  })
  const dropFolder = (folder: Folder) => {
    for (const inner of folders.list(({ parent_folder_id }) => parent_folder_id === idOf(folder))) dropFolder(inner)
    for (const { id } of articles.list(({ folder_id }) => folder_id === idOf(folder))) articles.remove(id)
    folders.remove(folder.id)
  }
  const write = (request: TwinRequest, folder_id: number, self?: Article) => {
    const { body, files } = bodyOf(request)
    checkWeight(account, self?.attachments ?? [], files)
    const attachments = [...(self?.attachments ?? []), ...keepFiles(account, files)]
    const place = { folder_id, agent_id: idOf(meOf(request.headers)) }
    const isAlone = Object.keys(body).length === 1 && files.length === 0
    if (self?.status !== 2 || body.status !== 1 || isAlone)
      return saveArticle(account, { ...body, attachments, draft: null }, place, self)
    // A request with status 1 unpublishes an article only if it has no other field. With other fields it creates a
    // draft over the published article.
    const { title = self.title, description = self.description, status: _status, ...more } = body
    return saveArticle(account, { ...more, attachments, draft: { title, description } }, place, self)
  }
  const inLanguage = (article: Article, language: string | undefined) =>
    showArticle({ ...article, ...found(article.translations[language ?? '']) })
  return [
    { ...shapes.categories, act: (request) => sendList(request, categories.list(), showCategory) },
    { ...shapes.category, act: (request) => answer(200, showCategory(categoryOf(request))) },
    {
      ...shapes.makeCategory,
      act({ json }) {
        const category = saveCategory(account, json)
        return made(account, 'solutions/categories', category.id, showCategory(category))
      },
    },
    {
      ...shapes.changeCategory,
      act: (request) => answer(200, showCategory(saveCategory(account, request.json, categoryOf(request)))),
    },
    {
      ...shapes.removeCategory,
      act(request) {
        const category = categoryOf(request)
        for (const folder of folders.list(({ category_id }) => category_id === idOf(category))) dropFolder(folder)
        categories.remove(category.id)
        return answer(204)
      },
    },
    {
      ...shapes.folders,
      act(request) {
        const category = idOf(categoryOf(request))
        const isWanted = ({ category_id, parent_folder_id }: Folder) =>
          category_id === category && (account.listsSubfolders || parent_folder_id === null)
        return sendList(request, folders.list(isWanted), listedFolder)
      },
    },
    {
      ...shapes.subfolders,
      act(request) {
        const parent = idOf(folderOf(request))
        return sendList(
          request,
          folders.list(({ parent_folder_id }) => parent_folder_id === parent),
          listedFolder,
        )
      },
    },
    { ...shapes.folder, act: (request) => answer(200, showFolder(folderOf(request))) },
    {
      ...shapes.makeFolder,
      act(request) {
        const folder = saveFolder(account, { ...request.json, category_id: idOf(categoryOf(request)) })
        return made(account, 'solutions/folders', folder.id, showFolder(folder))
      },
    },
    {
      ...shapes.changeFolder,
      act(request) {
        const folder = folderOf(request)
        return answer(
          200,
          showFolder(saveFolder(account, { ...request.json, category_id: folder.category_id }, folder)),
        )
      },
    },
    {
      ...shapes.removeFolder,
      act(request) {
        dropFolder(folderOf(request))
        return answer(204)
      },
    },
    {
      ...shapes.articles,
      act(request) {
        const folder = idOf(folderOf(request))
        return sendList(
          request,
          articles.list(({ folder_id }) => folder_id === folder),
          listedArticle,
        )
      },
    },
    {
      ...shapes.translatedArticles,
      act(request) {
        const [folder, language] = [idOf(folderOf(request)), String(request.params.language)]
        const isIn = (one: Article) => one.folder_id === folder && one.translations[language] !== undefined
        return sendList(request, articles.list(isIn), (one) => inLanguage(one, language))
      },
    },
    { ...shapes.article, act: (request) => answer(200, showArticle(articleOf(request))) },
    {
      ...shapes.makeArticle,
      act(request) {
        const article = write(request, idOf(folderOf(request)))
        return made(account, 'solutions/articles', article.id, showArticle(article))
      },
    },
    {
      ...shapes.changeArticle,
      act(request) {
        const article = articleOf(request)
        return answer(200, showArticle(write(request, article.folder_id, article)))
      },
    },
    {
      ...shapes.removeArticle,
      act(request) {
        articles.remove(articleOf(request).id)
        return answer(204)
      },
    },
    {
      ...shapes.translation,
      act: (request) => answer(200, inLanguage(articleOf(request), request.params.language)),
    },
    {
      ...shapes.makeTranslation,
      act(request) {
        const article = articleOf(request)
        const language = String(request.params.language)
        if (!account.languages.others.includes(language)) found(null)
        const { title = '', description = '', status = 1 } = request.json
        const translations = { ...article.translations, [language]: { title, description, status } }
        const after = found(articles.change(article.id, { translations, updated_at: account.now() }))
        return answer(201, inLanguage(after, language))
      },
    },
  ]
}
