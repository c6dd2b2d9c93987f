import { answer, refuse, type TwinRequest } from '../answers.ts'
import { createStore, type Kept } from '../store.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, found, idOf, type User } from './account.ts'
import { articleOperations } from './articles.ts'
import { guideShapes } from './guide-shapes.ts'
import { sendList } from './lists.ts'

/** Title and body of an article; name and description of a shelf. */
export interface Words {
  title: string
  body: string
  draft: boolean
  outdated: boolean
  created_at: string
  updated_at: string
}

export interface Piece extends Kept {
  kind: 'categories' | 'sections' | 'articles'
  /** The category of a section, the section of an article. */
  parent: number | null
  parent_section_id: number | null
  position: number
  source_locale: string
  translations: Record<string, Words>
  more: Record<string, unknown>
  created_at: string
  updated_at: string
}

/**
 * The knowledge base: categories contain sections, sections contain articles, and each has texts in several languages.
 */
export function createGuide(account: Account) {
  const locales = ['en-us', 'de', 'fr']
  const pieces = createStore<Piece>(account.clock)
  const wrong = (field: string, why: string): never => refuse(422, { errors: { [field]: [why] } })
  const wordsFor = (given: Partial<Words>, locale: string, known?: Words): Words => {
    if (!locales.includes(locale)) wrong('locale', `${locale} is not enabled`)
    if (given.title?.trim() === '' || (!known && !given.title)) wrong('title', "can't be blank")
    const now = account.now()
    const before = known ?? { title: '', body: '', draft: false, outdated: false, created_at: now }
    const said = Object.fromEntries(
      Object.entries(given).filter(([name, value]) => value !== null && value !== undefined && name !== 'locale'),
    )
    return { ...before, ...said, updated_at: now } as Words
  }
  const guide = {
    locales,
    pieces,
    wrong,
    find: (kind: Piece['kind'], id: string | undefined) => {
      const piece = pieces.get(String(id))
      return found(piece?.kind === kind ? piece : undefined)
    },
    list: (kind: Piece['kind'], parent?: number) =>
      pieces.list((one) => one.kind === kind && (parent === undefined || one.parent === parent)),
    make(
      kind: Piece['kind'],
      parent: number | null,
      given: Partial<Words> & { locale?: string },
      rest: Partial<Piece>,
    ) {
      const locale = given.locale ?? locales[0] ?? ''
      const words = wordsFor(given, locale)
      const times = { created_at: account.now(), updated_at: account.now() }
      const base = { kind, parent, parent_section_id: null, position: 0, more: {} }
      const id = account.nextId()
      return pieces.put({ ...base, ...rest, id, source_locale: locale, translations: { [locale]: words }, ...times })
    },
    /** Changes a translation. A change without effect keeps the time. */
    translate(piece: Piece, locale: string, given: Partial<Words>) {
      const known = piece.translations[locale]
      const words = wordsFor(given, locale, known)
      const isSame = known && (['title', 'body', 'draft'] as const).every((name) => known[name] === words[name])
      if (isSame) return piece
      const translations = { ...piece.translations, [locale]: words }
      return pieces.put({ ...piece, translations, updated_at: account.now() })
    },
    remove(piece: Piece): void {
      for (const child of pieces.list((one) => one.parent === idOf(piece) || one.parent_section_id === idOf(piece)))
        guide.remove(child)
      for (const { id } of account.attachments.list(({ article_id }) => article_id === idOf(piece)))
        account.attachments.remove(id)
      pieces.remove(piece.id)
    },
    /** The common fields of every piece, in one of its languages. */
    present(piece: Piece, locale = piece.source_locale) {
      const words = piece.translations[locale] ?? found(piece.translations[piece.source_locale])
      const slug = words.title.replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      const common = {
        id: idOf(piece),
        url: account.address(`help_center/${locale}/${piece.kind}/${piece.id}.json`),
        html_url: `${account.origin}/hc/${locale}/${piece.kind}/${piece.id}-${slug}`,
        position: piece.position,
        created_at: piece.created_at,
        updated_at: piece.updated_at,
        locale,
        source_locale: piece.source_locale,
        outdated: words.outdated,
      }
      if (piece.kind === 'categories') return { ...common, name: words.title, description: words.body }
      if (piece.kind === 'sections') {
        const { parent: category_id, parent_section_id } = piece
        const place = { category_id, parent_section_id, theme_template: 'section_page' }
        return { ...common, name: words.title, description: words.body, ...place }
      }
      const { title, body, draft, updated_at: edited_at } = words
      const votes = { vote_sum: 0, vote_count: 0 }
      return {
        ...common,
        section_id: piece.parent,
        title,
        name: title,
        body,
        draft,
        edited_at,
        ...votes,
        ...piece.more,
      }
    },
  }
  return guide
}

export type Guide = ReturnType<typeof createGuide>

const asWords = ({ name, description, locale }: { name?: string; description?: string; locale?: string }) => ({
  ...(name !== undefined && { title: name }),
  ...(description !== undefined && { body: description }),
  ...(locale !== undefined && { locale }),
})

export function guideOperations(account: Account, guide: Guide, meOf: (headers: object) => User): Operation[] {
  const { pieces } = guide
  const singular = { categories: 'category', sections: 'section', articles: 'article' } as const
  const listed = (request: TwinRequest, kind: Piece['kind'], parent?: number) => {
    const { locale } = request.params
    const wanted = request.query.get('label_names')?.toLowerCase().split(',')
    const labelsOf = ({ more }: Piece) => [more.label_names ?? []].flat().map((one) => String(one).toLowerCase())
    const list = guide
      .list(kind, parent)
      .filter(({ translations }) => locale === undefined || translations[locale])
      .filter((one) => !wanted || labelsOf(one).some((label) => wanted.includes(label)))
    return sendList(request, list, { name: kind, present: (one) => guide.present(one, locale), otherwise: 30 })
  }
  const shown = (status: number, piece: Piece) => answer(status, { [singular[piece.kind]]: guide.present(piece) })
  const translations = (kind: Piece['kind'], shape: typeof guideShapes.ofSections): Operation[] => {
    const present = (piece: Piece, locale: string) => {
      const words = found(piece.translations[locale])
      const names = { locale, source_id: idOf(piece), source_type: singular[piece.kind], created_by_id: null }
      return { ...words, ...names, id: idOf(piece) + 1, url: null, html_url: null, updated_by_id: null }
    }
    const find = ({ params }: TwinRequest) => guide.find(kind, params.id)
    return [
      {
        ...shape.list,
        act(request) {
          const piece = find(request)
          return answer(200, { translations: Object.keys(piece.translations).map((locale) => present(piece, locale)) })
        },
      },
      {
        ...shape.get,
        act: (request) => answer(200, { translation: present(find(request), String(request.params.locale)) }),
      },
      {
        ...shape.make,
        act(request) {
          const { locale, ...given } = request.json.translation
          const piece = find(request)
          if (piece.translations[locale]) guide.wrong('locale', 'has already been taken')
          return answer(201, { translation: present(guide.translate(piece, locale, given), locale) })
        },
      },
      {
        ...shape.change,
        act(request) {
          const locale = String(request.params.locale)
          const piece = find(request)
          found(piece.translations[locale])
          return answer(200, { translation: present(guide.translate(piece, locale, request.json.translation), locale) })
        },
      },
    ]
  }
  const change = (piece: Piece, given: Record<string, number | null>) => {
    const { category_id, parent_section_id, position } = given
    if (Object.keys(given).length === 0) refuse(400, { error: `param is missing: ${singular[piece.kind]}` })
    return pieces.put({
      ...piece,
      ...(category_id && { parent: idOf(guide.find('categories', String(category_id))) }),
      ...(parent_section_id !== undefined && { parent_section_id }),
      ...(typeof position === 'number' && { position }),
      updated_at: account.now(),
    })
  }
  const gone =
    (kind: Piece['kind']) =>
    ({ params }: TwinRequest) => {
      guide.remove(guide.find(kind, params.id))
      return answer(204)
    }
  return [
    {
      ...guideShapes.locales,
      act: () => answer(200, { locales: guide.locales, default_locale: guide.locales[0] }),
    },
    { ...guideShapes.categories, act: (request) => listed(request, 'categories') },
    { ...guideShapes.categoriesIn, act: (request) => listed(request, 'categories') },
    { ...guideShapes.category, act: ({ params }) => shown(200, guide.find('categories', params.id)) },
    {
      ...guideShapes.makeCategory,
      act({ json: { category } }) {
        return shown(201, guide.make('categories', null, asWords(category), { position: category.position ?? 0 }))
      },
    },
    {
      ...guideShapes.changeCategory,
      act: ({ params, json }) => shown(200, change(guide.find('categories', params.id), json.category)),
    },
    { ...guideShapes.removeCategory, act: gone('categories') },
    ...translations('categories', guideShapes.ofCategories as never),
    { ...guideShapes.sections, act: (request) => listed(request, 'sections') },
    { ...guideShapes.sectionsIn, act: (request) => listed(request, 'sections') },
    {
      ...guideShapes.sectionsOf,
      act: (request) => listed(request, 'sections', idOf(guide.find('categories', request.params.id))),
    },
    { ...guideShapes.section, act: ({ params }) => shown(200, guide.find('sections', params.id)) },
    {
      ...guideShapes.makeSection,
      act({ params, json: { section } }) {
        const { position = 0, parent_section_id = null } = section
        if (parent_section_id !== null) {
          if (!account.nestsSections) guide.wrong('parent_section_id', 'is not available on your plan')
          guide.find('sections', String(parent_section_id))
        }
        const parent = idOf(guide.find('categories', params.id))
        return shown(201, guide.make('sections', parent, asWords(section), { position, parent_section_id }))
      },
    },
    {
      ...guideShapes.changeSection,
      act: ({ params, json }) => shown(200, change(guide.find('sections', params.id), json.section)),
    },
    { ...guideShapes.removeSection, act: gone('sections') },
    ...translations('sections', guideShapes.ofSections),
    ...articleOperations(account, guide, meOf, listed),
    ...translations('articles', guideShapes.ofArticles as never),
  ]
}
