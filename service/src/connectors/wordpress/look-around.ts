import type { WordpressApi } from './api.ts'
import { comparableAddress, decoded, mediaAddresses } from './media-file.ts'
import { listAddresses } from './read-html.ts'
import { type ListName, type Raw, type RawRecord, takeFields } from './schema.ts'
import type { Surroundings } from './to-family.ts'

/** Pictures of old texts carry no id and are searched by name: so many a page. */
const maxSearches = 60

const mediaFields = { _fields: 'id,source_url,media_details,alt_text,caption' }

/** What the records of a page refer to. WordPress keeps references to what was deleted. */
export async function lookAround(
  api: WordpressApi,
  entity: ListName,
  records: readonly RawRecord[],
): Promise<Surroundings> {
  const taken = records.map((record) => takeFields(entity, record).raw as Raw<'posts'> & Raw<'comments'>)
  const authors = new Set(taken.flatMap(({ author }) => (author ? [author] : [])))
  const users = new Set((await api.listByIds('users', [...authors], { _fields: 'id' })).map(({ id }) => id))
  const comments = entity === 'comments' ? await knownComments(api, taken) : new Set<number>()
  const addresses = taken.flatMap(({ content }) => (content ? listAddresses(content.rendered) : []))
  const pictures = taken.flatMap(({ featured_media }) => (featured_media ? [featured_media] : []))
  const media = await findMedia(api, addresses, pictures)
  const idOf = (url: string) => media.byAddress.get(comparableAddress(url, api.site) ?? '')
  return {
    hasUser: (id) => users.has(id),
    hasComment: (id) => comments.has(id),
    medium: (id) => media.byId.get(id),
    mediaAt(html) {
      const shown = new Set(listAddresses(html).map(({ url }) => url))
      return [...shown].flatMap((url) => {
        const id = idOf(url)
        return id === undefined ? [] : [{ url, attachment: String(id) }]
      })
    },
  }
}

async function knownComments(api: WordpressApi, page: readonly Raw<'comments'>[]): Promise<Set<number>> {
  const here = new Set(page.map(({ id }) => id))
  const elsewhere = new Set(page.flatMap(({ parent }) => (parent && !here.has(parent) ? [parent] : [])))
  const found = await api.listByIds('comments', [...elsewhere], { status: 'all', _fields: 'id' })
  return new Set([...here, ...found.map(({ id }) => id)])
}

async function findMedia(
  api: WordpressApi,
  addresses: { url: string; mediaId: number | null }[],
  pictures: number[],
): Promise<{ byId: Map<number, Raw<'media'>>; byAddress: Map<string, number> }> {
  const byId = new Map<number, Raw<'media'>>()
  const byAddress = new Map<string, number>()
  const note = (records: RawRecord[]) => {
    for (const record of records) {
      const { raw } = takeFields('media', record)
      byId.set(record.id, raw)
      for (const address of mediaAddresses(raw)) {
        const comparable = comparableAddress(address, api.site)
        if (comparable !== null) byAddress.set(comparable, record.id)
      }
    }
  }
  const ids = new Set([...pictures, ...addresses.flatMap(({ mediaId }) => mediaId ?? [])])
  note(await api.listByIds('media', [...ids], mediaFields))
  const names = new Set<string>()
  for (const { url } of addresses) {
    const comparable = comparableAddress(url, api.site)
    if (comparable === null || byAddress.has(comparable) || !comparable.includes('/uploads/')) continue
    const file = comparable.slice(comparable.lastIndexOf('/') + 1)
    names.add(decoded(file.slice(0, file.lastIndexOf('.'))))
  }
  for (const name of [...names].slice(0, maxSearches)) {
    if (name !== '') note((await api.list('media', { ...mediaFields, search: name, per_page: 20 })).records)
  }
  return { byId, byAddress }
}
