import { aboutMarkerOf, markerOf, readMarked } from './marker.ts'
import type { Tryton } from './tryton.ts'
import type { Wanted } from './write-tasks.ts'

/** Ids by our key. A key has more than one id if its record was written twice. */
type Marked = Map<string, number[]>

/** Finds parties by the identifier that holds our key. */
export async function findMarkedParties(tryton: Tryton, records: readonly { key: string }[]): Promise<Marked> {
  const markers = records.map(({ key }) => markerOf(key))
  const rows = await tryton.rowsIn('party.identifier', 'code', markers, ['code', 'party'])
  return collect(
    records,
    rows.map(({ code = '', party }) => [code, party]),
  )
}

/** Finds opportunities by the note that holds only our key. */
export async function findMarkedDeals(tryton: Tryton, records: readonly { key: string }[]): Promise<Marked> {
  if (records.length === 0) return new Map()
  const domain = [
    ['message', 'in', records.map(({ key }) => markerOf(key))],
    ['resource.id', '>', 0, 'sale.opportunity'],
  ]
  const rows = await tryton.rows('ir.note', domain, ['message', 'resource'])
  return collect(
    records,
    rows.map(({ message, resource }) => [message ?? '', Number(resource?.split(',')[1])]),
  )
}

/**
 * Finds notes or files by the last line of their text. If the parent is known, only its notes and files are searched:
 * Tryton compares texts one by one, and a party can have thousands.
 */
export async function findMarkedTexts(
  tryton: Tryton,
  model: 'ir.note' | 'ir.attachment',
  sought: readonly { key: string; resource: string | null }[],
): Promise<Marked> {
  const field = model === 'ir.note' ? 'message' : 'description'
  const found: Marked = new Map()
  for (const isPlaced of [true, false]) {
    const some = sought.filter(({ resource }) => (resource !== null) === isPlaced)
    if (some.length === 0) continue
    const resources = [...new Set(some.flatMap(({ resource }) => resource ?? []))]
    // In a `like` pattern, an underscore matches any character. Wrong hits are filtered out below.
    const patterns = ['OR', ...some.map(({ key }) => [field, 'like', `%${markerOf(key)}`])]
    const domain = isPlaced ? [['resource', 'in', resources], patterns] : patterns
    const rows: { id: number; message?: string | null; description?: string | null }[] = await tryton.rows(
      model,
      domain,
      [field],
    )
    const marked = rows.map((row): [string, number] => [readMarked(row[field]).marker ?? '', row.id])
    for (const [key, ids] of collect(some, marked)) found.set(key, ids)
  }
  return found
}

/** The "about" note of each party. */
export async function findAboutNotes(
  tryton: Tryton,
  parties: readonly Wanted[],
): Promise<Map<number, { id: number; text: string }>> {
  const found = new Map<number, { id: number; text: string }>()
  if (parties.length === 0) return found
  const resources = new Map(parties.map((party) => [`party.party,${party.id}`, party]))
  const domain = [
    ['resource', 'in', [...resources.keys()]],
    ['message', 'like', '%/about'],
  ]
  for (const { id, message, resource } of await tryton.rows('ir.note', domain, ['message', 'resource'])) {
    const party = resources.get(resource ?? '')
    const { text, marker } = readMarked(message)
    if (party && marker === aboutMarkerOf(party.key)) found.set(party.id, { id, text })
  }
  return found
}

function collect(records: readonly { key: string }[], rows: readonly [string, number | undefined][]): Marked {
  const byMarker = new Map(records.map(({ key }) => [markerOf(key), key]))
  const found: Marked = new Map()
  for (const [text, id] of rows) {
    const key = byMarker.get(text)
    if (key === undefined || id === undefined || !Number.isSafeInteger(id)) continue
    found.set(key, [...new Set([...(found.get(key) ?? []), id])])
  }
  return found
}
