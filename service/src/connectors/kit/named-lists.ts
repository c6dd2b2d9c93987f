import type {
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SideOutcome,
  SideRecord,
  SideRecords,
  WriteOutcome,
} from '../contract/contract.ts'
import type { Sent } from './http.ts'
import { digestOf, type Key } from './keys.ts'
import type { RawRecord } from './lens.ts'
import { refused } from './outcomes.ts'
import { removeRecords } from './remove.ts'
import { writeEach } from './write-each.ts'

// Short lists without a place for a key, such as pipelines and stages: one of the same name at the same place is used as it
// is. Before one is made, it is noted; the note stays, so that after a crash it is known for ours.

type Body = Record<string, unknown>

export interface NamedList {
  /** The kind of its notes. */
  kind: string
  all(): Promise<RawRecord[]>
  toBody(record: OutgoingRecord): Body | Promise<Body>
  /** Its name, and what it stands in: of one that is there, and of a body. */
  placeOf(one: Body): readonly unknown[]
  /** Makes one, or changes the one with the id. */
  save(id: string | null, body: Body): Promise<{ sent: Sent; id: string }>
  isUsed(id: string): Promise<boolean>
  remove(id: string): Promise<Sent>
}

const placeIn = ({ placeOf }: NamedList, one: Body): string =>
  digestOf(
    JSON.stringify(
      placeOf(one).map((part) =>
        String(part ?? '')
          .trim()
          .toLowerCase(),
      ),
    ),
  )

/** Until the answer is there, only the place tells which one it is. */
const isNoted = (list: NamedList, notes: readonly SideRecord[]) => (raw: RawRecord, key: string) =>
  notes.some(
    ({ mark, destinationId, version }) =>
      mark === key && (destinationId === null ? version === placeIn(list, raw) : destinationId === String(raw.id)),
  )

/** Finds those that we made by their notes. */
export async function notedKey(
  list: NamedList,
  sides: SideRecords | undefined,
): Promise<Pick<Key, 'atOnce' | 'seek' | 'isOn'>> {
  const isOn = isNoted(list, (await sides?.list(list.kind)) ?? [])
  return { atOnce: Number.POSITIVE_INFINITY, seek: () => list.all(), isOn }
}

export function writeNamed(
  list: NamedList,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  return writeEach(records, async (record) => {
    const { key, destinationId } = record
    const body = await list.toBody(record)
    const note: SideRecord = { kind: list.kind, mark: key, destinationId: null, version: placeIn(list, body) }
    const all = destinationId === null ? await list.all() : []
    const isOurs = isNoted(list, (await sides?.list(list.kind)) ?? [])
    const own = all.find((raw) => isOurs(raw, key))
    const there = all.find((raw) => placeIn(list, raw) === note.version)
    if (!own && there) return { key, result: 'matched', destinationId: String(there.id), url: null }
    const known = destinationId ?? (own ? String(own.id) : null)
    if (known === null) await sides?.note(note)
    const { sent, id } = await list.save(known, body)
    if (sent.result === 'refused') {
      if (known === null) await sides?.forget(note)
      return refused(key, sent.code, sent.message)
    }
    if (destinationId === null) await sides?.note({ ...note, destinationId: known ?? id })
    return { key, result: 'written', destinationId: known ?? id, url: null, version: null }
  })
}

export const removeNamed = (
  label: string,
  list: NamedList,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> =>
  removeRecords<RawRecord>(
    {
      label,
      byIds: async (ids) => (await list.all()).filter(({ id }) => ids.includes(String(id))),
      versionOf: () => null,
      findNeed: async ({ id }) => ((await list.isUsed(String(id))) ? 'Deals of this account use it.' : null),
      async send(some) {
        const answers: Sent[] = []
        for (const { destinationId } of some) answers.push(await list.remove(destinationId))
        return answers
      },
    },
    records,
  )

/** At the end of an undo. The notes name records, which the undo has removed or kept as such. */
export const dropNotes = async (notes: readonly SideRecord[]): Promise<SideOutcome[]> =>
  notes.map(({ kind, mark }) => ({ kind, mark, result: 'removed' }))
