import type { WriteLoss } from '../../warnings/codes.ts'
import type { OutgoingRecord, SideOutcome, SideRecord, SideRecords, WriteOutcome } from '../contract/contract.ts'
import { among, type FoundContent } from './find.ts'
import type { Sent } from './http.ts'
import { digestOf } from './keys.ts'
import type { RawRecord } from './lens.ts'
import type { WrittenEntity } from './open-writer.ts'
import { matched, RefusedError, written } from './outcomes.ts'
import { writeEach } from './write-each.ts'

// Short lists without a place for a key, such as pipelines, groups and shelves. An existing item with the same name at
// the same place is used unchanged. Before we make an item, we write a note. The note stays, so that after a crash we
// recognize the item as ours.

type Body = Record<string, unknown>

export interface NamedList {
  /** The kind of the side records that hold the notes. */
  kind: string
  all(): Promise<RawRecord[]>
  toBody(record: OutgoingRecord): Body | Promise<Body>
  /** The item's name and its parent, from an existing item or from a body. */
  placeOf(one: Body): readonly unknown[]
  /** Makes an item, or changes the item with this id, and returns it. A refusal throws a RefusedError. */
  save(id: string | null, body: Body, all: readonly RawRecord[]): Promise<{ raw: RawRecord; losses?: WriteLoss[] }>
  toFound(raw: RawRecord): FoundContent | Promise<FoundContent>
  /** Why the item must not be removed; null if it may be. */
  findNeed(raw: RawRecord): Promise<string | null>
  remove(id: string): Promise<Sent>
}

const textOf = (part: unknown) =>
  String(part ?? '')
    .trim()
    .toLowerCase()
const placeIn = ({ placeOf }: Pick<NamedList, 'placeOf'>, one: Body): string =>
  digestOf(JSON.stringify(placeOf(one).map(textOf)))

/** Recognizes an item by its note. Until the tool has answered, the note holds only the item's place, not its id. */
const isNoted = (list: NamedList, notes: readonly SideRecord[]) => (raw: RawRecord, key: string) =>
  notes.some(
    ({ mark, destinationId, version }) =>
      mark === key && (destinationId === null ? version === placeIn(list, raw) : destinationId === String(raw.id)),
  )

/** The `write` and `look` of such a list for `openWriter`. */
export function namedEntity(
  list: NamedList,
  sides: SideRecords | undefined,
): Required<Pick<WrittenEntity, 'write' | 'look'>> {
  const noted = async () => isNoted(list, (await sides?.list(list.kind)) ?? [])
  return {
    write: async (records) => writeNamed(list, records, sides, await noted()),
    async look() {
      const { toFound, findNeed, remove, all } = list
      const key = { atOnce: Number.POSITIVE_INFINITY, seek: all, isOn: await noted() }
      return { byIds: among(all), key, toFound, findNeed, remove }
    },
  }
}

async function writeNamed(
  list: NamedList,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
  isOurs: (raw: RawRecord, key: string) => boolean,
): Promise<WriteOutcome[]> {
  const all = await list.all()
  return writeEach(records, async (record): Promise<WriteOutcome> => {
    const { key, destinationId } = record
    const body = await list.toBody(record)
    const note: SideRecord = { kind: list.kind, mark: key, destinationId: null, version: placeIn(list, body) }
    const match = async (among: readonly RawRecord[]) => {
      const there = among.find((raw) => placeIn(list, raw) === note.version)
      return there ? matched(key, there.id, (await list.toFound(there)).url) : null
    }
    const own = all.find((raw) => isOurs(raw, key))
    const id = destinationId ?? (own ? String(own.id) : null)
    const existing = id === null ? await match(all) : null
    if (existing) return existing
    if (id === null) await sides?.note(note)
    try {
      const { raw, losses } = await list.save(id, body, all)
      await sides?.note({ ...note, destinationId: String(raw.id) })
      if (id === null) all.push(raw)
      return written(key, raw.id, await list.toFound(raw), losses)
    } catch (error) {
      if (!(error instanceof RefusedError) || id !== null) throw error
      await sides?.forget(note)
      // Somebody made an item with this name since the list was read.
      const now = error.status === 409 ? await match(await list.all()) : null
      if (now) return now
      throw error
    }
  })
}

/** Drops all notes at the end of an undo. The undo has already handled the records that the notes name. */
export const dropNotes = async (notes: readonly SideRecord[]): Promise<SideOutcome[]> =>
  notes.map(({ kind, mark }) => ({ kind, mark, result: 'removed' }))
