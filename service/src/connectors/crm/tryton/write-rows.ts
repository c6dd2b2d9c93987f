import { RetryableError } from '../../../errors.ts'
import type { SettledOutcome, WriteOutcome } from '../../contract/contract.ts'
import { type FindRules, findRecords } from '../../kit/find.ts'
import { refused, written } from '../../kit/outcomes.ts'
import type { Values } from './api.ts'
import type { FoundRow } from './find-rows.ts'
import { TrytonRefusal, unlessRefused } from './read-answer.ts'
import type { Tryton } from './tryton.ts'

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

interface Steps {
  /** Runs once the rows are written, before they are read back. */
  finish?(written: Wanted[]): Promise<void>
  toDestinationId?(id: number): number
}

/**
 * Returns one outcome per task in the same order, with the versions that were read back. Tasks that already have an
 * outcome keep it.
 */
export async function writeRows(
  tryton: Tryton,
  model: string,
  rules: FindRules<FoundRow>,
  tasks: readonly (Task | SettledOutcome)[],
  { finish, toDestinationId = (id) => id }: Steps = {},
): Promise<WriteOutcome[]> {
  const open = tasks.filter((task): task is Task => !('result' in task))
  const fresh = open.filter(({ id }) => id === null)
  const results = new Map<string, Result>()
  for (const task of open) if (task.id !== null) results.set(task.key, await change(tryton, model, task.id, task))
  const created = await createEach(tryton, model, fresh)
  for (const [index, { key }] of fresh.entries()) results.set(key, created[index] as Result)
  const wanted = open.flatMap(({ key }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, id: toDestinationId(id) }] : []
  })
  await finish?.(wanted)
  const found = await findRecords(
    rules,
    wanted.map(({ key, id }) => ({ key, destinationId: String(id), parent: null })),
  )
  const byKey = new Map(found.map((record) => [record.key, record]))
  return tasks.map((task): WriteOutcome => {
    if ('result' in task) return task
    const result = results.get(task.key)
    if (result instanceof TrytonRefusal) return refused(task.key, result.code, result.message)
    const there = byKey.get(task.key)
    // Someone deleted the record meanwhile, or Tryton's answer was wrong. The record does not count as written.
    if (!there) throw new RetryableError('a record that was written to Tryton cannot be read back')
    return written(task.key, there.destinationId, there)
  })
}

async function change(tryton: Tryton, model: string, id: number, { values, looser }: Task): Promise<Result> {
  const write = (some: Values) => unlessRefused(() => tryton.write(model, [id], some))
  const refusal = await write(values)
  if (!refusal) return id
  return looser && !(await write(await looser())) ? id : refusal
}

/**
 * Creates many records in one call. A refused call changes nothing, so it is repeated with each half until the refused
 * records are alone.
 */
async function createEach(tryton: Tryton, model: string, tasks: readonly Task[]): Promise<Result[]> {
  const [only] = tasks
  if (!only) return []
  const values = tasks.map((task) => task.values)
  const created = await unlessRefused(() => tryton.create(model, values))
  if (!(created instanceof TrytonRefusal)) return created
  if (tasks.length === 1) return [await createAlone(tryton, model, only, created)]
  const half = Math.ceil(tasks.length / 2)
  const first = await createEach(tryton, model, tasks.slice(0, half))
  return [...first, ...(await createEach(tryton, model, tasks.slice(half)))]
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
