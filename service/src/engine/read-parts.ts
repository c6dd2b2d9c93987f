import type { Carried, RecordPage, RecordWarning } from '../connectors/contract/contract.ts'
import { UnreadableAnswerError } from '../errors.ts'
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
  /** The parents, by `refKey`, whose parts are all in `records`. */
  whole: ReadonlySet<string>
}

/** Records with the parts that they can carry. */
export interface Loaded {
  records: FamilyRecord[]
  parts: PartPage[]
}

/** Stands for parts that the source does not return. */
const stuck: PartPage[] = []

/** Records whose parts are read together, and announced together. */
export const carriersAtOnce = 20

/** The entities that new records of this stage can carry. None if the source cannot read children of single records. */
export function carriedBy({ mapping, reader }: RunContext, { stage, entity }: Stage): [string, Carried][] {
  if (stage !== 'write' || !reader.readSome) return []
  return Object.entries(mapping.destination.entities[entity]?.carries ?? {})
}

/**
 * Reads the parts of new records. Records with much text in their parts are split, to keep memory small, and so are
 * records of which the source does not return all parts. The stage of the
 * parts reads those of the other records: records that did not go with all of their parts, or that were not sent.
 */
export async function* loadParts(context: RunContext, stage: Stage, records: FamilyRecord[]): AsyncGenerator<Loaded> {
  const carried = carriedBy(context, stage)
  const rows = carried.length === 0 ? new Map() : await findRows(context.db, context.importId, records)
  const isNew = (record: FamilyRecord) => !isInDestination(rows.get(refKey(record)))
  const carriers = carried.length === 0 ? [] : records.filter(isNew)
  const parts: PartPage[] = []
  for (const [entity, { most, isUploaded }] of carriers.length === 0 ? [] : carried) {
    const holders = isUploaded ? [...carriers, ...parts.flatMap((page) => page.records)] : carriers
    const pages = await lookUntilStuck(context, () => readChildren(context, entity, holders, most), stuck)
    // Only the record whose parts cannot be read goes without them.
    if (pages === null || (pages === stuck && records.length > 1)) {
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
  const pages = await askInParts(refs, async (parents): Promise<PartPage[]> => {
    const records: FamilyRecord[] = []
    const warnings: RecordWarning[] = []
    const whole = new Set(parents.map(refKey))
    let isAll = true
    let cursor: string | null = null
    const seen = new Set<string>()
    do {
      const at: string | null = cursor
      const read: RecordPage | undefined = await withinPage(at === null ? parents.length : 1, async () =>
        readSome?.(entity, { parents }, at),
      )
      for (const record of read?.items ?? []) {
        const ref = record.fields[parent] as RecordRef | null | undefined
        const left = ref ? (room.get(refKey(ref)) ?? 0) : 0
        if (!ref) isAll = false
        else if (left === 0) whole.delete(refKey(ref))
        if (!ref || left === 0 || isTooMuch) continue
        characters += charactersOf(record)
        isTooMuch = characters > mostCharacters
        if (isTooMuch) break
        room.set(refKey(ref), left - 1)
        records.push(record)
      }
      warnings.push(...(read?.warnings ?? []))
      // The stage of the parts tells the customer what the source leaves out.
      if (Object.values(read?.skipped ?? {}).some((count) => count !== 0)) isAll = false
      cursor = read?.next ?? null
      if (cursor !== null && seen.has(cursor)) throw new UnreadableAnswerError('a list of a tool does not end')
      if (cursor !== null) seen.add(cursor)
    } while (cursor !== null && hasRoom(parents))
    const isRead = new Set(records.map(({ sourceId }) => sourceId))
    isAll &&= cursor === null && !isTooMuch && warnings.every(({ sourceId }) => isRead.has(sourceId))
    return [{ entity, records, warnings, whole: isAll ? whole : new Set<string>() }]
  })
  return isTooMuch && carriers.length > 1 ? null : pages
}
