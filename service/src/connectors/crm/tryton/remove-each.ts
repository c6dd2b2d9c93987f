import type { FoundRecord, RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import { unlessRefused } from './read-answer.ts'
import type { Tryton } from './tryton.ts'
import type { Wanted } from './write-tasks.ts'

export const edited = 'It has been changed since it was imported.'

export interface Removal {
  model: string
  /** Converts a destination id to the model's id. */
  idOf?(destinationId: string): number
  /** Whether Tryton can refuse to delete rows that changed after we read them. */
  hasTimestamps: boolean
  find(): Promise<FoundRecord[]>
  /** Reasons to keep a record although nobody changed it, by id. */
  reasons?(records: readonly Wanted[]): Promise<ReadonlyMap<number, string>>
  /** Runs just before the records are removed. */
  before?(records: readonly Wanted[]): Promise<void>
}

/** Removes records that nobody changed. A record that cannot be removed does not stop the others. */
export async function removeEach(
  tryton: Tryton,
  removal: Removal,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  if (records.length === 0) return []
  const { idOf = Number } = removal
  const ids = records.map(({ destinationId }) => idOf(destinationId))
  // Timestamps are read before the content, so that Tryton notices any later change.
  const timestamps = removal.hasTimestamps ? await readTimestamps(tryton, removal.model, ids) : new Map()
  const current = new Map((await removal.find()).map((record) => [record.destinationId, record]))
  const outcomes = new Map<string, RemoveOutcome>()
  const untouched: Wanted[] = []
  for (const { key, destinationId, version } of records) {
    const there = current.get(destinationId)
    if (!there) outcomes.set(key, { key, result: 'missing' })
    else if (version !== null && there.version !== version) outcomes.set(key, { key, result: 'kept', message: edited })
    else untouched.push({ key, id: idOf(destinationId) })
  }
  const keep = (untouched.length > 0 && (await removal.reasons?.(untouched))) || new Map<number, string>()
  const going = untouched.filter(({ id }) => !keep.has(id))
  const refused = await removeAll(tryton, removal, going, timestamps)
  for (const { key, id } of untouched) {
    const message = keep.get(id) ?? refused.get(id)
    outcomes.set(key, message === undefined ? { key, result: 'removed' } : { key, result: 'kept', message })
  }
  return records.flatMap(({ key }) => outcomes.get(key) ?? [])
}

/**
 * Removes the records and returns the reasons for those that stay. A refused call removes nothing, so it is repeated
 * with each half.
 */
async function removeAll(
  tryton: Tryton,
  removal: Removal,
  records: readonly Wanted[],
  timestamps: ReadonlyMap<string, string>,
): Promise<Map<number, string>> {
  const [only] = records
  if (!only) return new Map()
  const { model, before } = removal
  const ids = records.map(({ id }) => id)
  const refusal = await unlessRefused(async () => {
    await before?.(records)
    const names = ids.map((id) => `${model},${id}`)
    const expected = [...timestamps].filter(([name]) => names.includes(name))
    await tryton.remove(model, ids, Object.fromEntries(expected))
  })
  if (!refusal) return new Map()
  if (records.length === 1) return new Map([[only.id, refusal.kind === 'changed' ? edited : refusal.message]])
  const half = Math.ceil(records.length / 2)
  const first = await removeAll(tryton, removal, records.slice(0, half), timestamps)
  return new Map([...first, ...(await removeAll(tryton, removal, records.slice(half), timestamps))])
}

async function readTimestamps(tryton: Tryton, model: string, ids: readonly number[]): Promise<Map<string, string>> {
  const rows = await tryton.search(model, [['id', 'in', ids]], { fields: ['_timestamp'] })
  return new Map(
    rows.flatMap((raw) => {
      const { _timestamp: timestamp } = raw as { _timestamp?: unknown }
      return typeof timestamp === 'string' ? [[`${model},${raw.id}`, timestamp] as const] : []
    }),
  )
}
