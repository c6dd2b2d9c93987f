import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type {
  DestinationDescription,
  OutgoingRecord,
  SentRelation,
  SoughtRecord,
  WriteOutcome,
} from '../../service/src/connectors/contract/contract.ts'
import { capabilitiesOf } from '../../service/src/connectors/entity-capabilities.ts'
import type { EntityDefinition } from '../../service/src/families/definition.ts'
import { familyDefinitions } from '../../service/src/families/index.ts'
import { momentOf, outgoingValues } from './outgoing-values.ts'
import type { OpenedWriter } from './writer-bench.ts'

export type Written = Extract<WriteOutcome, { result: 'written' | 'matched' }>

export const isFileEntity = (entity: string) => entity === 'attachments' || entity === 'media'

/** Makes records from the destination's description; their targets are written first. */
export function outgoingRecords(opened: OpenedWriter, description: DestinationDescription) {
  const { writer, family, users, chooseValue } = opened
  const make = outgoingValues(users, description.textFormat)
  const run = `contract_${randomUUID().slice(0, 8)}`
  const targets = new Map<string, Promise<SentRelation>>()
  const written: { entity: string; record: OutgoingRecord; outcome: Written }[] = []
  let made = 0
  let sent = 0
  const definitions = familyDefinitions[family].entities.filter(({ name }) => description.entities[name] !== undefined)

  const targetOf = async (to: readonly string[]): Promise<SentRelation | undefined> => {
    const definition = definitions.find(({ name }) => to.includes(name) && name !== 'attachments')
    if (!definition) return undefined
    const { name } = definition
    const known =
      targets.get(name) ??
      (async () => {
        const small = await record(definition, { isSmall: true })
        const [outcome] = isFileEntity(name) ? [await writeFile(name, small)] : await write(name, [small])
        return { entity: name, key: String(outcome?.key), destinationId: destinationIdOf(outcome) }
      })()
    targets.set(name, known)
    return known
  }

  const record = async (
    definition: EntityDefinition,
    { isSmall = false, seed = ++made }: { isSmall?: boolean; seed?: number } = {},
  ): Promise<OutgoingRecord> => {
    const { name: entity, secondPass = [] } = definition
    const taken = description.entities[entity]
    const fields: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(taken?.fields ?? {})) {
      const defined = definition.fields[name]
      if (secondPass.includes(name) || (isSmall && !field.required && !defined?.required)) continue
      const isRelation = field.type === 'relation'
      const target = isRelation ? await targetOf(defined?.to ?? []) : undefined
      const relation = field.many && target ? [target] : target
      const chosen = chooseValue?.(entity, name, seed)
      if (chosen === null) continue
      const value = chosen ?? (isRelation ? relation : make(field, seed))
      if (value !== undefined) fields[name] = value
    }
    const customFields: OutgoingRecord['customFields'] = {}
    const offered = isSmall ? [] : (taken?.customFields ?? [])
    if (offered === 'any') {
      customFields.odd_key = { label: 'Odd „label“', type: 'text', value: `${seed} 👩‍👩‍👧‍👦` }
    } else {
      for (const { key, label, type, many, options } of offered) {
        const field = { type, many, options, required: false, maxLength: null }
        const value = type === 'relation' || type === 'user' ? undefined : make(field, seed)
        if (value !== undefined) customFields[key] = { label, type, value }
      }
    }
    return {
      key: `${run}/${entity}/${++made}`,
      revision: ++sent,
      destinationId: null,
      createdBy: null,
      fields,
      customFields,
      createdAt: momentOf(seed),
      updatedAt: momentOf(seed),
    }
  }

  /** Writes in batches, and remembers the stored records. */
  const write = async (entity: string, records: OutgoingRecord[]): Promise<WriteOutcome[]> => {
    const outcomes: WriteOutcome[] = []
    const { batchSize: most, deliveryClass } = capabilitiesOf(description, entity)
    // As a run does.
    const batchSize = deliveryClass === 'D' ? 1 : most
    for (let start = 0; start < records.length; start += batchSize) {
      // A record that is sent again gets a higher revision.
      const batch = records.slice(start, start + batchSize).map((record) => ({ ...record, revision: ++sent }))
      outcomes.push(...(await writer.write(entity, batch)))
    }
    records.forEach((record, index) => {
      remember(entity, record, outcomes[index])
    })
    return outcomes
  }
  const writeFile = async (entity: string, small: OutgoingRecord): Promise<WriteOutcome> => {
    const body = Readable.from([Buffer.from('small')], { objectMode: false })
    const outcome = await writer.writeFile(entity, { ...small, size: 5, contentType: 'text/plain', body })
    remember(entity, small, outcome)
    return outcome
  }
  const remember = (entity: string, record: OutgoingRecord, outcome: WriteOutcome | undefined) => {
    if (!outcome || !('destinationId' in outcome)) return
    const at = written.findIndex((one) => one.record.key === record.key)
    written.splice(at === -1 ? written.length : at, at === -1 ? 0 : 1, { entity, record, outcome })
  }

  return {
    definitions,
    record,
    write,
    remember,
    targetOf,
    /** The stored records, oldest first. */
    written,
    nextKey: (entity: string) => `${run}/${entity}/${++made}`,
    forget(keys: readonly string[]) {
      const left = written.filter(({ record: { key } }) => !keys.includes(key))
      written.splice(0, written.length, ...left)
    },
    sought(definition: EntityDefinition, { key, fields }: OutgoingRecord, destinationId: string | null): SoughtRecord {
      const parent =
        definition.parent === undefined ? undefined : (fields[definition.parent] as SentRelation | undefined)
      return {
        key,
        destinationId,
        parent: parent ? { entity: parent.entity, destinationId: parent.destinationId } : null,
      }
    },
  }
}

export type OutgoingRecords = ReturnType<typeof outgoingRecords>

/** A refusal fails the test with the destination's own words, and a failure with its error as the cause. */
export function destinationIdOf(outcome: WriteOutcome | undefined): string {
  if (outcome?.result === 'failed') throw new Error(`not written: ${outcome.key} failed`, { cause: outcome.error })
  if (!outcome || !('destinationId' in outcome)) throw new Error(`not written: ${JSON.stringify(outcome)}`)
  return outcome.destinationId
}
