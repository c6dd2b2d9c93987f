import type { OutgoingRecord, SettledOutcome } from '../../contract/contract.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, refused } from '../../kit/outcomes.ts'
import { storedRelationship, textOf } from './from-family.ts'
import { loadRelations } from './load-names.ts'
import type { Destination } from './look-up.ts'
import { removeRows, rulesOf, type Task, writeRows } from './rows.ts'
import { cleanLine } from './texts.ts'

// A relation consists of two parties and a type. It is found by these three, so it is never created twice. Tryton lists
// each relation from both sides: the stored side has twice the relation's id, the other side one more.

const factor = 2
const toDestinationId = (rowId: number): number => Math.floor(rowId / factor)

export function relationshipActs(tryton: Destination): Omit<WrittenEntity, 'declared'> {
  const rules = rulesOf('party.relation.all', async (ids) => {
    const { byId } = await tryton.relationTypes()
    const rowIds = ids.map((id) => id * factor)
    const rows = await tryton.rowsIn('party.relation.all', 'id', rowIds)
    return rows.map(({ id, from_, to, type, write_date, create_date }) => ({
      id: toDestinationId(id),
      version: JSON.stringify([from_, to, type, write_date ?? create_date]),
      fields: { from: from_ ?? null, to: to ?? null, type: byId.get(type ?? -1)?.name ?? '' },
    }))
  })
  return {
    look: () => rules,
    write: async (records) => writeRows(tryton, { ...rules, factor }, await toTasks(tryton, records)),
    remove: (records) => removeRows(tryton, { ...rules, factor, hasTimestamps: false }, records),
  }
}

interface RelationTask extends Task {
  values: { from_: number; to: number; type: number }
}

async function toTasks(tryton: Destination, records: readonly OutgoingRecord[]): Promise<(SettledOutcome | Task)[]> {
  const tasks: (SettledOutcome | RelationTask)[] = []
  for (const { key, fields, destinationId } of records) {
    const { type: name, from: from_, to } = storedRelationship(fields)
    if (name.trim() === '' || from_ === null || to === null) {
      tasks.push(refused(key, 'blank', 'A relationship needs two parties and a type.'))
      continue
    }
    const type = await tryton.relationType(name, cleanLine(textOf(fields.reverse_type)) || null)
    tasks.push({ key, id: destinationId === null ? null : Number(destinationId) * factor, values: { from_, to, type } })
  }
  const { worksFor, employs, partOf, wholeOf } = await tryton.relationTypes()
  const open = tasks.filter((task): task is RelationTask => !('result' in task))
  const there = await loadRelations(tryton, [...new Set(open.map(({ values }) => values.from_))])
  const findThere = async (task: RelationTask): Promise<SettledOutcome | Task> => {
    const { key, values } = task
    const between = there.filter(({ from_, to }) => from_ === values.from_ && to === values.to)
    // A contact's account or an account's parent may have created this relation with another type of the same meaning.
    // Tryton lists it from both sides.
    const alike = [worksFor, employs, partOf, wholeOf].find((types) => types.has(values.type))
    const known = between.find(({ type }) => type === values.type) ?? between.find(({ type }) => alike?.has(type ?? -1))
    if (!known) return task
    if (known.type !== values.type) await tryton.write('party.relation.all', [known.id], { type: values.type })
    return matched(key, toDestinationId(known.id), null)
  }
  const left: (SettledOutcome | Task)[] = []
  for (const task of tasks) left.push('result' in task || task.id !== null ? task : await findThere(task))
  return left
}
