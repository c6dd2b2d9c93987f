import type { RawRecord } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { isEmptyShelf, nameOfNowhere, nowhere, type SideShelfRules, takeOnSide } from '../../kit/side-shelves.ts'
import { accepted, label, largestPage } from './api.ts'
import { categoryList } from './help-center.ts'
import { isAbout, type WriteContext } from './write-people.ts'

// "Shelf" means a category or section. Zendesk keeps articles only in sections. We create an extra section for an
// article directly in a category, or without a category.

export const sectionKind = 'section_of_articles'
const categoryKind = 'category_of_articles'
type Context = WriteContext & { guide: { locale: string } }

/** Reads all categories and sections, each with its parent. */
export const shelvesNow = async ({ api }: Pick<WriteContext, 'api'>): Promise<RawRecord[]> => [
  ...(await readAll(categoryList(api, 'categories'), largestPage)),
  ...(await readAll(categoryList(api, 'sections'), largestPage)),
]
export const pathOf = (id: string) =>
  `/help_center/${id.startsWith('c') ? 'categories' : 'sections'}/${id.replace(/^c/, '')}`

export async function makeShelf(
  { api }: WriteContext,
  shelves: readonly RawRecord[],
  parent: string | null,
  body: Record<string, unknown>,
): Promise<RawRecord> {
  const make = (path: string, json: object) => api.http.send('POST', path, { json })
  if (parent === null) {
    const raw = api.one(accepted(await make('/help_center/categories.json', { category: body })), 'category')
    return { ...raw, id: `c${raw.id}`, parent: null }
  }
  const above = shelves.find(({ id }) => String(id) === parent)
  const category = parent.startsWith('c') ? parent.slice(1) : above?.category_id
  const inSection = parent.startsWith('c') ? {} : { parent_section_id: Number(parent) }
  const path = `/help_center/categories/${category}/sections.json`
  const made = await make(path, { section: { ...body, ...inSection } })
  // Only Enterprise plans have sections inside sections.
  const isFlat = made.result === 'refused' && isAbout(made, /parent_section/)
  const raw = api.one(accepted(isFlat ? await make(path, { section: body }) : made), 'section')
  return { ...raw, parent: raw.parent_section_id ?? `c${raw.category_id}` }
}

/** Finds or creates the section for articles of a category. `null` means no category. */
export async function sectionFor(context: Context, place: string | null): Promise<string> {
  if (place !== null && !place.startsWith('c')) return place
  const { sides, guide } = context
  const mark = place ?? nowhere
  const [known] = await sides.list(sectionKind, [mark])
  if (known?.destinationId) return known.destinationId
  const shelves = await shelvesNow(context)
  const take = (kind: string, parent: string | null, given: unknown) => {
    const make = (name: string) => makeShelf(context, shelves, parent, { name, description: '', locale: guide.locale })
    return takeOnSide(sides, shelves, { kind, mark, parent, name: String(given), isShared: true, make })
  }
  const category = place ?? (await take(categoryKind, null, nameOfNowhere))
  return take(sectionKind, category, shelves.find(({ id }) => id === category)?.name ?? nameOfNowhere)
}

/**
 * Forgets an extra section that people deleted, so that the next article gets a new one. False if the section is an
 * imported record.
 */
export async function forgetSection({ sides }: WriteContext, place: string | null): Promise<boolean> {
  if (place !== null && !place.startsWith('c')) return false
  const mark = place ?? nowhere
  await sides.forget({ kind: sectionKind, mark }, { kind: categoryKind, mark })
  return true
}

export const shelfRules = (context: Pick<WriteContext, 'api' | 'sides'>): SideShelfRules => ({
  label,
  isShelf: (kind) => kind === sectionKind || kind === categoryKind,
  now: () => shelvesNow(context),
  async isEmpty(id, given) {
    const shelves = given ?? (await shelvesNow(context))
    const made = await context.sides.list(sectionKind)
    return isEmptyShelf(id, shelves, made, async (inner) => {
      if (inner.startsWith('c')) return false
      const path = `${pathOf(inner)}/articles.json`
      return (await context.api.page(path, 'articles', { 'page[size]': 1 }, [404])).items.length > 0
    })
  },
  remove: (id) => context.api.http.send('DELETE', `${pathOf(id)}.json`),
  urlOf: ({ id, html_url: url }) =>
    typeof url === 'string' ? url : `${context.api.site}/hc/${pathOf(String(id)).replace('/help_center/', '')}`,
})
