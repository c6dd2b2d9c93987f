import type { FoundRecord, OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { TrytonApi } from './api.ts'
import { cleanLine } from './clean-text.ts'
import { createEach } from './create-each.ts'
import { all, type Directory } from './directory.ts'
import { idsOf, textOf } from './from-family.ts'
import { loadRelations } from './load-parties.ts'
import type { LookUp } from './look-up.ts'
import { refusedOutcome, writtenOutcomes } from './outcomes.ts'
import type { Row } from './schema.ts'
import { TrytonRefusal } from './tryton-refusal.ts'

// A relation is two parties and a type, and nothing else: that is how it is found again, and why it is never made twice.

interface Task {
  key: string
  from: number
  to: number
  type: number
  destinationId: string | null
}

export async function writeRelationships(
  api: TrytonApi,
  directory: Directory,
  lookUp: LookUp,
  records: readonly OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const outcomes = new Map<string, WriteOutcome>()
  const results = new Map<string, number | TrytonRefusal>()
  const tasks: Task[] = []
  for (const { key, fields, destinationId } of records) {
    const name = cleanLine(textOf(fields.type))
    const [from] = idsOf(fields.from)
    const [to] = idsOf(fields.to)
    if (name.trim() === '' || from === undefined || to === undefined) {
      outcomes.set(key, refusedOutcome(key, 'blank', 'A relationship needs two parties and a type.'))
      continue
    }
    const type = await lookUp.relationType(name, cleanLine(textOf(fields.reverse_type)) || null)
    tasks.push({ key, from, to, type, destinationId })
  }
  const { worksFor, employs, partOf, wholeOf } = await directory.relationTypes()
  const there = await loadRelations(api, directory, [...new Set(tasks.map(({ from }) => from))])
  const fresh: Task[] = []
  for (const task of tasks) {
    if (task.destinationId !== null) {
      results.set(task.key, await change(api, task, Number(task.destinationId)))
      continue
    }
    const between = there.filter(({ from_, to }) => from_ === task.from && to === task.to)
    // What a contact's account, or an account's parent, has already put there is the same thing under another name; Tryton
    // shows it from both sides.
    const alike = [worksFor, employs, partOf, wholeOf].find((types) => types.has(task.type))
    const known = between.find(({ type }) => type === task.type) ?? between.find(({ type }) => alike?.has(type ?? -1))
    if (!known) {
      fresh.push(task)
      continue
    }
    if (known.type !== task.type) await api.write('party.relation.all', [known.id], { type: task.type })
    outcomes.set(task.key, { key: task.key, result: 'matched', destinationId: toDestinationId(known.id), url: null })
  }
  const created = await createEach(
    api,
    'party.relation.all',
    fresh.map(({ from, to, type }) => ({ values: { from_: from, to, type } })),
  )
  for (const [index, { key }] of fresh.entries()) {
    const id = created[index]
    results.set(key, typeof id === 'number' ? Math.floor(id / 2) : (id as TrytonRefusal))
  }
  const open = records.filter(({ key }) => !outcomes.has(key))
  const written = open.flatMap(({ key }) => {
    const id = results.get(key)
    return typeof id === 'number' ? [{ key, destinationId: String(id), parent: null }] : []
  })
  const found = await findRelationships(api, directory, written)
  for (const outcome of writtenOutcomes(open, results, found)) outcomes.set(outcome.key, outcome)
  return records.map(({ key }) => outcomes.get(key) as WriteOutcome)
}

/** Tryton shows each relation from both sides: the stored one under twice its id, the other under one more. */
const toDestinationId = (id: number): string => String(Math.floor(id / 2))

async function change(api: TrytonApi, { from, to, type }: Task, id: number): Promise<number | TrytonRefusal> {
  try {
    await api.write('party.relation.all', [id * 2], { from_: from, to, type })
    return id
  } catch (error) {
    if (error instanceof TrytonRefusal) return error
    throw error
  }
}

export async function findRelationships(
  api: TrytonApi,
  directory: Directory,
  sought: readonly SoughtRecord[],
): Promise<FoundRecord[]> {
  const keys = new Map(
    sought.flatMap(({ key, destinationId }) => (destinationId === null ? [] : [[Number(destinationId) * 2, key]])),
  )
  if (keys.size === 0) return []
  const [rows, types] = await Promise.all([
    all(api, 'party.relation.all', [['id', 'in', [...keys.keys()]]]),
    directory.relationTypes(),
  ])
  return rows.map((row) => ({
    key: keys.get(row.id) ?? '',
    destinationId: toDestinationId(row.id),
    url: null,
    version: versionOf(row),
    fields: { from: row.from_ ?? null, to: row.to ?? null, type: types.byId.get(row.type ?? -1)?.name ?? '' },
    customFields: {},
    createdAt: null,
    updatedAt: null,
  }))
}

const versionOf = ({ from_, to, type, write_date, create_date }: Row<'party.relation.all'>): string =>
  JSON.stringify([from_, to, type, write_date ?? create_date])

export const storedRelationship = (fields: Record<string, unknown>): Record<string, unknown> => ({
  from: idsOf(fields.from)[0] ?? null,
  to: idsOf(fields.to)[0] ?? null,
  type: cleanLine(textOf(fields.type)),
})
