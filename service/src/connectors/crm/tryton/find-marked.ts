import type { TrytonApi } from './api.ts'
import { all } from './directory.ts'
import { aboutMarkerOf, isMarker, markerOf, readMarked } from './marker.ts'

/** Parties by the identifier that holds our key; more than one if it was written twice. */
export async function findMarkedParties(api: TrytonApi, keys: readonly string[]): Promise<Map<string, number[]>> {
  if (keys.length === 0) return new Map()
  const rows = await all(api, 'party.identifier', [['code', 'in', keys.map(markerOf)]], ['code', 'party'])
  return collect(
    keys,
    rows.map(({ code = '', party }) => [code, party]),
  )
}

/** Opportunities by the note that holds nothing but our key. */
export async function findMarkedDeals(api: TrytonApi, keys: readonly string[]): Promise<Map<string, number[]>> {
  if (keys.length === 0) return new Map()
  const domain = [
    ['message', 'in', keys.map(markerOf)],
    ['resource.id', '>', 0, 'sale.opportunity'],
  ]
  const rows = await all(api, 'ir.note', domain, ['message', 'resource'])
  return collect(
    keys,
    rows.map(({ message, resource }) => [message ?? '', Number(resource?.split(',')[1])]),
  )
}

/** Which of the two models keeps the text, and in which field. */
const texts = { 'ir.note': 'message', 'ir.attachment': 'description' } as const

/**
 * Notes or files by the last line of their text. Where it is known what they hang on, only there: a party may have
 * thousands, and Tryton looks through texts one by one.
 */
export async function findMarkedTexts(
  api: TrytonApi,
  model: 'ir.note' | 'ir.attachment',
  sought: readonly { key: string; resource: string | null }[],
): Promise<Map<string, number[]>> {
  const field = texts[model]
  const found = new Map<string, number[]>()
  for (const isPlaced of [true, false]) {
    const some = sought.filter(({ resource }) => (resource !== null) === isPlaced)
    if (some.length === 0) continue
    const resources = [...new Set(some.flatMap(({ resource }) => resource ?? []))]
    // An underline stands for any character here; what is not meant is sifted out below.
    const patterns = ['OR', ...some.map(({ key }) => [field, 'like', `%${markerOf(key)}`])]
    const domain = isPlaced ? [['resource', 'in', resources], patterns] : patterns
    const rows = await api.search(model, domain, { fields: [field] })
    const marked = rows.map((raw): [string, number] => {
      const text = (raw as unknown as Record<string, unknown>)[field]
      return [readMarked(typeof text === 'string' ? text : '').marker ?? '', raw.id]
    })
    const keys = some.map(({ key }) => key)
    for (const [key, ids] of collect(keys, marked)) found.set(key, ids)
  }
  return found
}

/** The note about a party, by party. */
export async function findAboutNotes(
  api: TrytonApi,
  parties: readonly { key: string; id: number }[],
): Promise<Map<number, { id: number; text: string }>> {
  if (parties.length === 0) return new Map()
  const resources = new Map(parties.map(({ key, id }) => [`party.party,${id}`, { key, id }]))
  const domain = [
    ['resource', 'in', [...resources.keys()]],
    ['message', 'like', '%/about'],
  ]
  const found = new Map<number, { id: number; text: string }>()
  for (const { id, message, resource } of await all(api, 'ir.note', domain, ['message', 'resource'])) {
    const party = resources.get(resource ?? '')
    const { text, marker } = readMarked(message)
    if (party && marker === aboutMarkerOf(party.key)) found.set(party.id, { id, text })
  }
  return found
}

function collect(
  keys: readonly string[],
  rows: readonly (readonly [string, number | undefined])[],
): Map<string, number[]> {
  const byMarker = new Map(keys.map((key) => [markerOf(key), key]))
  const found = new Map<string, number[]>()
  for (const [text, id] of rows) {
    const key = isMarker(text) ? byMarker.get(text) : undefined
    if (key === undefined || id === undefined || !Number.isSafeInteger(id)) continue
    found.set(key, [...new Set([...(found.get(key) ?? []), id])])
  }
  return found
}
