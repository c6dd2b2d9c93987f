import type { Carried, RecordPage, RecordWarning } from '../connectors/contract/contract.ts'
import { entityOf } from '../families/index.ts'
import type { FamilyRecord, RecordRef } from '../families/record.ts'
import { askInParts, withinPage } from '../outbound/ask-for-less.ts'
import { charactersOf, mostCharacters } from './large-pages.ts'
import { findRows, isInDestination, refKey } from './ledger.ts'
import type { RunContext, Stage } from './run-context.ts'
import { lookUntilStuck } from './stuck-page.ts'

/** Records of one entity that can be sent inside the records that they belong to, in their order. */
export interface PartPage {
  entity: string
  records: FamilyRecord[]
  warnings: readonly RecordWarning[]
}

/** Records with the parts that they can carry. */
export interface Loaded {
  records: FamilyRecord[]
  parts: PartPage[]
}

/** Records whose parts are read together, and announced together. */
export const carriersAtOnce = 20

/** The entities that new records of this stage can carry. None if the source cannot read children of single records. */
export function carriedBy({ mapping, reader }: RunContext, { stage, entity }: Stage): [string, Carried][] {
  if (stage !== 'write' || !reader.readSome) return []
  return Object.entries(mapping.destination.entities[entity]?.carries ?? {})
}

/**
 * Reads the parts of new records. Records with much text in their parts are split, to keep memory small. The stage of the
 * parts reads all of them from the source again. The ledger knows the parts that went inside a record, but not whether
 * the record has more: some are beyond the limit, some came since, and a worker may have been killed in between.
 */
export async function* loadParts(context: RunContext, stage: Stage, records: FamilyRecord[]): AsyncGenerator<Loaded> {
  const carried = carriedBy(context, stage)
  const rows = carried.length === 0 ? new Map() : await findRows(context.db, context.importId, records)
  const isNew = (record: FamilyRecord) => !isInDestination(rows.get(refKey(record)))
  const carriers = carried.length === 0 ? [] : records.filter(isNew)
  const parts: PartPage[] = []
  for (const [entity, { most, isUploaded }] of carriers.length === 0 ? [] : carried) {
    const holders = isUploaded ? [...carriers, ...parts.flatMap((page) => page.records)] : carriers
    const pages = await lookUntilStuck(context, () => readChildren(context, entity, holders, most), [])
    if (pages === null) {
      const half = Math.ceil(records.length / 2)
      yield* loadParts(context, stage, records.slice(0, half))
      yield* loadParts(context, stage, records.slice(half))
      return
    }
    parts.push(...pages)
  }
  yield { records, parts }
}

/** Null if the parts of several records hold too much text for one step. Further parts of a single record are sent later. */
async function readChildren(
  { reader: { readSome }, family }: RunContext,
  entity: string,
  carriers: FamilyRecord[],
  most: number,
): Promise<PartPage[] | null> {
  const { parent = '' } = entityOf(family, entity)
  const room = new Map(carriers.map((record) => [refKey(record), most]))
  let characters = 0
  let isTooMuch = false
  const hasRoom = (some: readonly RecordRef[]) => !isTooMuch && some.some((ref) => (room.get(refKey(ref)) ?? 0) > 0)
  const refs = carriers.map(({ entity: name, sourceId }): RecordRef => ({ entity: name, sourceId }))
  const pages = await askInParts(refs, async (parents) => {
    const page: PartPage & { records: FamilyRecord[] } = { entity, records: [], warnings: [] }
    const warnings: RecordWarning[] = []
    let cursor: string | null = null
    do {
      const at: string | null = cursor
      const read: RecordPage | undefined = await withinPage(at === null ? parents.length : 1, async () =>
        readSome?.(entity, { parents }, at),
      )
      for (const record of read?.items ?? []) {
        const ref = record.fields[parent] as RecordRef | null | undefined
        const left = ref ? (room.get(refKey(ref)) ?? 0) : 0
        if (!ref || left === 0 || isTooMuch) continue
        characters += charactersOf(record)
        isTooMuch = characters > mostCharacters
        if (isTooMuch) break
        room.set(refKey(ref), left - 1)
        page.records.push(record)
      }
      warnings.push(...(read?.warnings ?? []))
      cursor = read?.next ?? null
    } while (cursor !== null && hasRoom(parents))
    return [{ ...page, warnings }]
  })
  return isTooMuch && carriers.length > 1 ? null : pages
}
