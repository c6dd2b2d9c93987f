import type { FoundRecord, RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

const edited = 'It has been changed since it was imported.'

export interface Removal {
  model: string
  /** The model's own id for the destination's. */
  idOf?(destinationId: string): number
  /** Whether Tryton can be asked to leave alone what changes while we look. */
  hasTimestamps: boolean
  find(): Promise<FoundRecord[]>
  /** Why records that are as we left them must stay all the same, by id. */
  reasons?(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** What has to be done to those that go, just before. */
  before?(ids: readonly number[]): Promise<void>
}

/** Removes what is still as it was; one that cannot go does not keep the others. */
export async function removeEach(
  api: TrytonApi,
  { model, idOf = Number, hasTimestamps, find, reasons, before }: Removal,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  if (records.length === 0) return []
  const allIds = records.map(({ destinationId }) => idOf(destinationId))
  // Read first: whatever changes after this is noticed by Tryton itself.
  const timestamps = hasTimestamps ? await readTimestamps(api, model, allIds) : new Map<number, string>()
  const current = new Map((await find()).map((record) => [record.destinationId, record]))
  const outcomes = new Map<string, RemoveOutcome>()
  const untouched: { key: string; id: number }[] = []
  for (const { key, destinationId, version } of records) {
    const there = current.get(destinationId)
    if (!there) outcomes.set(key, { key, result: 'missing' })
    else if (version !== null && there.version !== version) outcomes.set(key, { key, result: 'kept', message: edited })
    else untouched.push({ key, id: idOf(destinationId) })
  }
  const keep =
    untouched.length > 0 && reasons ? await reasons(untouched.map(({ id }) => id)) : new Map<number, string>()
  const going = untouched.filter(({ id }) => !keep.has(id))
  const refused = await removeIds(
    api,
    model,
    going.map(({ id }) => id),
    { timestamps, before },
  )
  for (const { key, id } of untouched) {
    const message = keep.get(id) ?? refused.get(id)
    outcomes.set(key, message === undefined ? { key, result: 'removed' } : { key, result: 'kept', message })
  }
  return records.map(({ key }) => outcomes.get(key) as RemoveOutcome)
}

/** Why some could not go. A call that is refused removes nothing, so it is made again in halves. */
async function removeIds(
  api: TrytonApi,
  model: string,
  ids: readonly number[],
  how: { timestamps: ReadonlyMap<number, string>; before: Removal['before'] },
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const expected = ids.flatMap((id) => {
    const timestamp = how.timestamps.get(id)
    return timestamp === undefined ? [] : [[`${model},${id}`, timestamp] as const]
  })
  try {
    await how.before?.(ids)
    await api.remove(model, ids, Object.fromEntries(expected))
    return new Map()
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error
    const [only] = ids
    if (ids.length === 1 && only !== undefined) {
      return new Map([[only, error.kind === 'changed' ? edited : error.message]])
    }
  }
  const half = Math.ceil(ids.length / 2)
  const first = await removeIds(api, model, ids.slice(0, half), how)
  return new Map([...first, ...(await removeIds(api, model, ids.slice(half), how))])
}

async function readTimestamps(api: TrytonApi, model: string, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await api.search(model, [['id', 'in', ids]], { fields: ['_timestamp'] })
  return new Map(
    rows.flatMap((raw) => {
      const { _timestamp: timestamp } = raw as { _timestamp?: unknown }
      return typeof timestamp === 'string' ? [[raw.id, timestamp] as const] : []
    }),
  )
}
