import type {
  DestinationDescription,
  FoundRecord,
  OutgoingRecord,
  Reader,
  RecordPage,
  StoredContent,
  WriteOutcome,
  Writer,
} from '../../service/src/connectors/contract/contract.ts'
import { hashRecord } from '../../service/src/engine/hash-record.ts'
import { entityOf, type Family, familyDefinitions } from '../../service/src/families/index.ts'
import type { FamilyRecord, RecordRef, ToolUser } from '../../service/src/families/record.ts'
import { mapRecord } from '../../service/src/mapping/map-record.ts'
import { convertText } from '../../service/src/text/convert-text.ts'

export interface Copied {
  entity: string
  record: FamilyRecord
  outgoing: OutgoingRecord
  outcome: WriteOutcome
  expected: StoredContent
}

export interface CopyOptions {
  reader: Reader
  writer: Writer
  family: Family
  importId: string
  /** Source user → destination user. */
  users: ReadonlyMap<string, string>
  people: readonly ToolUser[]
  /** True for records that are left out to save time. */
  isSkipped?(record: FamilyRecord): boolean
}

const nameOf = (ref: RecordRef) => `${ref.entity} ${ref.sourceId}`

/**
 * Copies all records in the order of the family, and records with forward references a second time, like the engine
 * without its ledger.
 */
export async function copyRecords(options: CopyOptions): Promise<Map<string, Copied>> {
  const { reader, writer, family } = options
  const destination = await writer.describe()
  const copied = new Map<string, Copied>()
  for (const { name, secondPass = [] } of familyDefinitions[family].entities) {
    if (!destination.entities[name]) continue
    const records = (await readEntity(reader, name)).filter((record) => !options.isSkipped?.(record))
    for (const record of records) await copyOne(options, destination, copied, record, false)
    if (secondPass.length === 0) continue
    for (const record of records) {
      if (secondPass.some((field) => isForward(record.fields[field]))) {
        await copyOne(options, destination, copied, record, true)
      }
    }
  }
  return copied
}

const isForward = (value: unknown) => (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null)

export async function readEntity(reader: Reader, entity: string): Promise<FamilyRecord[]> {
  const records: FamilyRecord[] = []
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page: RecordPage = await reader.read(entity, cursor, {})
    records.push(...page.items)
    cursor = page.next
  }
  return records
}

async function copyOne(
  { reader, writer, family, importId, users, people }: CopyOptions,
  destination: DestinationDescription,
  copied: Map<string, Copied>,
  record: FamilyRecord,
  isAgain: boolean,
): Promise<void> {
  const entity = entityOf(family, record.entity)
  const idOf = (ref: RecordRef): string | null => {
    const outcome = copied.get(nameOf(ref))?.outcome
    return outcome && 'destinationId' in outcome ? outcome.destinationId : null
  }
  const keyOf = (ref: RecordRef) => `${importId}/${ref.entity}/${ref.sourceId.replace(/[^\w.-]/g, '~')}`
  const mapped = mapRecord(record, {
    entity,
    mapping: { changes: {}, destination },
    resolveRecord(ref) {
      const destinationId = idOf(ref)
      return destinationId === null ? (isAgain ? 'lost' : 'unknown') : { key: keyOf(ref), destinationId }
    },
    resolveUser: ({ userId }) => users.get(userId) ?? null,
    mapText: (text, to) => ({ ...convertText(text, to), hasOpenLinks: false }),
  })
  if (!mapped) return
  const author = people.find(({ id }) => id === record.createdBy?.userId)
  const outgoing: OutgoingRecord = {
    key: keyOf(record),
    revision: 1,
    destinationId: isAgain ? idOf(record) : null,
    fields: mapped.fields,
    customFields: mapped.customFields,
    createdAt: record.createdAt ?? null,
    updatedAt: record.updatedAt ?? null,
    createdBy: author ? { name: author.name, email: author.email, userId: users.get(author.id) ?? null } : null,
  }
  const outcome = await send(reader, writer, record, outgoing)
  const expected = await writer.asStored(record.entity, outgoing)
  copied.set(nameOf(record), { entity: record.entity, record, outgoing, outcome, expected })
}

async function send(reader: Reader, writer: Writer, record: FamilyRecord, outgoing: OutgoingRecord) {
  if (record.entity === 'attachments') {
    return await writer.writeFile(record.entity, { ...outgoing, ...(await reader.openFile(record)) })
  }
  const [outcome] = await writer.write(record.entity, [outgoing])
  if (!outcome) throw new Error('no outcome')
  return outcome
}

/** Finds a record only by its key, as after a crash. */
export async function findAgain(writer: Writer, { entity, outgoing }: Copied, family: Family): Promise<FoundRecord[]> {
  const { parent } = entityOf(family, entity)
  const above =
    parent === undefined
      ? undefined
      : (outgoing.fields[parent] as { entity: string; destinationId: string } | undefined)
  const place = above ? { entity: above.entity, destinationId: above.destinationId } : null
  return await writer.find(entity, [{ key: outgoing.key, destinationId: null, parent: place }])
}

export const isSame = (a: StoredContent, b: StoredContent): boolean => hashRecord(a) === hashRecord(b)
