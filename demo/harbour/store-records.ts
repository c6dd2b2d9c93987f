import type { DatabaseSync } from 'node:sqlite'
import type { EntityRules } from './entities.ts'
import type { EffectRow, Fields, RecordRow } from './rows.ts'

/** The account that makes a change, and the id of its request. */
export interface Act {
  account: string
  requestId: string
}

export interface Content {
  fields: Fields
  customFields: Fields
  createdAt: string | null
  updatedAt: string | null
  /** The upload id of a file's chunks. */
  upload?: string
}

export type RecordStore = ReturnType<typeof createRecordStore>

/** All statements on records, links and effects. Callers open the transaction. */
export function createRecordStore(db: DatabaseSync, now: () => Date) {
  const select = db.prepare('SELECT * FROM records WHERE account = ? AND external_id = ?')
  const selectById = db.prepare('SELECT * FROM records WHERE account = ? AND entity = ? AND id = ?')
  const insert = db.prepare(`INSERT INTO records
    (account, entity, external_id, fields, custom_fields, created_at, updated_at, version, upload)
    VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)`)
  const update = db.prepare(`UPDATE records
    SET fields = ?, custom_fields = ?, created_at = ?, updated_at = ?, version = ?, upload = ? WHERE id = ?`)
  const setVersion = db.prepare('UPDATE records SET version = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM records WHERE id = ?')
  const removeChunks = db.prepare('DELETE FROM chunks WHERE upload = ?')
  const insertLink = db.prepare('INSERT INTO links (record, field, target) VALUES (?, ?, ?)')
  const removeLinks = db.prepare('DELETE FROM links WHERE record = ?')
  const insertEffect = db.prepare(`INSERT INTO effects
    (account, action, entity, external_id, record, request_id, at) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const selectUser = db.prepare('SELECT 1 FROM users WHERE id = ?')

  /** The number of an effect is unique, so it is also the version of the record. */
  const addEffect = (act: Act, action: EffectRow['action'], row: Pick<RecordRow, 'id' | 'entity' | 'external_id'>) => {
    const { id, entity, external_id } = row
    const at = now().toISOString()
    return Number(insertEffect.run(act.account, action, entity, external_id, id, act.requestId, at).lastInsertRowid)
  }
  const writeLinks = (id: number, rules: EntityRules, fields: Fields) => {
    removeLinks.run(id)
    for (const [name, { type }] of Object.entries(rules)) {
      if (type !== 'relation') continue
      for (const target of [fields[name] ?? []].flat()) insertLink.run(id, name, String(target))
    }
  }

  const store = {
    find: (account: string, externalId: string) => select.get(account, externalId) as RecordRow | undefined,
    byId: (account: string, entity: string, id: number) => selectById.get(account, entity, id) as RecordRow | undefined,
    hasUser: (id: string) => selectUser.get(id) !== undefined,

    create(act: Act, entity: string, externalId: string, rules: EntityRules, content: Content): RecordRow {
      const createdAt = content.createdAt ?? now().toISOString()
      const { lastInsertRowid } = insert.run(
        act.account,
        entity,
        externalId,
        JSON.stringify(content.fields),
        JSON.stringify(content.customFields),
        createdAt,
        content.updatedAt ?? createdAt,
        content.upload ?? null,
      )
      const id = Number(lastInsertRowid)
      setVersion.run(addEffect(act, 'create', { id, entity, external_id: externalId }), id)
      writeLinks(id, rules, content.fields)
      return reread(act.account, externalId)
    },

    /** Stores the record exactly as sent. If nothing changed, its version stays. */
    replace(act: Act, row: RecordRow, rules: EntityRules, content: Content, action: 'update' | 'edit'): RecordRow {
      const fields = JSON.stringify(content.fields)
      const customFields = JSON.stringify(content.customFields)
      const createdAt = content.createdAt ?? row.created_at
      const updatedAt = content.updatedAt ?? row.updated_at
      const isSame =
        fields === row.fields &&
        customFields === row.custom_fields &&
        createdAt === row.created_at &&
        updatedAt === row.updated_at
      const upload = content.upload ?? row.upload
      const version = addEffect(act, isSame ? 'repeat' : action, row)
      update.run(fields, customFields, createdAt, updatedAt, isSame ? row.version : version, upload, row.id)
      if (row.upload !== null && row.upload !== upload) removeChunks.run(row.upload)
      if (!isSame) writeLinks(row.id, rules, content.fields)
      return reread(act.account, row.external_id)
    },

    remove(act: Act, row: RecordRow): void {
      addEffect(act, 'delete', row)
      remove.run(row.id)
      if (row.upload !== null) removeChunks.run(row.upload)
    },
  }
  const reread = (account: string, externalId: string): RecordRow => {
    const row = store.find(account, externalId)
    if (!row) throw new Error('a record that was just written is gone')
    return row
  }
  return store
}
