import type { FoundRecord, OutgoingRecord, SoughtRecord } from '../../contract/contract.ts'
import { type FindRules, findRecords } from '../../kit/find.ts'
import { markerOf, readMarked } from './marker.ts'
import type { Tryton } from './tryton.ts'

/** A row in the form that is compared. `id` is its destination id. */
export type FoundRow = Pick<FoundRecord, 'version' | 'fields'> & { id: number; url?: string }
/** A marker that Tryton holds, with the id of the record that it belongs to. */
export type Mark = [marker: string, id: number | undefined]

/** How records are found: `read` gets those of the ids that exist, and `findMarks` searches for our keys. */
export function rulesOf(
  read: (ids: number[]) => Promise<FoundRow[]>,
  findMarks: (sought: readonly SoughtRecord[]) => Promise<Mark[]> = async () => [],
): FindRules<FoundRow> {
  const marks = new Set<string>()
  return {
    byIds: (ids) => read(ids.map(Number)),
    key: {
      atOnce: Number.POSITIVE_INFINITY,
      async seek(sought) {
        const found = await findMarks(sought)
        for (const [marker, id] of found) marks.add(`${id} ${marker}`)
        return found.length === 0 ? [] : read(found.flatMap(([, id]) => id ?? []))
      },
      isOn: ({ id }, key) => marks.has(`${id} ${markerOf(key)}`),
    },
    toFound: ({ id: _id, ...row }) => ({ url: null, customFields: {}, createdAt: null, updatedAt: null, ...row }),
  }
}

/**
 * The ids of existing records. A record without a known id is looked up by our key, so that no record is created twice.
 */
export async function knownIds(
  rules: FindRules<FoundRow>,
  records: readonly OutgoingRecord[],
  parentOf: (record: OutgoingRecord) => SoughtRecord['parent'] = () => null,
): Promise<Map<string, number>> {
  const fresh = records.filter(({ destinationId }) => destinationId === null)
  const lost = await findRecords(
    rules,
    fresh.map((record) => ({ key: record.key, destinationId: null, parent: parentOf(record) })),
  )
  // Of a record that was written twice, the first one counts.
  const known = [...records, ...lost.reverse()].filter(({ destinationId }) => destinationId !== null)
  return new Map(known.map(({ key, destinationId }) => [key, Number(destinationId)]))
}

/**
 * Finds notes or files by the last line of their text. If the parent is known, only its notes and files are searched:
 * Tryton compares texts one by one, and a party can have thousands.
 */
export async function findMarkedTexts(
  tryton: Tryton,
  model: 'ir.note' | 'ir.attachment',
  sought: readonly { key: string; resource: string | null }[],
): Promise<Mark[]> {
  const field = model === 'ir.note' ? 'message' : 'description'
  const found: Mark[] = []
  for (const isPlaced of [true, false]) {
    const some = sought.filter(({ resource }) => (resource !== null) === isPlaced)
    if (some.length === 0) continue
    const resources = [...new Set(some.flatMap(({ resource }) => resource ?? []))]
    // In a `like` pattern, an underscore matches any character. The caller compares the whole marker.
    const patterns = ['OR', ...some.map(({ key }) => [field, 'like', `%${markerOf(key)}`])]
    const domain = isPlaced ? [['resource', 'in', resources], patterns] : patterns
    for (const row of await tryton.rows(model, domain, [field])) {
      const text = 'description' in row ? row.description : 'message' in row ? row.message : null
      found.push([readMarked(text).marker ?? '', row.id])
    }
  }
  return found
}
