import type { CountOthers, FoundRecord, RemovableRecord, RemoveOutcome } from '../contract/contract.ts'
import type { Sent } from './http.ts'
import type { RawRecord } from './lens.ts'
import type { RefusedAnswer } from './outcomes.ts'
import { sideBySide } from './side-by-side.ts'

export interface RemoveRules<R extends RawRecord> {
  /** Returns the records that exist under these ids. */
  byIds(ids: readonly string[]): Promise<R[]>
  /** The record's current version. */
  toFound(raw: R): MaybeVersion | Promise<MaybeVersion>
  /** Called when the version differs: whether the tool itself changed the record. */
  isMoved?(written: string, now: string): Promise<boolean>
  /** Why the record must stay, such as answers of people to it; null if nothing needs it. */
  findNeed?(raw: R, record: RemovableRecord): Promise<string | null>
  /** Deletes one record. Records that are deleted with their parents have neither `remove` nor `removeAll`. */
  remove?(id: string): Promise<Sent>
  /** Deletes several records in one request and returns the answers in the same order. */
  removeAll?(ids: readonly string[]): Promise<Sent[]>
  /**
   * Set where others may add to a record at any moment: each is looked at directly before it is deleted, this many side
   * by side.
   */
  oneByOne?: number
  /** Why the tool kept a record. Default: a sentence with the tool's message. */
  tellKept?(answer: RefusedAnswer): string
}
export const othersAdded = 'Other people or programs have added messages to it since it was imported.'
const isMissing = ({ status }: { status: number }) => status === 404 || status === 410
type MaybeVersion = Pick<FoundRecord, 'version' | 'inside'> | null

/**
 * Deletes records that nobody changed and nothing else needs; it looks them up first. A record without a version is
 * removed in any state.
 */
export async function removeRecords<R extends RawRecord>(
  label: string,
  rules: RemoveRules<R>,
  records: readonly RemovableRecord[],
  countOthers?: CountOthers,
): Promise<RemoveOutcome[]> {
  const { oneByOne, ...alone } = rules
  if (oneByOne !== undefined && records.length > 1) {
    const act = (record: RemovableRecord) => removeRecords(label, alone, [record], countOthers)
    return (await sideBySide(records, oneByOne, act)).flat()
  }
  const { remove, removeAll = remove && ((some) => sideBySide(some, 1, remove)) } = rules
  const { tellKept = ({ message }) => `${label} does not delete it: ${message}` } = rules
  if (!removeAll) throw new Error(`${label} removes such records together with their parents`)
  const ids = records.map(({ destinationId }) => destinationId)
  const present = new Map((ids.length === 0 ? [] : await rules.byIds(ids)).map((raw) => [String(raw.id), raw]))
  const outcomes = new Map<RemovableRecord, RemoveOutcome>()
  const free: { record: RemovableRecord; found: MaybeVersion }[] = []
  for (const record of records) {
    const { key, destinationId } = record
    const raw = present.get(destinationId)
    const found = raw && record.version !== null ? await rules.toFound(raw) : null
    const reason = raw && (await reasonToKeep(rules, raw, record, found))
    if (!raw) outcomes.set(record, { key, result: 'missing' })
    else if (reason) outcomes.set(record, { key, result: 'kept', ...reason })
    else free.push({ record, found })
  }
  const filled = free.flatMap(({ record: { key, destinationId }, found }) =>
    found?.inside ? [{ key, destinationId, inside: found.inside }] : [],
  )
  const counts = filled.length === 0 ? [] : ((await countOthers?.(filled)) ?? [])
  const othersIn = new Map(filled.map(({ destinationId }, index) => [destinationId, counts[index] ?? 0]))
  const removable: RemovableRecord[] = []
  for (const { record } of free) {
    const { key, destinationId } = record
    const others = othersIn.get(destinationId) ?? 0
    if (others === 0) removable.push(record)
    else outcomes.set(record, { key, result: 'kept', message: othersAdded })
  }
  const answers = removable.length === 0 ? [] : await removeAll(removable.map(({ destinationId }) => destinationId))
  for (const [index, record] of removable.entries()) {
    const { key } = record
    const answer = answers[index]
    if (!answer) throw new Error(`${label}: a record to be removed has no answer`)
    const isGone = answer.result === 'refused' && isMissing(answer)
    if (answer.result === 'done') outcomes.set(record, { key, result: 'removed' })
    else if (isGone) outcomes.set(record, { key, result: 'missing' })
    else outcomes.set(record, { key, result: 'kept', message: tellKept(answer) })
  }
  // An earlier request of ours may take effect late, while the record is looked at.
  // Then its missing parts look like a change, or the tool refuses to delete it again.
  const stays = records.filter((record) => outcomes.get(record)?.result === 'kept')
  const still = stays.length === 0 ? [] : await rules.byIds(stays.map(({ destinationId }) => destinationId))
  const stillThere = new Set(still.map(({ id }) => String(id)))
  for (const record of stays)
    if (!stillThere.has(record.destinationId)) outcomes.set(record, { key: record.key, result: 'missing' })
  return records.flatMap((record) => outcomes.get(record) ?? [])
}

/**
 * Removes records one after the other, or `atOnce` at a time, for connectors that look each of them up with their own
 * code. `remove` returns null for a missing record, a sentence if the record must stay, or the tool's answer.
 */
export function removeEach(
  records: readonly RemovableRecord[],
  remove: (record: RemovableRecord) => Promise<Sent | string | null>,
  atOnce = 1,
): Promise<RemoveOutcome[]> {
  return sideBySide(records, atOnce, async (record): Promise<RemoveOutcome> => {
    const { key } = record
    const answer = await remove(record)
    if (typeof answer === 'string') return { key, result: 'kept', message: answer }
    if (answer?.result === 'done') return { key, result: 'removed' }
    const isGone = answer === null || isMissing(answer)
    return isGone ? { key, result: 'missing' } : { key, result: 'kept', message: answer.message }
  })
}

/**
 * Removes records that contain records of the same kind, such as folders. The innermost go first, one by one, because a
 * folder is empty only after its subfolders are gone. `all` are the existing ones with the ids of their parents.
 */
export async function removeNested<R extends RawRecord>(
  label: string,
  rules: RemoveRules<R>,
  all: readonly { id: unknown; parent?: unknown }[],
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const around = new Map(all.map(({ id, parent }) => [String(id), String(parent ?? '')]))
  // The limit ends the recursion for folders that contain each other.
  const depthOf = (id: string, most = all.length): number =>
    most > 0 && around.has(id) ? 1 + depthOf(around.get(id) ?? '', most - 1) : 0
  const depths = new Map(records.map((record) => [record, depthOf(record.destinationId)]))
  const outcomes: RemoveOutcome[] = []
  for (const record of records.toSorted((one, other) => (depths.get(other) ?? 0) - (depths.get(one) ?? 0))) {
    outcomes.push(...(await removeRecords(label, rules, [record])))
  }
  return outcomes
}

async function reasonToKeep<R extends RawRecord>(
  { isMoved, findNeed }: RemoveRules<R>,
  raw: R,
  record: RemovableRecord,
  found: MaybeVersion,
): Promise<{ message: string; isInUse?: true } | null> {
  const { version } = record
  const now = found?.version ?? null
  const isSame = version === now || (version !== null && now !== null && (await isMoved?.(version, now)))
  if (!isSame) return { message: 'It has been changed since it was imported.' }
  const need = await findNeed?.(raw, record)
  return need ? { message: need, isInUse: true } : null
}
