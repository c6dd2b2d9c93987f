import type { SideRecord, SideRecords } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type FreshdeskApi, label } from './api.ts'
import { type Readers, readersOf, visibilityOf } from './lenses.ts'
import { readFolders } from './solutions.ts'

// Shelves are categories and folders. Articles stand in folders alone, and the folder decides who may read them. An article
// that stands in a category itself or nowhere, or whose folder has other readers, gets a folder on the side.

export interface ShelfContext {
  api: FreshdeskApi
  sides: SideRecords
}

const folderKind = 'folder_of_articles'
const categoryKind = 'category_of_articles'
export const isSideShelf = ({ kind }: Pick<SideRecord, 'kind'>) => kind === folderKind || kind === categoryKind
/** The mark of what is for articles that stand nowhere. */
const nowhere = 'nowhere'
const nameOfNowhere = 'Imported articles'
/** The version of a category that was there before us: an undo leaves it. */
const foundVersion = 'found'
const mostNames = 20

export class ShelfRefusedError extends Error {
  readonly sent: Extract<Sent, { result: 'refused' }>
  constructor(sent: Extract<Sent, { result: 'refused' }>) {
    super(sent.message)
    this.sent = sent
  }
}

export const shelvesNow = ({ api }: ShelfContext): Promise<RawRecord[]> => readFolders(api, [404])
export const pathOf = (id: string) =>
  `/solutions/${id.startsWith('c') ? 'categories' : 'folders'}/${encodeURIComponent(id.replace(/^c/, ''))}`
export const urlOf = ({ api }: ShelfContext, id: string) =>
  `${api.site}/support/solutions/${id.startsWith('c') ? id.slice(1) : `folders/${id}`}`

/** The same key for shelves of one name at one place, in any case of letters. */
export const placeOf = (name: unknown, parent: unknown): string =>
  digestOf(`${parent ?? ''}\n${String(name).trim().toLowerCase()}`, 16)
export const findShelf = (shelves: readonly RawRecord[], name: unknown, parent: string | null) =>
  shelves.find((raw) => placeOf(raw.name, raw.parent) === placeOf(name, parent))

export async function makeShelf(
  { api }: ShelfContext,
  shelves: readonly RawRecord[],
  parent: string | null,
  { readers, ...body }: { name: unknown; description?: unknown; readers: Readers },
): Promise<RawRecord> {
  const done = (sent: Sent) => {
    if (sent.result === 'refused') throw new ShelfRefusedError(sent)
    return api.one(sent.json, 'folder')
  }
  if (parent === null) {
    const raw = done(await api.http.send('POST', '/solutions/categories', { json: body }))
    return { ...raw, id: `c${raw.id}`, parent: null }
  }
  const above = shelves.find(({ id }) => String(id) === parent)
  const category = parent.startsWith('c') ? parent.slice(1) : above?.category_id
  const inFolder = parent.startsWith('c') ? {} : { parent_folder_id: Number(parent) }
  const json = { ...body, visibility: visibilityOf(readers), ...inFolder }
  const raw = done(await api.http.send('POST', `/solutions/categories/${category}/folders`, { json }))
  return { ...raw, parent: parent.startsWith('c') ? parent : Number(parent) }
}

interface Wanted {
  kind: string
  mark: string
  parent: string | null
  name: string
  readers: Readers
}

/**
 * A shelf that we noted before creating it is ours, even if the answer was lost. People's folders are never used: each
 * is a place by itself.
 */
async function takeOnSide(context: ShelfContext, shelves: RawRecord[], wanted: Wanted): Promise<string> {
  const { sides } = context
  const { kind, mark, parent, readers } = wanted
  const known = (await sides.list(kind)).find((one) => one.mark === mark)
  const isFit = (raw: RawRecord) => kind === categoryKind || readersOf(raw.visibility) === readers
  const lost = known?.destinationId === null ? known.version : null
  const ours = shelves.find((raw) => placeOf(raw.name, raw.parent) === lost && isFit(raw))
  if (ours) {
    await sides.note({ kind, mark, destinationId: String(ours.id), version: lost })
    return String(ours.id)
  }
  const there = findShelf(shelves, wanted.name, parent)
  if (kind === categoryKind && there) {
    await sides.note({ kind, mark, destinationId: String(there.id), version: foundVersion })
    return String(there.id)
  }
  const names = [wanted.name, ...Array.from({ length: mostNames }, (_, at) => `${wanted.name} ${at + 2}`)]
  const name = names.find((one) => !findShelf(shelves, one, parent)) ?? wanted.name
  const side = { kind, mark, destinationId: null, version: placeOf(name, parent) }
  await sides.note(side)
  const shelf = await makeShelf(context, shelves, parent, { name, readers }).catch(async (error) => {
    if (error instanceof ShelfRefusedError) await sides.forget(side)
    throw error
  })
  shelves.push(shelf)
  await sides.note({ ...side, destinationId: String(shelf.id) })
  return String(shelf.id)
}

/** Each folder is asked for once. */
export function folderViews({ api }: ShelfContext) {
  const seen = new Map<string, Promise<RawRecord | null>>()
  return (id: string): Promise<RawRecord | null> => {
    const view = seen.get(id) ?? api.view('/solutions/folders', id)
    seen.set(id, view)
    return view
  }
}

/** The folder for articles of a place, with exactly these readers. Null when the place is not there any more. */
export async function folderFor(
  context: ShelfContext,
  view: ReturnType<typeof folderViews>,
  place: string | null,
  readers: Readers,
): Promise<string | null> {
  const { sides } = context
  const isFolder = place !== null && !place.startsWith('c')
  const folder = isFolder ? await view(place) : null
  if (isFolder && !folder) return null
  if (folder && readersOf(folder.visibility) === readers) return place
  const mark = `${place ?? nowhere} ${readers}`
  const known = (await sides.list(folderKind)).find((one) => one.mark === mark)
  const made = known?.destinationId ? await context.api.view('/solutions/folders', known.destinationId) : null
  // People may have deleted our folder, or opened it to others.
  if (made && readersOf(made.visibility) === readers) return String(made.id)
  const shelves = await shelvesNow(context)
  const above = folder
    ? (shelves.find(({ id }) => String(id) === place)?.parent ?? `c${folder.category_id}`)
    : (place ??
      (await takeOnSide(context, shelves, {
        ...{ kind: categoryKind, mark: nowhere, parent: null },
        ...{ name: nameOfNowhere, readers },
      })))
  const holder = folder ?? shelves.find(({ id }) => id === above)
  if (!holder) return null
  const isPlain = readers === 'public' && !folder
  const name = isPlain ? String(holder.name) : `${holder.name} (${readers})`
  return takeOnSide(context, shelves, { kind: folderKind, mark, parent: String(above), name, readers })
}

/** A shelf that we made for articles stands for their original place. */
export async function placesOf({ sides }: ShelfContext): Promise<ReadonlyMap<string, string | null>> {
  const made = await sides.list(folderKind)
  const placeIn = (mark: string) => mark.split(' ')[0] ?? nowhere
  return new Map(
    made.map(({ mark, destinationId }) => [String(destinationId), placeIn(mark) === nowhere ? null : placeIn(mark)]),
  )
}

/** Folders that we made on the side count as nothing while no article is in them. */
export async function isEmptyShelf(context: ShelfContext, id: string, now?: readonly RawRecord[]): Promise<boolean> {
  const { api, sides } = context
  const shelves = now ?? (await shelvesNow(context))
  const made = await sides.list(folderKind)
  for (const inner of shelves.filter(({ parent }) => String(parent ?? '') === id)) {
    const isMade = made.some(({ destinationId }) => destinationId === String(inner.id))
    if (!isMade || !(await isEmptyShelf(context, String(inner.id), shelves))) return false
  }
  if (id.startsWith('c')) return true
  const { items } = await api.page(`${pathOf(id)}/articles`, {}, 1, 1, [404])
  return items.length === 0
}

/** Why a shelf that we made on the side stays, and its id; null when there is none any more. */
export async function removeSideShelf(
  context: ShelfContext,
  { destinationId, version }: SideRecord,
): Promise<{ id: string; message: string } | null> {
  if (version === foundVersion) return null
  const shelves = await shelvesNow(context)
  // Also one whose answer never came: there was none of its name before we noted it.
  const raw = shelves.find((one) =>
    destinationId === null ? placeOf(one.name, one.parent) === version : String(one.id) === destinationId,
  )
  if (!raw) return null
  const id = String(raw.id)
  if (!(await isEmptyShelf(context, id, shelves))) return { id, message: 'It is not empty.' }
  const sent = await context.api.http.send('DELETE', pathOf(id))
  if (sent.result === 'done' || sent.status === 404) return null
  return { id, message: `${label} does not delete it: ${sent.message}` }
}
