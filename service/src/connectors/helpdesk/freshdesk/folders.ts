import type { EntityCapabilities, SideRecords } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { onceEach } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { shelfEntity } from '../../kit/shelf-entity.ts'
import { isEmptyShelf, nameOfNowhere, nowhere, type SideShelfRules, takeOnSide } from '../../kit/side-shelves.ts'
import { accepted, type FreshdeskApi, label, present } from './api.ts'
import * as desk from './entities.ts'
import { type Readers, readersOf, visibilityOf } from './lenses.ts'
import { readFolders } from './solutions.ts'

// "Shelf" means a Freshdesk category or folder. A top-level category of the family becomes a Freshdesk category, and
// every category inside it becomes a folder. Freshdesk keeps articles only in folders, and the folder decides who may
// read them. We create an extra folder for an article that has no folder, or whose folder has other readers.

export interface ShelfContext {
  api: FreshdeskApi
  sides: SideRecords
}

export const folderKind = 'folder_of_articles'
const categoryKind = 'category_of_articles'

const shelvesNow = ({ api }: ShelfContext): Promise<RawRecord[]> => readFolders(api, [404])
const pathOf = (id: string) =>
  `/solutions/${id.startsWith('c') ? 'categories' : 'folders'}/${encodeURIComponent(id.replace(/^c/, ''))}`
const urlOf = ({ api }: ShelfContext, id: string) =>
  `${api.site}/support/solutions/${id.startsWith('c') ? id.slice(1) : `folders/${id}`}`

async function makeShelf(
  { api }: ShelfContext,
  shelves: readonly RawRecord[],
  parent: string | null,
  { readers, ...body }: { name: unknown; description?: unknown; readers: Readers },
): Promise<RawRecord> {
  const make = async (path: string, json: object) =>
    api.one(accepted(await api.http.send('POST', path, { json })), 'folder')
  if (parent === null) {
    const raw = await make('/solutions/categories', body)
    return { ...raw, id: `c${raw.id}`, parent: null }
  }
  const above = shelves.find(({ id }) => String(id) === parent)
  const category = parent.startsWith('c') ? parent.slice(1) : above?.category_id
  const inFolder = parent.startsWith('c') ? {} : { parent_folder_id: Number(parent) }
  const json = { ...body, visibility: visibilityOf(readers), ...inFolder }
  const raw = await make(`/solutions/categories/${category}/folders`, json)
  return { ...raw, parent: parent.startsWith('c') ? parent : Number(parent) }
}

/** Writes categories of the family. */
export const categoryEntity = (context: ShelfContext, capabilities: EntityCapabilities): WrittenEntity =>
  shelfEntity(desk.categories, shelfRules(context), context.sides, capabilities, {
    all: async () => (await shelvesNow(context)).map((raw) => ({ description: null, ...raw })),
    async save(id, { name, description, parent }, shelves) {
      if (id === null) {
        const body = { name, description, readers: 'public' as const }
        return { raw: { description: null, ...(await makeShelf(context, shelves, parent as string | null, body)) } }
      }
      accepted(await context.api.http.send('PUT', pathOf(id), { json: { name, description } }))
      const now = (await shelvesNow(context)).find((raw) => String(raw.id) === id)
      return { raw: { description: null, ...present(now) } }
    },
  })

export type View = ReturnType<typeof folderViews>
/** Requests each folder only once. */
export const folderViews = ({ api }: ShelfContext) => onceEach((id: string) => api.view('/solutions/folders', id))

/**
 * Finds or creates the folder for articles of `place` that exactly these readers may read. Null if the place no longer
 * exists.
 */
export async function folderFor(
  context: ShelfContext,
  view: View,
  place: string | null,
  readers: Readers,
): Promise<string | null> {
  const { sides } = context
  const isFolder = place !== null && !place.startsWith('c')
  const folder = isFolder ? await view(place) : null
  if (isFolder && !folder) return null
  const isFit = ({ visibility }: RawRecord) => readersOf(visibility) === readers
  if (folder && isFit(folder)) return place
  const mark = `${place ?? nowhere} ${readers}`
  const [known] = await sides.list(folderKind, [mark])
  const made = known?.destinationId ? await context.api.view('/solutions/folders', known.destinationId) : null
  // People may have deleted our folder, or changed its readers.
  if (made && isFit(made)) return String(made.id)
  const shelves = await shelvesNow(context)
  const take = (parent: string | null, wanted: { kind: string; mark: string; name: string; isShared: boolean }) => {
    const make = (name: string) => makeShelf(context, shelves, parent, { name, readers })
    return takeOnSide(sides, shelves, { ...wanted, parent, make, ...(parent !== null && { isFit }) })
  }
  const atTop = { kind: categoryKind, mark: nowhere, name: nameOfNowhere, isShared: true }
  const above = folder
    ? (shelves.find(({ id }) => String(id) === place)?.parent ?? `c${folder.category_id}`)
    : (place ?? (await take(null, atTop)))
  const holder = folder ?? shelves.find(({ id }) => id === above)
  if (!holder) return null
  const isPlain = readers === 'public' && !folder
  const name = isPlain ? String(holder.name) : `${holder.name} (${readers})`
  // A folder that people made never becomes our extra folder.
  return take(String(above), { kind: folderKind, mark, name, isShared: false })
}

export const shelfRules = (context: ShelfContext): SideShelfRules => ({
  label,
  isShelf: (kind) => kind === folderKind || kind === categoryKind,
  now: () => shelvesNow(context),
  async isEmpty(id, given) {
    const shelves = given ?? (await shelvesNow(context))
    const made = await context.sides.list(folderKind)
    return isEmptyShelf(id, shelves, made, async (inner) => {
      if (inner.startsWith('c')) return false
      return (await context.api.page(`${pathOf(inner)}/articles`, {}, 1, 1, [404])).items.length > 0
    })
  },
  remove: (id) => context.api.http.send('DELETE', pathOf(id)),
  urlOf: ({ id }) => urlOf(context, String(id)),
})
