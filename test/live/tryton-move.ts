import type {
  FoundRecord,
  OutgoingRecord,
  Reader,
  RemovableRecord,
  SoughtRecord,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract/contract.ts'
import { entityOf, familyDefinitions } from '../../service/src/families/index.ts'
import type { FamilyRecord, RecordRef } from '../../service/src/families/record.ts'
import { mapRecord } from '../../service/src/mapping/map-record.ts'
import { convertText } from '../../service/src/text/convert-text.ts'
import { readAll } from '../connectors/reader-contract.ts'

export const entities = familyDefinitions.crm.entities.map(({ name }) => name)
export const readEntity = (reader: Reader, entity: string) => readAll((cursor) => reader.read(entity, cursor, {}))

export interface Moved {
  record: FamilyRecord
  outgoing: OutgoingRecord
  outcome: WriteOutcome
}

/** Copies everything from one account to another, as a run does, without a ledger. */
export async function moveAll(reader: Reader, writer: Writer, importId: string): Promise<Map<string, Moved>> {
  const destination = await writer.describe()
  const [from, to] = [await readAll((at) => reader.users(at)), await readAll((at) => writer.users(at))]
  const users = new Map(
    from.map(({ id, email }) => [id, to.find((user) => user.email !== null && user.email === email)?.id ?? null]),
  )
  const moved = new Map<string, Moved>()
  const nameOf = ({ entity, sourceId }: RecordRef) => `${entity}/${sourceId}`
  const write = async (entity: string, records: FamilyRecord[], isLast: boolean) => {
    const outgoing = records.map((record): OutgoingRecord => {
      const content = mapRecord(record, {
        entity: entityOf('crm', entity),
        mapping: { changes: {}, destination },
        resolveRecord: (ref) => {
          const known = moved.get(nameOf(ref))?.outcome
          if (known && 'destinationId' in known) return { key: known.key, destinationId: known.destinationId }
          return isLast ? 'lost' : 'unknown'
        },
        resolveUser: ({ userId }) => users.get(userId) ?? null,
        mapText: (text, to) => ({ ...convertText(text, to), hasOpenLinks: false }),
      })
      if (!content) throw new Error(`${nameOf(record)} hangs on nothing`)
      const before = moved.get(nameOf(record))?.outcome
      const author = from.find(({ id }) => id === record.createdBy?.userId)
      return {
        key: `${importId}/${nameOf(record)}`,
        revision: 1,
        destinationId: before && 'destinationId' in before ? before.destinationId : null,
        fields: content.fields,
        customFields: content.customFields,
        createdAt: record.createdAt ?? null,
        updatedAt: record.updatedAt ?? null,
        createdBy: author ? { name: author.name, email: author.email, userId: users.get(author.id) ?? null } : null,
      }
    })
    const outcomes =
      entity === 'attachments'
        ? await writeFiles(reader, writer, records, outgoing)
        : await writer.write(entity, outgoing)
    for (const [index, record] of records.entries()) {
      moved.set(nameOf(record), {
        record,
        outgoing: outgoing[index] as OutgoingRecord,
        outcome: outcomes[index] as WriteOutcome,
      })
    }
  }
  for (const entity of entities) {
    if (destination.entities[entity]) await write(entity, await readEntity(reader, entity), false)
  }
  const accounts = [...moved.values()].map(({ record }) => record).filter(({ fields }) => fields.parent_account)
  if (accounts.length > 0) await write('accounts', accounts, true)
  return moved
}

async function writeFiles(
  reader: Reader,
  writer: Writer,
  records: FamilyRecord[],
  outgoing: OutgoingRecord[],
): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = []
  for (const [index, record] of records.entries()) {
    const file = await reader.openFile(record)
    outcomes.push(await writer.writeFile('attachments', { ...(outgoing[index] as OutgoingRecord), ...file }))
  }
  return outcomes
}

/** The found records, by key. */
export async function findAll(
  writer: Writer,
  entity: string,
  moved: Iterable<Moved>,
): Promise<Map<string, FoundRecord>> {
  const found = new Map<string, FoundRecord>()
  for (const record of await writer.find(entity, [...moved].map(toSought))) {
    if (found.has(record.key)) throw new Error(`${record.key} is there twice`)
    found.set(record.key, record)
  }
  return found
}

export const toSought = ({ outcome }: Moved): SoughtRecord => ({
  key: outcome.key,
  destinationId: 'destinationId' in outcome ? outcome.destinationId : null,
  parent: null,
})

export const toRemovable = ({ outcome }: Moved): RemovableRecord => ({
  key: outcome.key,
  destinationId: 'destinationId' in outcome ? outcome.destinationId : '0',
  version: outcome.result === 'written' ? outcome.version : null,
  parent: null,
})
