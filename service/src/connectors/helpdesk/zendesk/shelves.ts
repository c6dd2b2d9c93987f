import type { SideRecord } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { readAll } from '../../kit/pages.ts'
import { label, largestPage } from './api.ts'
import { categoryList } from './help-center.ts'
import type { WriteContext } from './write-people.ts'

// Shelves are categories and sections. Articles stand in sections alone: one that stands in a category itself, or nowhere,
// gets a section on the side.

const sectionKind = 'section_of_articles'
const categoryKind = 'category_of_articles'
export const isSideShelf = ({ kind }: Pick<SideRecord, 'kind'>) => kind === sectionKind || kind === categoryKind
/** The mark of the section for articles that stand nowhere. */
const nowhere = 'nowhere'
const nameOfNowhere = 'Imported articles'
/** The version of one that was there before us: an undo leaves it. */
const foundVersion = 'found'

export class ShelfRefusedError extends Error {
  readonly sent: Extract<Sent, { result: 'refused' }>
  constructor(sent: Extract<Sent, { result: 'refused' }>) {
    super(sent.message)
    this.sent = sent
  }
}

/** Categories and sections, each with what it stands in. */
export const shelvesNow = async ({ api }: WriteContext): Promise<RawRecord[]> => [
  ...(await readAll(categoryList(api, 'categories'), largestPage)),
  ...(await readAll(categoryList(api, 'sections'), largestPage)),
]
export const pathOf = (id: string) =>
  `/help_center/${id.startsWith('c') ? 'categories' : 'sections'}/${id.replace(/^c/, '')}`

/** The same key for shelves of one name at one place, in any case of letters. */
export const placeOf = (name: unknown, parent: unknown): string =>
  digestOf(`${parent ?? ''}\n${String(name).trim().toLowerCase()}`, 16)
export const findShelf = (shelves: readonly RawRecord[], name: unknown, parent: string | null) =>
  shelves.find((raw) => placeOf(raw.name, raw.parent) === placeOf(name, parent))

export async function makeShelf(
  { api }: WriteContext,
  shelves: readonly RawRecord[],
  parent: string | null,
  body: Record<string, unknown>,
): Promise<RawRecord> {
  const done = (sent: Sent) => {
    if (sent.result === 'refused') throw new ShelfRefusedError(sent)
    return sent.json
  }
  if (parent === null) {
    const json = done(await api.http.send('POST', '/help_center/categories.json', { json: { category: body } }))
    const raw = api.one(json, 'category')
    return { ...raw, id: `c${raw.id}`, parent: null }
  }
  const above = shelves.find(({ id }) => String(id) === parent)
  const category = parent.startsWith('c') ? parent.slice(1) : above?.category_id
  const inSection = parent.startsWith('c') ? {} : { parent_section_id: Number(parent) }
  const path = `/help_center/categories/${category}/sections.json`
  const json = done(await api.http.send('POST', path, { json: { section: { ...body, ...inSection } } }))
  const raw = api.one(json, 'section')
  return { ...raw, parent: raw.parent_section_id ?? `c${raw.category_id}` }
}

/** An existing shelf is used. A shelf that we noted before creating it is ours, even if the answer was lost. */
async function takeOnSide(
  context: WriteContext & { guide: { locale: string } },
  shelves: readonly RawRecord[],
  { kind, mark, parent, name }: { kind: string; mark: string; parent: string | null; name: unknown },
): Promise<string> {
  const { sides, guide } = context
  const known = (await sides?.list(kind))?.find((one) => one.mark === mark)
  const there = findShelf(shelves, name, parent)
  const version = there && !known ? foundVersion : there ? (known?.version ?? null) : null
  const side = { kind, mark, destinationId: null, version }
  if (!there) await sides?.note(side)
  const words = { name, description: '', locale: guide.locale }
  const shelf =
    there ??
    (await makeShelf(context, shelves, parent, words).catch(async (error) => {
      if (error instanceof ShelfRefusedError) await sides?.forget(side)
      throw error
    }))
  await sides?.note({ ...side, destinationId: String(shelf.id) })
  return String(shelf.id)
}

/** The section for articles of a category, or of none. */
export async function sectionFor(
  context: WriteContext & { guide: { locale: string } },
  place: string | null,
): Promise<string> {
  if (place !== null && !place.startsWith('c')) return place
  const mark = place ?? nowhere
  const known = (await context.sides?.list(sectionKind))?.find((one) => one.mark === mark)
  if (known?.destinationId) return known.destinationId
  const shelves = await shelvesNow(context)
  const category =
    place ?? (await takeOnSide(context, shelves, { kind: categoryKind, mark, parent: null, name: nameOfNowhere }))
  const name = shelves.find(({ id }) => id === category)?.name ?? nameOfNowhere
  return takeOnSide(context, shelves, { kind: sectionKind, mark, parent: category, name })
}

/** People deleted the section that we made: the next article gets another one. Answers false for a section of a record. */
export async function forgetSection({ sides }: WriteContext, place: string | null): Promise<boolean> {
  if (place !== null && !place.startsWith('c')) return false
  const mark = place ?? nowhere
  await sides?.forget({ kind: sectionKind, mark }, { kind: categoryKind, mark })
  return sides !== undefined
}

/** A shelf that we made for articles stands for their original place. */
export async function placesOf({ sides }: WriteContext): Promise<ReadonlyMap<string, string | null>> {
  const made = (await sides?.list(sectionKind)) ?? []
  return new Map(made.map(({ mark, destinationId }) => [String(destinationId), mark === nowhere ? null : mark]))
}

/** Sections that we made on the side count as nothing while no article is in them. */
export async function isEmptyShelf(context: WriteContext, id: string): Promise<boolean> {
  const { api, sides } = context
  const inside = (await shelvesNow(context)).filter(({ parent }) => String(parent ?? '') === id)
  const made = ((await sides?.list(sectionKind)) ?? []).filter(({ version }) => version !== foundVersion)
  for (const section of inside) {
    const isMade = made.some(({ destinationId }) => destinationId === String(section.id))
    if (!isMade || !(await isEmptyShelf(context, String(section.id)))) return false
  }
  if (id.startsWith('c')) return true
  const { items } = await api.page(`${pathOf(id)}/articles.json`, 'articles', { 'page[size]': 1 }, [404])
  return items.length === 0
}

/** Why a shelf that we made on the side stays, and its id; null when there is none any more. */
export async function removeSideShelf(
  context: WriteContext,
  side: SideRecord,
): Promise<{ id: string; message: string } | null> {
  if (side.version === foundVersion) return null
  const raw = await sideShelfNow(context, side)
  if (!raw) return null
  const id = String(raw.id)
  if (!(await isEmptyShelf(context, id))) return { id, message: 'It is not empty.' }
  const sent = await context.api.http.send('DELETE', `${pathOf(id)}.json`)
  if (sent.result === 'done' || sent.status === 404) return null
  return { id, message: `${label} does not delete it: ${sent.message}` }
}

/** Also one whose answer never came: there was none of its name before we noted it. */
async function sideShelfNow(context: WriteContext, { kind, mark, destinationId }: SideRecord) {
  const shelves = await shelvesNow(context)
  if (destinationId !== null) return shelves.find(({ id }) => String(id) === destinationId)
  if (kind === categoryKind) return findShelf(shelves, nameOfNowhere, null)
  const category = mark === nowhere ? findShelf(shelves, nameOfNowhere, null) : shelves.find(({ id }) => id === mark)
  return category && findShelf(shelves, category.name, String(category.id))
}
