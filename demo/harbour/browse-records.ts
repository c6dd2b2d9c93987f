import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from './open-database.ts'
import type { RecordRow } from './rows.ts'
import type { User } from './users.ts'

export const PAGE_ROWS = 50

export type Browser = ReturnType<typeof createBrowser>

/** Queries of the pages, limited to one account. */
export function createBrowser(db: DatabaseSync, account: string) {
  const rows = (sql: string, ...values: (string | number)[]) => db.prepare(sql).all(...values) as unknown as RecordRow[]
  return {
    counts: () =>
      new Map(
        db
          .prepare('SELECT entity, count(*) AS count FROM records WHERE account = ? GROUP BY entity')
          .all(account)
          .map(({ entity, count }) => [String(entity), Number(count)]),
      ),
    count: (entity: string) =>
      numberOf(db, 'SELECT count(*) FROM records WHERE account = ? AND entity = ?', account, entity),
    list: (entity: string, after: number) =>
      rows(
        'SELECT * FROM records WHERE account = ? AND entity = ? AND id > ? ORDER BY id LIMIT ?',
        account,
        entity,
        after,
        PAGE_ROWS,
      ),
    byExternalId: (externalId: string) =>
      rows('SELECT * FROM records WHERE account = ? AND external_id = ?', account, externalId)[0],
    byId: (entity: string, id: number) =>
      rows('SELECT * FROM records WHERE account = ? AND entity = ? AND id = ?', account, entity, id)[0],
    /** File ids are unique across entities. */
    fileById: (id: number) =>
      rows('SELECT * FROM records WHERE account = ? AND id = ? AND upload IS NOT NULL', account, id)[0],
    /** Records of an entity whose field refers to this record, oldest first. */
    leadingTo: (externalId: string, entity: string, field: string) =>
      rows(
        `SELECT records.* FROM links JOIN records ON records.id = links.record
         WHERE links.target = ? AND links.field = ? AND account = ? AND entity = ? ORDER BY created_at, records.id
         LIMIT 500`,
        externalId,
        field,
        account,
        entity,
      ),
    user: (id: string) => db.prepare('SELECT name FROM users WHERE id = ?').get(id) as Pick<User, 'name'> | undefined,
  }
}
