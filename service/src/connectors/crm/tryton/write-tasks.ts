import { RetryableError } from '../../../errors.ts'
import type {
  FoundRecord,
  OutgoingRecord,
  SettledOutcome,
  SoughtRecord,
  WriteOutcome,
} from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import type { TrytonApi, Values } from './api.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import type { Model, Row } from './schema.ts'

/** A record to write. `id` is null for a new record. */
export interface Task {
  key: string
  id: number | null
  values: Values
  /** Values with fewer rules to break. They are tried if Tryton refuses `values`. */
  looser?: () => Promise<Values>
}
export type Wanted = Pick<Task, 'key'> & { id: number }
type Result = number | TrytonRefusal

/**
 * The id of an existing record. Without a known id, it is looked up by our key, so that no record is created twice.
 */
export const knownId = (
  { key, destinationId }: OutgoingRecord,
  marked: ReadonlyMap<string, number[]>,
): number | null => (destinationId === null ? (marked.get(key)?.[0] ?? null) : Number(destinationId))

export const isNew = ({ destinationId }: OutgoingRecord): boolean => destinationId === null

/**
 * Returns one outcome per task in the same order, with the versions that were read back. Tasks that already have an
 * outcome keep it.
 */
export async function writeTasks(
  api: TrytonApi,
  model: string,
  tasks: readonly (Task | SettledOutcome)[],
  read: (written: Wanted[]) => Promise<FoundRecord[]>,
  toDestinationId: (id: number) => string = String,
): Promise<WriteOutcome[]> {
  const open = tasks.filter((task): task is Task => !('result' in task))
  const fresh = open.filter(({ id }) => id === null)
  const results = new Map<string, Result>()
  for (const task of open) if (task.id !== null) results.set(task.key, await change(api, model, task.id, task))
  for (const [index, result] of (await createEach(api, model, fresh)).entries()) {
    results.set(fresh[index]?.key ?? '', result)
  }
  const written = open.flatMap(({ key }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, id }] : []
  })
  const byId = new Map((await read(written)).map((found) => [found.destinationId, found]))
  return tasks.map((task): WriteOutcome => {
    if ('result' in task) return task
    const { key } = task
    const result = results.get(key)
    if (result instanceof TrytonRefusal) return refusedBy(key, result)
    const there = result === undefined ? undefined : byId.get(toDestinationId(result))
    // Someone deleted the record meanwhile, or Tryton's answer was wrong. The record does not count as written.
    if (!there) throw new RetryableError('a record that was written to Tryton cannot be read back')
    const { destinationId, url, version } = there
    return { key, result: 'written', destinationId, url, version }
  })
}

export const refusedBy = (key: string, { kind, message }: TrytonRefusal) =>
  refused(key, kind === 'too_large' ? 'too_large' : 'refused', message)

async function change(api: TrytonApi, model: string, id: number, { values, looser }: Task): Promise<Result> {
  const write = (some: Values) => unlessRefused(() => api.write(model, [id], some))
  const refusal = await write(values)
  if (!refusal) return id
  return looser && !(await write(await looser())) ? id : refusal
}

/**
 * Creates many records in one call. A refused call changes nothing, so it is repeated with each half until the refused
 * records are alone.
 */
async function createEach(api: TrytonApi, model: string, tasks: readonly Task[]): Promise<Result[]> {
  const [only] = tasks
  if (!only) return []
  const values = tasks.map((task) => task.values)
  const created = await unlessRefused(() => api.create(model, values))
  if (!(created instanceof TrytonRefusal)) return created
  if (tasks.length === 1) return [await createAlone(api, model, only, created)]
  const half = Math.ceil(tasks.length / 2)
  const first = await createEach(api, model, tasks.slice(0, half))
  return [...first, ...(await createEach(api, model, tasks.slice(half)))]
}

async function createAlone(api: TrytonApi, model: string, task: Task, refusal: TrytonRefusal): Promise<Result> {
  if (refusal.kind === 'too_large') return refusal
  const values = (refusal.kind === 'refused' && (await task.looser?.())) || task.values
  const created = await unlessRefused(() => api.create(model, [values]))
  if (!(created instanceof TrytonRefusal)) return created[0] ?? refusal
  if (created.kind === 'refused') return refusal
  // A fault counts against the record only if Tryton still answers other requests. Otherwise this call throws.
  await api.count('party.party', [['id', '=', 0]])
  return created
}

/** Finds ids by our key, or by the known id if people removed the key. */
export const wantedOf = (sought: readonly SoughtRecord[], marked: ReadonlyMap<string, number[]>): Wanted[] =>
  sought.flatMap(({ key, destinationId }) =>
    (marked.get(key) ?? (destinationId === null ? [] : [Number(destinationId)])).map((id) => ({ key, id })),
  )

/** Converts wanted rows for comparison. A row for which `toFound` returns null counts as missing. */
export function foundIn<R>(
  rows: ReadonlyMap<number, R>,
  wanted: readonly Wanted[],
  toFound: (row: R, id: number) => (Pick<FoundRecord, 'version' | 'fields'> & Partial<FoundRecord>) | null,
): FoundRecord[] {
  return wanted.flatMap(({ key, id }) => {
    const row = rows.get(id)
    const content = row && toFound(row, id)
    if (!content) return []
    const unknown = { customFields: {}, createdAt: null, updatedAt: null }
    return { key, destinationId: String(id), url: null, ...unknown, ...content }
  })
}

/** Reads rows of a model and converts them with `foundIn`. */
export async function findRows<M extends Model>(
  api: TrytonApi,
  model: M,
  wanted: readonly Wanted[],
  toFound: Parameters<typeof foundIn<Row<M>>>[2],
): Promise<FoundRecord[]> {
  const rows = await api.rowsIn(model, 'id', [...new Set(wanted.map(({ id }) => id))])
  return foundIn(new Map(rows.map((row) => [row.id, row])), wanted, toFound)
}
