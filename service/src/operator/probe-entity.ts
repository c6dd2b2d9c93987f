import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type {
  FoundRecord,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  StoredContent,
  WriteOutcome,
  Writer,
} from '../connectors/contract/contract.ts'
import { ObstacleError } from '../errors.ts'
import type { EntityDefinition } from '../families/definition.ts'
import { type ProbeSurroundings, probedMoment, probeRecord } from './probe-values.ts'

/** One result of the probe. */
export interface ProbeFact {
  entity: string
  fact: string
  result: string
}

/** A record that the probe created and has not removed yet. */
export interface Made {
  entity: string
  key: string
  destinationId: string
  parent: SoughtRecord['parent']
}

interface ProbePlace {
  key: string
  waitMs: number
  made: Made[]
  /** Why records may have been made that nobody can find. */
  lost: string[]
}

interface Probed {
  facts: ProbeFact[]
  /** How later records of the probe refer to this record. */
  relation: SentRelation | null
  /** What the facts say nothing about. */
  skipped: string[]
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)
const told = (outcome: WriteOutcome | undefined): string =>
  outcome?.result === 'refused' ? `refused: ${outcome.code}, ${outcome.message.slice(0, 200)}` : String(outcome?.result)

/** Tests on a real account what the tool's documentation leaves open. Adds every created record to `made` at once. */
export async function probeEntity(
  writer: Writer,
  definition: EntityDefinition,
  around: ProbeSurroundings,
  { key, waitMs, made, lost }: ProbePlace,
): Promise<Probed> {
  const { name: entity, parent: parentField } = definition
  const facts: ProbeFact[] = []
  const note = (fact: string, result: string) => facts.push({ entity, fact, result })
  const record = probeRecord(definition, key, around)
  if (!record) {
    note('written', 'not tried: it needs a record that the probe does not have')
    return { facts, relation: null, skipped: [`writing ${entity}`] }
  }
  const above = parentField === undefined ? undefined : (record.fields[parentField] as SentRelation | undefined)
  const parent = above ? { entity: above.entity, destinationId: above.destinationId } : null
  const empty = Object.keys(around.description.entities[entity]?.fields ?? {}).filter(
    (name) => !(name in record.fields),
  )
  const skipped = empty.length > 0 ? [`${entity}: the fields ${empty.join(', ')}, which were left empty`] : []
  const write = async (revision: number): Promise<WriteOutcome | undefined> => {
    try {
      const [outcome] = await writer.write(entity, [{ ...record, revision }])
      if (outcome?.result === 'failed' && outcome.isSent) throw outcome.error
      return outcome
    } catch (error) {
      // Perhaps only the answer was lost.
      const found = await writer.find(entity, [{ key, destinationId: null, parent }]).catch(() => [])
      const fresh = found.filter(({ destinationId }) => !isMade(destinationId))
      made.push(...fresh.map(({ destinationId }) => ({ entity, key, destinationId, parent })))
      if (fresh.length === 0 && !(error instanceof ObstacleError)) lost.push(words(error))
      throw error
    }
  }
  const isMade = (id: string | null) => made.some((one) => one.entity === entity && one.destinationId === id)
  const send = async (revision: number): Promise<WriteOutcome | undefined> => {
    const outcome = await write(revision)
    const id = outcome?.result === 'written' ? outcome.destinationId : null
    if (id !== null && !isMade(id)) made.push({ entity, key, destinationId: id, parent })
    if (outcome?.result === 'failed') throw outcome.error
    return outcome
  }

  const first = await send(1)
  note('written', told(first))
  if (first?.result !== 'written')
    return { facts, relation: null, skipped: [`${entity}, beyond the first request`, ...skipped] }
  const { destinationId } = first

  const [back] = await writer.find(entity, [{ key, destinationId, parent }])
  const stored = await writer.asStored(entity, record)
  note('read_back', back ? compare(back, stored, record) : 'not there under its id')
  if (back)
    note('backdate', back.createdAt === null ? 'unknown: the connector compares no times here' : isKept(back.createdAt))

  note('found_by_key', await findByKey(writer, entity, { key, destinationId: null, parent }, waitMs))

  const second = await send(2).catch((error: unknown) => `an error: ${words(error)}`)
  if (typeof second === 'string') note('twice_with_one_key', second)
  else if (second?.result !== 'written') note('twice_with_one_key', told(second))
  else note('twice_with_one_key', second.destinationId === destinationId ? 'one record' : 'two records')
  return { facts, relation: { entity, key, destinationId }, skipped }
}

/** Measures the time until the tool finds a record by our key. */
async function findByKey(writer: Writer, entity: string, sought: SoughtRecord, waitMs: number): Promise<string> {
  const began = Date.now()
  for (let looks = 1; ; looks += 1) {
    const found = await writer.find(entity, [sought])
    const afterMs = Date.now() - began
    if (found.length > 0) return looks === 1 ? 'at once' : `after ${Math.ceil(afterMs / 1000)} s`
    if (afterMs >= waitMs) return `not within ${Math.floor(afterMs / 1000)} s`
    await sleep(Math.min(1_000, waitMs))
  }
}

const isKept = (moment: string): string =>
  Math.abs(Date.parse(moment) - Date.parse(probedMoment)) < 1_000 ? 'kept' : `became ${moment}`

function compare(back: FoundRecord, stored: StoredContent, { fields }: OutgoingRecord): string {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || value === '' || [value].flat().length === 0
  const names = [...new Set([...Object.keys(back.fields), ...Object.keys(stored.fields)])]
  const different = names.filter((name) => {
    const [there, sent] = [back.fields[name], stored.fields[name]]
    return !(isEmpty(there) && isEmpty(sent)) && !isDeepStrictEqual(there, sent)
  })
  if (different.length === 0) return `as sent: ${Object.keys(fields).length} fields`
  return `differs: ${different.join(', ')}`
}

/** Removes the probe's records, newest first. Returns the records that could not be removed, with the reasons. */
export async function removeMade(
  writer: Writer,
  made: readonly Made[],
): Promise<{ facts: ProbeFact[]; left: (Made & { why: string })[] }> {
  const results = new Map<string, string[]>()
  const left: (Made & { why: string })[] = []
  for (const one of made.toReversed()) {
    const { entity, key, destinationId, parent } = one
    try {
      const [outcome] = await writer.remove(entity, [{ key, destinationId, parent, version: null }])
      const found = await writer.find(entity, [{ key, destinationId, parent }])
      // If the tool stored the record twice, the second one has the same key.
      const isThere = found.some((record) => record.destinationId === destinationId)
      if (isThere) left.push({ ...one, why: outcome?.result === 'kept' ? outcome.message : 'it is still there' })
      results.set(entity, [...(results.get(entity) ?? []), isThere ? 'still there' : 'gone'])
    } catch (error) {
      left.push({ ...one, why: words(error) })
      results.set(entity, [...(results.get(entity) ?? []), `an error: ${words(error)}`])
    }
  }
  const facts = [...results].map(([entity, told]) => ({
    entity,
    fact: 'deleted',
    result: [...new Set(told)].join('; '),
  }))
  return { facts, left }
}
