import { RetryableError } from '../../../errors.ts'
import type * as contract from '../../contract/contract.ts'
import { type FindRules, findRecords } from '../../kit/find.ts'
import { storedPart } from '../../kit/found-parts.ts'
import type { Sent } from '../../kit/http.ts'
import { once } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { removeRecords } from '../../kit/remove.ts'
import { TrytonRefusal, unlessRefused, type Values } from './api.ts'
import { markerOf } from './texts.ts'
import type { Tryton } from './tryton.ts'

// How records are found, written and removed as rows of a model.

/** A row in the form that is compared. `id` is its destination id. */
export type FoundRow = Pick<contract.FoundRecord, 'version' | 'fields'> & { id: number; url?: string }
/** A marker that Tryton holds, with the id of the record that it belongs to. */
export type Mark = [marker: string, id: number | undefined]

interface RowFacts {
  model: string
  /** The row's id divided by the destination id. */
  factor?: number
  /** Whether Tryton can refuse to delete rows that changed after we read them. */
  hasTimestamps?: boolean
  /** Returns those of the records that exist. */
  read(ids: number[]): Promise<FoundRow[]>
  findMarks?(sought: readonly contract.SoughtRecord[]): Promise<Mark[]>
  /** Our own notes on these records. Tryton would leave them behind, so they are removed first. */
  ownNotes?(ids: number[]): Promise<number[]>
  /** Reasons to keep a record although nobody changed it, by its id. */
  reasons?(ids: number[], ownNotes: number[]): Promise<ReadonlyMap<number, string>>
  /** Runs just before the rows are removed. */
  before?(ids: number[]): Promise<void>
}
export type RowRules = FindRules<FoundRow> & RowFacts

export function rulesOf(facts: RowFacts): RowRules {
  const { read, findMarks } = facts
  const marks = new Set<string>()
  return {
    ...facts,
    byIds: (ids) => read(ids.map(Number)),
    key: {
      atOnce: Number.POSITIVE_INFINITY,
      async seek(sought) {
        const found = (await findMarks?.(sought)) ?? []
        for (const [marker, id] of found) marks.add(`${id} ${marker}`)
        return found.length === 0 ? [] : read(found.flatMap(([, id]) => id ?? []))
      },
      isOn: ({ id }, key) => marks.has(`${id} ${markerOf(key)}`),
    },
    toFound: ({ id: _id, fields, ...row }) => ({ url: null, ...storedPart(fields), ...row }),
  }
}

/** The ids of existing records. A record without a known id is looked up by our key, against duplicates. */
export async function knownIds(
  rules: RowRules,
  records: readonly contract.OutgoingRecord[],
  parentOf: (record: contract.OutgoingRecord) => contract.SoughtRecord['parent'] = () => null,
): Promise<Map<string, number>> {
  const fresh = records.filter(({ destinationId }) => destinationId === null)
  const sought = fresh.map((record) => ({ key: record.key, destinationId: null, parent: parentOf(record) }))
  // Of a record that was written twice, the first one counts.
  const known = [...records, ...(await findRecords(rules, sought)).reverse()]
  return new Map(known.flatMap(({ key, destinationId: id }) => (id === null ? [] : [[key, Number(id)]])))
}

/** A record to write. `id` is the row's id, or null for a new record. */
export interface Task {
  key: string
  id: number | null
  values: Values
  /** Values with fewer rules to break. They are tried if Tryton refuses `values`. */
  looser?: () => Promise<Values>
}
type Result = number | TrytonRefusal

/** One outcome per task, in order. Settled tasks keep theirs. `finish` runs before the rows are read back. */
export async function writeRows(
  tryton: Tryton,
  rules: RowRules,
  tasks: readonly (Task | contract.SettledOutcome)[],
  finish?: (written: { key: string; id: number }[]) => Promise<void>,
): Promise<contract.WriteOutcome[]> {
  const { model, factor = 1 } = rules
  const open = tasks.filter((task): task is Task => !('result' in task))
  const fresh = open.filter(({ id }) => id === null)
  const results = new Map<string, Result>()
  for (const task of open) if (task.id !== null) results.set(task.key, await change(tryton, model, task.id, task))
  const valuesOf = ({ values }: Task) => values
  const create = (some: readonly Task[]): Promise<Result[]> => tryton.create(model, some.map(valuesOf))
  const created = await inHalves(fresh, create, (task, refusal) => createAlone(tryton, model, task, refusal))
  for (const [index, { key }] of fresh.entries()) results.set(key, created[index] as Result)
  const rows = open.flatMap(({ key }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, id }] : []
  })
  await finish?.(rows)
  const idOf = (rowId: number) => Math.floor(rowId / factor)
  const stored = new Map((await rules.read(rows.map(({ id }) => idOf(id)))).map((row) => [row.id, row]))
  return tasks.map((task): contract.WriteOutcome => {
    if ('result' in task) return task
    const result = results.get(task.key)
    if (result instanceof TrytonRefusal) return refused(task.key, result.code, result.message)
    const row = stored.get(idOf(result ?? 0))
    // Someone deleted the record meanwhile, or Tryton's answer was wrong. The record does not count as written.
    if (!row) throw new RetryableError('a record that was written to Tryton cannot be read back')
    return written(task.key, row.id, { url: null, ...row })
  })
}

async function change(tryton: Tryton, model: string, id: number, { values, looser }: Task): Promise<Result> {
  const write = (some: Values) => unlessRefused(() => tryton.write(model, [id], some))
  const refusal = await write(values)
  if (!refusal) return id
  return looser && !(await write(await looser())) ? id : refusal
}

async function createAlone(tryton: Tryton, model: string, task: Task, refusal: TrytonRefusal): Promise<Result> {
  if (refusal.kind === 'too_large') return refusal
  const values = (refusal.kind === 'refused' && (await task.looser?.())) || task.values
  const created = await unlessRefused(() => tryton.create(model, [values]))
  if (!(created instanceof TrytonRefusal)) return created[0] ?? refusal
  if (created.kind === 'refused') return refusal
  // A fault counts against the record only if Tryton still answers other requests. Otherwise this call throws.
  await tryton.count('party.party', [['id', '=', 0]])
  return created
}

/** A refused call changes nothing, so it is repeated with each half until the refused items are alone. */
async function inHalves<T, R>(
  all: readonly T[],
  act: (some: readonly T[]) => Promise<R[]>,
  alone: (only: T, refusal: TrytonRefusal) => R | Promise<R>,
): Promise<R[]> {
  const [only] = all
  if (only === undefined) return []
  const results = await unlessRefused(() => act(all))
  if (!(results instanceof TrytonRefusal)) return results
  if (all.length === 1) return [await alone(only, results)]
  const half = Math.ceil(all.length / 2)
  return [...(await inHalves(all.slice(0, half), act, alone)), ...(await inHalves(all.slice(half), act, alone))]
}

export const done: Sent = { result: 'done', status: 200, headers: {}, json: null }

/** Files have no `write`. Only unchanged rows are removed; one that cannot be removed does not stop the others. */
export const rowActs = (
  tryton: Tryton,
  look: (records: readonly { key: string }[]) => RowRules,
  write?: WrittenEntity['write'],
): Omit<WrittenEntity, 'declared'> => ({
  look,
  ...(write && { write }),
  async remove(records) {
    const removal = look(records)
    const { model, factor = 1, hasTimestamps = true, ownNotes = async () => [], before } = removal
    const ids = records.map(({ destinationId }) => Number(destinationId))
    // Timestamps are read before the content, so that Tryton notices any later change.
    const timestamps = hasTimestamps ? await readTimestamps(tryton, model, ids) : {}
    const reasons = once(async () => removal.reasons?.(ids, await ownNotes(ids)))
    const remove = async (some: readonly string[]): Promise<Sent[]> => {
      const going = some.map(Number)
      await before?.(going)
      await tryton.remove('ir.note', await ownNotes(going))
      const rowIds = going.map((id) => id * factor)
      await tryton.remove(model, rowIds, timestamps)
      return some.map(() => done)
    }
    const keep = (_id: string, { kind, code, message }: TrytonRefusal): Sent => {
      const reason = kind === 'changed' ? 'It has been changed since it was imported.' : message
      return { result: 'refused', status: 200, code, message: reason, json: null }
    }
    const rules = {
      ...removal,
      findNeed: async ({ id }: FoundRow) => (await reasons())?.get(id) ?? null,
      removeAll: (some: readonly string[]) => inHalves(some, remove, keep),
      tellKept: ({ message }: { message: string }) => message,
    }
    return removeRecords('Tryton', rules, records)
  },
})

async function readTimestamps(tryton: Tryton, model: string, ids: number[]): Promise<Record<string, string>> {
  const rows = await tryton.search(model, [['id', 'in', ids]], ['_timestamp'])
  const stamped = rows.filter(({ _timestamp }) => typeof _timestamp === 'string')
  return Object.fromEntries(stamped.map(({ id, _timestamp }) => [`${model},${id}`, String(_timestamp)]))
}
