import type { RemovableRecord, RemoveOutcome } from '../../contract/contract.ts'
import type { FindRules } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { type RemoveRules, removeRecords } from '../../kit/remove.ts'
import type { FoundRow } from './find-rows.ts'
import { unlessRefused } from './read-answer.ts'
import type { Tryton } from './tryton.ts'

export const done: Sent = { result: 'done', status: 200, headers: {}, json: null }

export interface RowRemoval extends FindRules<FoundRow>, Pick<RemoveRules<FoundRow>, 'findNeed'> {
  model: string
  /** Converts a destination id to the row's id. */
  toRowId?(id: number): number
  /** Whether Tryton can refuse to delete rows that changed after we read them. */
  hasTimestamps?: boolean
  /** Runs just before the rows are removed. */
  before?(ids: number[]): Promise<void>
}

/** Removes rows that nobody changed. A row that cannot be removed does not stop the others. */
export async function removeRows(
  tryton: Tryton,
  { model, toRowId = (id) => id, hasTimestamps = true, before, ...rules }: RowRemoval,
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  // Timestamps are read before the content, so that Tryton notices any later change.
  const ids = records.map(({ destinationId }) => Number(destinationId))
  const timestamps = hasTimestamps ? await readTimestamps(tryton, model, ids) : {}
  // A refused call removes nothing, so it is repeated with each half.
  const removeAll = async (some: readonly string[]): Promise<Sent[]> => {
    const own = some.map(Number)
    const refusal = await unlessRefused(async () => {
      await before?.(own)
      await tryton.remove(model, own.map(toRowId), timestamps)
    })
    if (!refusal) return some.map(() => done)
    if (some.length === 1) {
      const message = refusal.kind === 'changed' ? 'It has been changed since it was imported.' : refusal.message
      return [{ result: 'refused', status: 200, code: refusal.code, message, json: null }]
    }
    const half = Math.ceil(some.length / 2)
    return [...(await removeAll(some.slice(0, half))), ...(await removeAll(some.slice(half)))]
  }
  return removeRecords('Tryton', { ...rules, removeAll, tellKept: ({ message }) => message }, records)
}

async function readTimestamps(tryton: Tryton, model: string, ids: number[]): Promise<Record<string, string>> {
  const rows: { id: number; _timestamp?: unknown }[] = await tryton.search(model, [['id', 'in', ids]], ['_timestamp'])
  const stamped = rows.filter(({ _timestamp }) => typeof _timestamp === 'string')
  return Object.fromEntries(stamped.map(({ id, _timestamp }) => [`${model},${id}`, String(_timestamp)]))
}
