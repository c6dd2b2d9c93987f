import { isFamily } from '../../families/index.ts'
import type {
  Account,
  DestinationDescription,
  DestinationField,
  FoundRecord,
  OutgoingRecord,
  RemoveOutcome,
  WriteOutcome,
  Writer,
} from '../contract/contract.ts'
import { writeParts } from '../kit/write-each.ts'
import { vetCarried } from '../vet-declaration.ts'
import { type Api, createApi, isKept, type SentRecord } from './api.ts'
import { breaksProtocol, outdated, unmet } from './break-protocol.ts'
import { fileRevisions, isFileEntity } from './file-fields.ts'
import type { Description, PartResult } from './schema.ts'
import { sendFile } from './send-file.ts'
import { toStored } from './to-stored.ts'
import { toWire } from './to-wire.ts'

/** Writes to a partner's own product. Relations are sent as external ids, which are our keys. */
export function openDestination(account: Account): Writer {
  const api = createApi(account)
  return {
    async describe() {
      const description = await api.describe()
      const described = toDescription(description)
      const [problem] = description.families
        .filter(isFamily)
        .flatMap((family) => vetCarried(described.entities, family))
      if (problem !== undefined) throw breaksProtocol(`GET /describe: ${problem}`)
      return described
    },

    async users(cursor) {
      const { data, next } = await api.users(cursor)
      return {
        items: data.map(({ id, name, email, active }) => ({
          id,
          name,
          email: email ?? null,
          isActive: active ?? true,
        })),
        next: next ?? null,
      }
    },

    write: (entity, records) =>
      writeBatch(
        api,
        entity,
        records.map((record) => ({
          ...toSent(record),
          ...(record.parts && { parts: record.parts.map((part) => ({ entity: part.entity, ...toSent(part) })) }),
        })),
      ),
    writeFile: (entity, file) => sendFile(api, entity, file),

    async find(entity, records) {
      if (records.length === 0) return []
      const keys = records.map(({ key }) => key)
      return (await api.find(entity, keys)).map(
        (found): FoundRecord => ({
          key: found.external_id,
          destinationId: found.id,
          url: found.url ?? null,
          version: found.version,
          ...(isFileEntity(entity) && typeof found.fields.size === 'number' && { fileSize: found.fields.size }),
          ...toStored(entity, {
            fields: found.fields,
            custom_fields: found.custom_fields ?? {},
            created_at: found.created_at ?? null,
            updated_at: found.updated_at ?? null,
          }),
        }),
      )
    },

    asStored: (entity, content) => toStored(entity, toWire(content)),

    async remove(entity, records) {
      if (records.length === 0) return []
      const wireRevision = isFileEntity(entity) ? fileRevisions.following : (revision: number) => revision
      const batch = records.map(({ key, version, revision }) => ({
        external_id: key,
        ...(version !== null && { version }),
        ...(revision !== undefined && { revision: wireRevision(revision) }),
      }))
      return (await api.remove(entity, batch)).map(({ external_id: key, result }): RemoveOutcome => {
        if (result === 'changed') return { key, result: 'kept', message: 'It has been changed since it was imported.' }
        return { key, result: result === 'deleted' ? 'removed' : 'missing' }
      })
    },
  }
}

const toSent = (record: OutgoingRecord) => ({
  external_id: record.key,
  revision: record.revision,
  ...(record.version != null && { version: record.version }),
  ...toWire(record),
})

/**
 * Writes a batch. A batch that is too large is sent in halves. A single record that is too large is sent without the
 * records inside it; if it is still too large, it is refused.
 */
async function writeBatch(api: Api, entity: string, batch: SentRecord[]): Promise<WriteOutcome[]> {
  const [first] = batch
  if (!first) return []
  const results = await api.write(entity, batch)
  if (results) {
    return results.flatMap((result, index): WriteOutcome[] => {
      const record = batch[index]
      if (result.result === 'changed' || result.result === 'missing') {
        return [unmet('PUT /records', result.external_id, record?.version, result)]
      }
      const parts = record?.parts && isKept(result) ? (result.parts ?? []) : []
      return [
        toOutcome(result, record?.revision),
        ...parts.map((part, at) => toOutcome(part, record?.parts?.[at]?.revision)),
      ]
    })
  }
  if (batch.length === 1 && first.parts) {
    const { parts, ...alone } = first
    const untried = parts.map(({ external_id: key }): WriteOutcome => ({ key, result: 'untried' }))
    return [...(await writeBatch(api, entity, [alone])), ...untried]
  }
  if (batch.length === 1) {
    const message = 'The destination says that this record is too large.'
    return [{ key: first.external_id, result: 'refused', code: 'too_large', message }]
  }
  const half = Math.ceil(batch.length / 2)
  const parts = [batch.slice(0, half), batch.slice(half)]
  return writeParts(
    parts.map((part) => ({
      keys: part.map(({ external_id }) => external_id),
      write: () => writeBatch(api, entity, part),
    })),
  )
}

function toOutcome(result: PartResult, revision = 0): WriteOutcome {
  const key = result.external_id
  if (result.result === 'outdated') return { key, result: 'failed', error: outdated(revision, result), isSent: true }
  // A refused part has a result of its own, so a refusal of the record is about nothing else.
  if (result.result === 'refused')
    return { key, result: 'refused', code: result.code, message: result.message, refusedParts: [] }
  return { key, result: 'written', destinationId: result.id, url: result.url ?? null, version: result.version }
}

function toDescription({ account, text_format, limits, capabilities, entities }: Description): DestinationDescription {
  return {
    account: { name: account.name, ...(account.id !== undefined && { id: account.id }) },
    textFormat: text_format,
    maxFileBytes: limits.file_bytes ?? null,
    capabilities: {
      // A write creates or updates the record with this unique key.
      deliveryClass: 'A',
      delete: true,
      silentCreate: capabilities.silent,
      backdate: capabilities.backdate,
      createField: Object.values(entities).some(({ custom_fields }) => custom_fields === 'any'),
      batchSize: limits.batch,
      concurrency: limits.concurrency,
      settleMs: 0,
      keepsRevisions: capabilities.revisions ?? false,
      conditionalWrites: capabilities.conditional ?? false,
      ...(typeof limits.late_ms === 'number' && { lateMs: limits.late_ms }),
    },
    entities: Object.fromEntries(
      Object.entries(entities).map(([name, { fields, custom_fields = [], carries }]) => [
        name,
        {
          fields: Object.fromEntries(Object.entries(fields).map(([field, rule]) => [field, toField(rule)])),
          customFields:
            custom_fields === 'any'
              ? 'any'
              : custom_fields.map(({ key, label, type, many = false, options = [] }) => ({
                  key,
                  label,
                  type,
                  many,
                  options,
                })),
          ...(carries && {
            carries: Object.fromEntries(Object.entries(carries).map(([part, most]) => [part, { most }])),
          }),
        },
      ]),
    ),
  }
}

function toField(rule: Description['entities'][string]['fields'][string]): DestinationField {
  return {
    type: rule.type,
    many: rule.many ?? false,
    required: rule.required ?? false,
    maxLength: rule.max_length ?? null,
    options: rule.options ?? [],
  }
}
