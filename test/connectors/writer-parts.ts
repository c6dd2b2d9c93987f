import { expect } from 'vitest'
import type {
  OutgoingPart,
  OutgoingRecord,
  SentRelation,
  WriteOutcome,
} from '../../service/src/connectors/contract/contract.ts'
import { capabilitiesOf } from '../../service/src/connectors/entity-capabilities.ts'
import type { EntityDefinition } from '../../service/src/families/definition.ts'
import { destinationIdOf, isFileEntity } from './outgoing-records.ts'
import { afterSettling, type Bench, expectStored } from './writer-bench.ts'

const hourMs = 3_600_000
/** In the past: some tools keep no moment of the future. */
const firstMoment = '2024-05-06T07:08:09.000Z'

/** Sends new records with the records that they carry, except files: each part has its own outcome, and is found. */
export async function checkParts(bench: Bench): Promise<void> {
  const { description, records, writer } = bench
  for (const carrier of records.definitions) {
    for (const [entity, { most }] of Object.entries(description.entities[carrier.name]?.carries ?? {})) {
      const definition = records.definitions.find(({ name }) => name === entity)
      if (!definition?.parent || isFileEntity(entity)) continue
      const record = { ...(await records.record(carrier)), createdAt: firstMoment, updatedAt: firstMoment }
      const parts: OutgoingPart[] = []
      for (let at = 1; at <= Math.min(most, 2); at += 1)
        parts.push(await partOf(bench, definition, carrier, record, at))
      const outcomes = await writer.write(carrier.name, [{ ...record, revision: record.revision + 1, parts }])
      const keys = [record, ...parts].map(({ key }) => key)
      expect(outcomes.map(({ key }) => key).sort(), `outcomes of ${carrier.name} with ${entity}`).toEqual(keys.sort())
      const outcomeOf = ({ key }: OutgoingRecord) => outcomes.find((one) => one.key === key) as WriteOutcome
      records.remember(carrier.name, record, outcomeOf(record))
      const parentId = destinationIdOf(outcomeOf(record))
      await expectStored(bench, carrier, [{ ...record, parts }], [outcomeOf(record)])
      const placed = parts.map((part) => ({
        ...part,
        fields: {
          ...part.fields,
          [String(definition.parent)]: { ...parentOf(part, definition), destinationId: parentId },
        },
      }))
      for (const part of placed) records.remember(entity, part, outcomeOf(part))
      await expectStored(bench, definition, placed, placed.map(outcomeOf), { comesInside: true })
      if (capabilitiesOf(description, entity).deliveryClass === 'D') continue
      await afterSettling(bench, entity, async () => {
        const sought = placed.map((part, position) => ({ ...records.sought(definition, part, null), position }))
        const found = await writer.find(entity, sought)
        const ids = placed.map((part) => found.find(({ key }) => key === part.key)?.destinationId)
        expect(ids, `${entity} inside, by their keys or places`).toEqual(
          placed.map((one) => destinationIdOf(outcomeOf(one))),
        )
      })
    }
  }
}

const parentOf = (part: OutgoingRecord, { parent = '' }: EntityDefinition) => part.fields[parent] as SentRelation

async function partOf(
  { records }: Bench,
  definition: EntityDefinition,
  carrier: EntityDefinition,
  { key }: OutgoingRecord,
  at: number,
): Promise<OutgoingPart> {
  const part = await records.record(definition)
  const relation: SentRelation = { entity: carrier.name, key, destinationId: '' }
  // A tool may show the parts in the order of their times.
  const moment = new Date(Date.parse(firstMoment) + at * hourMs).toISOString()
  const fields = { ...part.fields, [String(definition.parent)]: relation }
  return { ...part, entity: definition.name, fields, createdAt: moment, updatedAt: moment }
}
