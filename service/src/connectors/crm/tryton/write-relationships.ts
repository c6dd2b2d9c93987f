import type { FoundRecord, OutgoingRecord, SettledOutcome, WriteOutcome } from '../../contract/contract.ts'
import { refused } from '../../kit/outcomes.ts'
import { cleanLine } from './clean-text.ts'
import { idsOf, textOf } from './from-family.ts'
import { loadRelations } from './load-parties.ts'
import type { Destination } from './look-up.ts'
import type { Tryton } from './tryton.ts'
import { findRows, type Task, type Wanted, writeTasks } from './write-tasks.ts'

// A relation consists of two parties and a type. It is found by these three, so it is never created twice.

/**
 * Tryton lists each relation from both sides: the stored side has twice the relation's id, the other side one more.
 */
const toDestinationId = (id: number): string => String(Math.floor(id / 2))

interface RelationTask extends Task {
  values: { from_: number; to: number; type: number }
}

export async function writeRelationships(
  tryton: Destination,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const tasks: (SettledOutcome | RelationTask)[] = []
  for (const { key, fields, destinationId } of records) {
    const name = cleanLine(textOf(fields.type))
    const [from_] = idsOf(fields.from)
    const [to] = idsOf(fields.to)
    if (name.trim() === '' || from_ === undefined || to === undefined) {
      tasks.push(refused(key, 'blank', 'A relationship needs two parties and a type.'))
      continue
    }
    const type = await tryton.relationType(name, cleanLine(textOf(fields.reverse_type)) || null)
    tasks.push({ key, id: destinationId === null ? null : Number(destinationId) * 2, values: { from_, to, type } })
  }
  const { worksFor, employs, partOf, wholeOf } = await tryton.relationTypes()
  const open = tasks.filter((task): task is RelationTask => !('result' in task))
  const there = await loadRelations(tryton, [...new Set(open.map(({ values }) => values.from_))])
  const matched = new Map<string, SettledOutcome>()
  for (const { key, values } of open.filter(({ id }) => id === null)) {
    const between = there.filter(({ from_, to }) => from_ === values.from_ && to === values.to)
    // A contact's account or an account's parent may have created this relation with another type of the same meaning.
    // Tryton lists it from both sides.
    const alike = [worksFor, employs, partOf, wholeOf].find((types) => types.has(values.type))
    const known = between.find(({ type }) => type === values.type) ?? between.find(({ type }) => alike?.has(type ?? -1))
    if (!known) continue
    if (known.type !== values.type) await tryton.write('party.relation.all', [known.id], { type: values.type })
    matched.set(key, { key, result: 'matched', destinationId: toDestinationId(known.id), url: null })
  }
  const left = tasks.map((task) => matched.get(task.key) ?? task)
  const read = (written: Wanted[]) => readRelationships(tryton, written)
  return writeTasks(tryton, 'party.relation.all', left, read, toDestinationId)
}

export async function readRelationships(tryton: Tryton, wanted: readonly Wanted[]): Promise<FoundRecord[]> {
  const { byId } = await tryton.relationTypes()
  // Reads the stored side of each relation.
  const stored = wanted.map(({ key, id }) => ({ key, id: id - (id % 2) }))
  return findRows(tryton, 'party.relation.all', stored, ({ id, from_, to, type, write_date, create_date }) => ({
    destinationId: toDestinationId(id),
    version: JSON.stringify([from_, to, type, write_date ?? create_date]),
    fields: { from: from_ ?? null, to: to ?? null, type: byId.get(type ?? -1)?.name ?? '' },
  }))
}

export const storedRelationship = (fields: Record<string, unknown>): Record<string, unknown> => ({
  from: idsOf(fields.from)[0] ?? null,
  to: idsOf(fields.to)[0] ?? null,
  type: cleanLine(textOf(fields.type)),
})
