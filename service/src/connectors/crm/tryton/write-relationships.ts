import type { FoundRecord, OutgoingRecord, SettledOutcome, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { cleanLine } from './clean-text.ts'
import { idsOf, textOf } from './from-family.ts'
import { loadRelations } from './load-parties.ts'
import type { Destination } from './look-up.ts'
import type { Tryton } from './tryton.ts'
import { byId, foundIn, type Task, type Wanted, writeTasks } from './write-tasks.ts'

// A relation is two parties and a type, and nothing else: that is how it is found again, and why it is never made twice.

/** Tryton shows each relation from both sides: the stored one under twice its id, the other under one more. */
const toDestinationId = (id: number): string => String(Math.floor(id / 2))
export const toRelationId = (destinationId: string): number => Number(destinationId) * 2

export async function writeRelationships(
  tryton: Destination,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const tasks: (
    | SettledOutcome
    | { key: string; id: number | null; values: { from_: number; to: number; type: number } }
  )[] = []
  for (const { key, fields, destinationId } of records) {
    const name = cleanLine(textOf(fields.type))
    const [from_] = idsOf(fields.from)
    const [to] = idsOf(fields.to)
    if (name.trim() === '' || from_ === undefined || to === undefined) {
      tasks.push(refused(key, 'blank', 'A relationship needs two parties and a type.'))
      continue
    }
    const type = await tryton.relationType(name, cleanLine(textOf(fields.reverse_type)) || null)
    tasks.push({ key, id: destinationId === null ? null : toRelationId(destinationId), values: { from_, to, type } })
  }
  const { worksFor, employs, partOf, wholeOf } = await tryton.relationTypes()
  const from = tasks.flatMap((task) => ('result' in task ? [] : [task.values.from_]))
  const there = await loadRelations(tryton, [...new Set(from)])
  const settled: (SettledOutcome | Task)[] = []
  for (const task of tasks) {
    const values = 'result' in task || task.id !== null ? null : task.values
    const between = there.filter(({ from_, to }) => from_ === values?.from_ && to === values?.to)
    // What a contact's account, or an account's parent, has already put there is the same thing under another name; Tryton
    // shows it from both sides.
    const alike = [worksFor, employs, partOf, wholeOf].find((types) => types.has(values?.type ?? -1))
    const known =
      between.find(({ type }) => type === values?.type) ?? between.find(({ type }) => alike?.has(type ?? -1))
    if (!values || !known) {
      settled.push(task)
      continue
    }
    if (known.type !== values.type) await tryton.write('party.relation.all', [known.id], { type: values.type })
    settled.push({ key: task.key, result: 'matched', destinationId: toDestinationId(known.id), url: null })
  }
  const read = (written: Wanted[]) => readRelationships(tryton, written)
  return writeTasks(tryton, 'party.relation.all', settled, read, toDestinationId)
}

export async function readRelationships(tryton: Tryton, wanted: readonly Wanted[]): Promise<FoundRecord[]> {
  // The stored side of each.
  const stored = wanted.map(({ key, id }) => ({ key, id: id - (id % 2) }))
  const rows = await tryton.rowsIn('party.relation.all', 'id', [...new Set(stored.map(({ id }) => id))])
  const types = await tryton.relationTypes()
  return foundIn(byId(rows), stored, ({ from_, to, type, write_date, create_date }, id) => ({
    destinationId: toDestinationId(id),
    version: JSON.stringify([from_, to, type, write_date ?? create_date]),
    fields: { from: from_ ?? null, to: to ?? null, type: types.byId.get(type ?? -1)?.name ?? '' },
  }))
}

export const storedRelationship = (fields: Record<string, unknown>): Record<string, unknown> => ({
  from: idsOf(fields.from)[0] ?? null,
  to: idsOf(fields.to)[0] ?? null,
  type: cleanLine(textOf(fields.type)),
})
