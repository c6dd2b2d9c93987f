import Type from 'typebox'
import { runBeside } from '../../../threads/run-beside.ts'
import { takeFields } from '../../kit/take-fields.ts'
import type { WordpressApi } from './api.ts'
import type { EntityName, Raw } from './entities.ts'
import { idOrNone, type Medium, type Surroundings, text } from './lenses.ts'
import { comparableAddress, decoded, mediaAddresses } from './media-file.ts'
import * as html from './read-html.ts'

/** Pictures in old texts have no id and are searched by name. This is the maximum number of searches per page. */
const maxSearches = 60

const beside = runBeside(new URL('./read-html.ts', import.meta.url).href, html)

const mediaShape = {
  id: idOrNone,
  source_url: text,
  media_details: Type.Unknown(),
  alt_text: text,
  caption: Type.Object({ raw: text }),
}
const mediaFields = { _fields: Object.keys(mediaShape).join(',') }
const referring = {
  author: idOrNone,
  parent: idOrNone,
  featured_media: idOrNone,
  content: Type.Object({ raw: text, rendered: text }),
}

const onlyId = { _fields: 'id' }

/** Requests the records that a page refers to. WordPress keeps references to deleted records. */
export async function lookAround(
  api: WordpressApi,
  entity: EntityName,
  records: readonly Raw[],
): Promise<Surroundings> {
  const taken = records.map((record) => ({ id: record.id, ...takeFields(referring, record) }))
  const idsIn = (name: 'author' | 'parent' | 'featured_media') => [...new Set(taken.flatMap((one) => one[name] || []))]
  const users = await api.listByIds('users', idsIn('author'), onlyId)
  const here = taken.map(({ id }) => id)
  const elsewhere = entity === 'comments' ? idsIn('parent').filter((id) => !here.includes(id)) : []
  const known = await api.listByIds('comments', elsewhere, { status: 'all', ...onlyId })
  const addressesOf = new Map<number, html.FileAddress[]>()
  for (const { id, content } of taken) {
    if (content) addressesOf.set(id, await beside('listAddresses', content.rendered, api.site))
  }
  const media = await findMedia(api, [...addressesOf.values()].flat(), idsIn('featured_media'))
  const shownBy = (addresses: readonly html.FileAddress[]) =>
    addresses.flatMap(({ url, comparable }) => {
      const id = media.byAddress.get(comparable)
      return id === undefined ? [] : [{ url, attachment: String(id) }]
    })
  const shown = new Map([...addressesOf].map(([id, addresses]) => [id, shownBy(addresses)]))
  const idsOf = (found: Raw[]) => found.map(({ id }) => id)
  return { users: new Set(idsOf(users)), comments: new Set([...here, ...idsOf(known)]), media: media.byId, shown }
}

async function findMedia(
  api: WordpressApi,
  addresses: readonly html.FileAddress[],
  pictures: number[],
): Promise<{ byId: Map<number, Medium>; byAddress: Map<string, number> }> {
  const byId = new Map<number, Medium>()
  const byAddress = new Map<string, number>()
  const note = (records: Raw[]) => {
    for (const record of records) {
      const medium = takeFields(mediaShape, record)
      byId.set(record.id, medium)
      for (const address of mediaAddresses(medium)) {
        const comparable = comparableAddress(address, api.site)
        if (comparable !== null) byAddress.set(comparable, record.id)
      }
    }
  }
  const ids = new Set([...pictures, ...addresses.flatMap(({ mediaId }) => mediaId ?? [])])
  note(await api.listByIds('media', [...ids], mediaFields))
  // Files of the site that are not found yet are searched by their names, without the extension.
  const missing = addresses.filter(({ comparable }) => !byAddress.has(comparable) && comparable.includes('/uploads/'))
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'))
  const names = new Set(missing.map(({ comparable }) => decoded(nameOf(comparable))))
  names.delete('')
  for (const name of [...names].slice(0, maxSearches)) {
    note((await api.list('media', { ...mediaFields, search: name, per_page: 20 })).records)
  }
  return { byId, byAddress }
}
