import { expect, vi } from 'vitest'
import type {
  DestinationDescription,
  FoundRecord,
  OutgoingRecord,
  RemovableRecord,
  SideRecord,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract/contract.ts'
import { capabilitiesOf, keepsTimes } from '../../service/src/connectors/entity-capabilities.ts'
import { hashRecord, storedContent } from '../../service/src/engine/hash-record.ts'
import type { EntityDefinition } from '../../service/src/families/definition.ts'
import type { Family } from '../../service/src/families/index.ts'
import { destinationIdOf, type OutgoingRecords } from './outgoing-records.ts'

export interface OpenedWriter {
  writer: Writer
  family: Family
  /** The family's fields that the tool accepts, by entity. Each must be described. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** True if `fields` must name every field that is described: the loss of any other would go unnoticed. */
  namesAllFields?: boolean
  /** People of the account to whom records can refer. */
  users: readonly string[]
  /** Changes a record as a person in the tool would. */
  editByHand(entity: string, destinationId: string): Promise<void>
  /** Counts all records and files in the account, by asking the tool itself instead of the writer. */
  countAll(): Promise<number>
  /** The bytes that the tool stores for a file. */
  readFile(entity: string, destinationId: string): Promise<Buffer>
  /** The same connector, with an address where nothing answers. */
  dead: Writer
  /** A value that this account accepts. Null means no value; undefined leaves the choice to the suite. */
  chooseValue?(entity: string, field: string, seed: number): unknown
  /** Changes a record so that the tool refuses it. By default, a required field is left out. */
  spoil?(entity: string, record: OutgoingRecord): OutgoingRecord
  /** True for files that the tool always refuses; the outcome must have the tool's own words. */
  refusesFile?(fileName: string, bytes: Buffer): boolean
  /** Fields (`entity.field`) that asStored may ignore, each with the reason. */
  indifferent?: Readonly<Record<string, string>>
  /** The side records that the writer has created so far. */
  sides?(): SideRecord[]
  close(): Promise<void>
}

export type Bench = OpenedWriter & { description: DestinationDescription; records: OutgoingRecords }

export function isRemovable({ description }: Bench, entity: string): boolean {
  return (description.entities[entity]?.removal ?? 'itself') === 'itself'
}

export function removableOf(
  { records }: Bench,
  definition: EntityDefinition,
  record: OutgoingRecord,
  outcome: WriteOutcome | undefined,
): RemovableRecord {
  const destinationId = destinationIdOf(outcome)
  const version = outcome?.result === 'written' ? outcome.version : null
  return { ...records.sought(definition, record, destinationId), destinationId, version }
}

export async function findAll(
  { writer, records }: Bench,
  definition: EntityDefinition,
  sent: OutgoingRecord[],
  outcomes: (WriteOutcome | undefined)[],
): Promise<FoundRecord[]> {
  const idOf = (index: number) => (outcomes[index] ? destinationIdOf(outcomes[index]) : null)
  return writer.find(
    definition.name,
    sent.map((record, index) => records.sought(definition, record, idOf(index))),
  )
}

/**
 * Names the fields that asStored ignores, except those with a reason. A difference in such a field would never be
 * noticed.
 */
export async function findIndifferent(bench: Bench, entity: string, record: OutgoingRecord): Promise<string[]> {
  const whole = hashRecord(await storedContentOf(bench, entity, record))
  const isLost = async (less: Partial<OutgoingRecord>) =>
    hashRecord(await storedContentOf(bench, entity, { ...record, ...less })) === whole
  const without = <T>(values: Record<string, T>, name: string) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => key !== name))
  const isLostOf = async (name: string, value: unknown) =>
    (await isLost({ fields: without(record.fields, name) })) ||
    // Every value of a list must count, not only the first.
    (Array.isArray(value) &&
      value.length > 1 &&
      (await isLost({ fields: { ...record.fields, [name]: value.slice(0, -1) } })))
  const names: string[] = []
  for (const [name, value] of Object.entries(record.fields)) {
    // One of true and false may equal a missing value, so true is compared with false. So may an empty text.
    if (value === false || value === '') continue
    const other = { ...record.fields, [name]: false }
    const isLostValue = value === true ? await isLost({ fields: other }) : await isLostOf(name, value)
    if (isLostValue) names.push(name)
  }
  for (const name of Object.keys(record.customFields)) {
    if (await isLost({ customFields: without(record.customFields, name) })) names.push(name)
  }
  return names.map((name) => `${entity}.${name}`).filter((name) => bench.indifferent?.[name] === undefined)
}

export function storedContentOf(
  { writer, description }: Bench,
  entity: string,
  record: OutgoingRecord,
  comesInside = false,
) {
  return storedContent({ writer, mapping: { changes: {}, destination: description } }, entity, record, comesInside)
}

/** Verifies a stored record as the engine does, and describes each difference. */
export async function expectStored(
  bench: Bench,
  definition: EntityDefinition,
  sent: OutgoingRecord[],
  outcomes: (WriteOutcome | undefined)[],
  { comesInside = false }: { comesInside?: boolean } = {},
): Promise<void> {
  const look = async () => {
    const found = await findAll(bench, definition, sent, outcomes)
    expect(found.map(({ key }) => key).sort(), definition.name).toEqual(sent.map(({ key }) => key).sort())
    for (const record of sent) {
      const one = found.find(({ key }) => key === record.key) ?? fail(record.key)
      const stored = await storedContentOf(bench, definition.name, record, comesInside)
      const isTimed = keepsTimes(bench.description, definition.name, comesInside)
      const keeps = isTimed ? {} : { createdAt: null, updatedAt: null }
      const advice = `${definition.name}: found (received) is not what asStored says (expected); a value that the tool gives to an empty field belongs into \`empty\` of its lens`
      expect(withoutEmpty(one.fields), advice).toEqual(withoutEmpty(stored.fields))
      expect(withoutEmpty(one.customFields), definition.name).toEqual(withoutEmpty(stored.customFields))
      expect(hashRecord({ ...one, ...keeps }), definition.name).toEqual(hashRecord(stored))
    }
  }
  await afterSettling(bench, definition.name, look)
  await expectLosses(bench, definition, sent, outcomes)
}

/** A tool may need a moment until it returns a new value. A run waits as long as the connector declares. */
export async function afterSettling<T>({ description }: Bench, entity: string, look: () => Promise<T>): Promise<T> {
  const { settleMs } = capabilitiesOf(description, entity)
  return settleMs === 0 ? look() : vi.waitFor(look, { timeout: settleMs + 60_000, interval: 250 })
}

/** The losses of a record are told even if the answer to its sending was lost and it is found by its key. */
async function expectLosses(
  bench: Bench,
  definition: EntityDefinition,
  sent: OutgoingRecord[],
  outcomes: (WriteOutcome | undefined)[],
): Promise<void> {
  for (const [at, outcome] of outcomes.entries()) {
    const record = sent[at]
    const losses = outcome?.result === 'written' ? (outcome.losses ?? []) : []
    if (losses.length === 0 || !record) continue
    if (capabilitiesOf(bench.description, definition.name).deliveryClass === 'D') continue
    // Some connectors forget the note of a key once they know the id.
    const [byKey] = await findAll(bench, definition, [record], [])
    const [found = fail(record.key)] = byKey ? [byKey] : await findAll(bench, definition, [record], [outcome])
    const told = [...(found.losses ?? []), ...((await bench.writer.lossesOf?.(definition.name, record, found)) ?? [])]
    expect(told, `losses of ${definition.name}`).toEqual(expect.arrayContaining([...losses]))
  }
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || value === '' || [value].flat().length === 0
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

export function fail(what: string): never {
  throw new Error(what)
}
