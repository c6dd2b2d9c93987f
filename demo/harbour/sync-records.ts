import type { DatabaseSync } from 'node:sqlite'
import { checkFields, isMoment, isObject } from './check-record.ts'
import type { Carries, EntityRules } from './entities.ts'
import { notFound, type Refusal } from './errors.ts'
import { addToFile, isFileEntity } from './files.ts'
import type { RevisionKeeper } from './keep-revisions.ts'
import { inTransaction } from './open-database.ts'
import { customFieldsOf, type Fields, fieldsOf, type RecordRow } from './rows.ts'
import type { Act, Content, RecordStore } from './store-records.ts'

export interface SentRecord {
  external_id: string
  revision?: number | null
  /** If set, the record is written only while it has this version. */
  version?: string | null
  fields?: Fields | null
  custom_fields?: Fields | null
  created_at?: string | null
  updated_at?: string | null
  /** Allowed only for entities that Harbour describes as carrying others. */
  parts?: (SentRecord & { entity: string })[] | null
}

export interface SentDelete {
  external_id: string
  version?: string | null
  revision?: number | null
}

export interface SyncOptions {
  db: DatabaseSync
  store: RecordStore
  revisions: RevisionKeeper
  entities: Readonly<Record<string, EntityRules>>
  carries: Carries
  publicUrl: () => string
}

type WriteResult =
  | {
      external_id: string
      result: 'created' | 'updated'
      id: string
      url: string
      version: string
      parts?: WriteResult[]
    }
  | ({ external_id: string; result: 'refused' } & Refusal)
  | { external_id: string; result: 'outdated'; revision: number }
  | { external_id: string; result: 'changed' | 'missing' }

export type RecordSync = ReturnType<typeof createRecordSync>

/** Writes, finds and deletes records by external id. Each batch is one transaction. */
export function createRecordSync({ db, store, revisions, entities, carries, publicUrl }: SyncOptions) {
  const rulesOf = (entity: string): EntityRules => {
    const rules = Object.hasOwn(entities, entity) ? entities[entity] : undefined
    if (!rules) throw notFound(`The entity ${entity}`)
    return rules
  }
  const identityOf = (row: RecordRow) => ({
    id: String(row.id),
    url: `${publicUrl()}/${isFileEntity(row.entity) ? 'files' : row.entity}/${row.id}`,
    version: String(row.version),
  })

  /** Returns the result if the version condition fails, or null if it holds. Must run inside a transaction. */
  const findUnmet = (account: string, entity: string, externalId: string, version: string | null) => {
    if (version === null) return null
    const row = store.find(account, externalId)
    if (row?.entity !== entity) return 'missing'
    return version === String(row.version) ? null : 'changed'
  }

  /** Upserts one record. Must run inside a transaction. */
  const upsert = (
    act: Act,
    entity: string,
    externalId: string,
    content: Content,
  ): { result: 'created' | 'updated'; row: RecordRow } | { refusal: Refusal } => {
    const rules = rulesOf(entity)
    const row = store.find(act.account, externalId)
    if (row && row.entity !== entity) {
      return { refusal: { code: 'external_id_taken', message: `This external id belongs to one of the ${row.entity}` } }
    }
    const checked = checkFields(rules, content.fields, {
      hasUser: store.hasUser,
      entityOf: (id) => store.find(act.account, id)?.entity,
    })
    if ('refusal' in checked) return checked
    const kept = { ...content, fields: { ...checked.fields, ...proofOf(entity, content.fields) } }
    return row
      ? { result: 'updated', row: store.replace(act, row, rules, kept, 'update') }
      : { result: 'created', row: store.create(act, entity, externalId, rules, kept) }
  }

  /** `PUT /files` creates files. Here, fields can only be added to an existing file. */
  const write = (act: Act, entity: string, externalId: string, content: Content) => {
    if (!isFileEntity(entity)) return upsert(act, entity, externalId, content)
    const row = store.find(act.account, externalId)
    if (row?.entity !== entity) {
      return { refusal: { code: 'unknown_file', message: `There is no file ${externalId} among the ${entity}` } }
    }
    return upsert(act, entity, externalId, { ...content, fields: addToFile(fieldsOf(row), content.fields) })
  }

  const writeOne = (act: Act, entity: string, record: SentRecord): WriteResult => {
    const { external_id } = record
    // The revision is stored first, so that it counts even if the record is refused.
    const newer = revisions.findNewer(act.account, external_id, record.revision)
    if (newer !== null) return { external_id, result: 'outdated', revision: newer }
    const unmet = findUnmet(act.account, entity, external_id, record.version ?? null)
    if (unmet !== null) return { external_id, result: unmet }
    const content = contentOf(record)
    const outcome = 'refusal' in content ? content : write(act, entity, external_id, content)
    if ('refusal' in outcome) return { external_id, result: 'refused', ...outcome.refusal }
    const { parts } = record
    return {
      external_id,
      result: outcome.result,
      ...identityOf(outcome.row),
      // The record exists now, so its parts are written like any other record.
      ...(parts && { parts: parts.map((part) => writePart(act, entity, part)) }),
    }
  }
  const writePart = (act: Act, carrier: string, part: SentRecord & { entity: string }): WriteResult => {
    const { external_id, entity } = part
    if (carries[carrier]?.includes(entity)) return writeOne(act, entity, part)
    return { external_id, result: 'refused', code: 'invalid', message: `The ${carrier} carry no ${entity}` }
  }

  return {
    rulesOf,
    identityOf,
    upsert,
    findUnmet,

    write(act: Act, entity: string, records: readonly SentRecord[]): WriteResult[] {
      rulesOf(entity)
      return inTransaction(db, () => records.map((record) => writeOne(act, entity, record)))
    },

    find(account: string, entity: string, externalIds: readonly string[]) {
      rulesOf(entity)
      return [...new Set(externalIds)].flatMap((externalId) => {
        const row = store.find(account, externalId)
        if (row?.entity !== entity) return []
        return {
          external_id: externalId,
          ...identityOf(row),
          fields: fieldsOf(row),
          custom_fields: customFieldsOf(row),
          created_at: row.created_at,
          updated_at: row.updated_at,
        }
      })
    },

    remove(act: Act, entity: string, records: readonly SentDelete[]) {
      rulesOf(entity)
      return inTransaction(db, () =>
        records.map(({ external_id, version = null, revision }) => {
          const row = store.find(act.account, external_id)
          const isInTime = revisions.allowsDelete(act.account, external_id, revision)
          if (row?.entity !== entity) return { external_id, result: 'missing' }
          if (!isInTime) return { external_id, result: 'changed' }
          const unmet = findUnmet(act.account, entity, external_id, version)
          if (unmet !== null) return { external_id, result: unmet }
          store.remove(act, row)
          return { external_id, result: 'deleted' }
        }),
      )
    },
  }
}

/** For files, `find` also returns the digest, which is no field of the family. */
function proofOf(entity: string, fields: Fields): Fields {
  return isFileEntity(entity) ? { sha256: fields.sha256 } : {}
}

function contentOf(record: SentRecord): Content | { refusal: Refusal } {
  for (const name of ['created_at', 'updated_at'] as const) {
    const moment = record[name] ?? null
    if (moment !== null && !isMoment(moment)) {
      return { refusal: { code: 'invalid', field: name, message: `${name} is not a moment in UTC` } }
    }
  }
  const customFields: Fields = {}
  for (const [key, field] of Object.entries(record.custom_fields ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (field === null) continue
    if (!isObject(field) || !('value' in field)) {
      return { refusal: { code: 'invalid', field: key, message: `The custom field ${key} has no value` } }
    }
    if (field.value !== null) customFields[key] = field
  }
  return {
    fields: record.fields ?? {},
    customFields,
    createdAt: record.created_at ?? null,
    updatedAt: record.updated_at ?? null,
  }
}
