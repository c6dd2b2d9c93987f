import type {
  Account,
  DestinationDescription,
  DestinationField,
  FoundRecord,
  RemoveOutcome,
  WriteOutcome,
  Writer,
} from '../contract.ts'
import { writeParts } from '../kit/write-each.ts'
import { type Api, createApi, type SentRecord } from './api.ts'
import { outdated, unmet } from './break-protocol.ts'
import { fileRevisions, isFileEntity } from './file-fields.ts'
import type { Description } from './schema.ts'
import { sendFile } from './send-file.ts'
import { toStored } from './to-stored.ts'
import { toWire } from './to-wire.ts'

/** Writes to a product of a partner's own. Relations are external ids, which are our keys. */
export function openDestination(account: Account): Writer {
  const api = createApi(account)
  return {
    describe: async () => toDescription(await api.describe()),

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
          external_id: record.key,
          revision: record.revision,
          ...(record.version != null && { version: record.version }),
          ...toWire(record),
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

/** A batch that is too large is sent in halves; a single record that is too large is refused. */
async function writeBatch(api: Api, entity: string, batch: SentRecord[]): Promise<WriteOutcome[]> {
  const [first] = batch
  if (!first) return []
  const results = await api.write(entity, batch)
  if (results) {
    return results.map((result, index): WriteOutcome => {
      const key = result.external_id
      if (result.result === 'changed' || result.result === 'missing') {
        return unmet('PUT /records', key, batch[index]?.version, result)
      }
      if (result.result === 'outdated')
        return { key, result: 'failed', error: outdated(batch[index]?.revision ?? 0, result), isSent: true }
      if (result.result === 'refused') return { key, result: 'refused', code: result.code, message: result.message }
      return { key, result: 'written', destinationId: result.id, url: result.url ?? null, version: result.version }
    })
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

function toDescription({ account, text_format, limits, capabilities, entities }: Description): DestinationDescription {
  return {
    account: { name: account.name, ...(account.id !== undefined && { id: account.id }) },
    textFormat: text_format,
    maxFileBytes: limits.file_bytes ?? null,
    capabilities: {
      // Writing is an upsert on a unique key.
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
      Object.entries(entities).map(([name, { fields, custom_fields = [] }]) => [
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
