import type { DatabaseSync } from 'node:sqlite'

export type RevisionKeeper = ReturnType<typeof createRevisionKeeper>

/**
 * The highest revision that Harbour has seen of every external id. The revision outlives the record, so that a late
 * request neither overwrites newer content nor brings back a deleted record. Callers open the transaction.
 */
export function createRevisionKeeper(db: DatabaseSync) {
  // Not part of the first schema: older files get this table when they are opened.
  db.exec(`CREATE TABLE IF NOT EXISTS revisions (account TEXT NOT NULL, external_id TEXT NOT NULL,
    revision INTEGER NOT NULL, PRIMARY KEY (account, external_id)) STRICT, WITHOUT ROWID`)
  const raise = db.prepare(`INSERT INTO revisions (account, external_id, revision) VALUES (?, ?, ?)
    ON CONFLICT (account, external_id) DO UPDATE SET revision = excluded.revision
    WHERE excluded.revision > revisions.revision`)
  const select = db.prepare('SELECT revision FROM revisions WHERE account = ? AND external_id = ?')
  const revisionOf = (account: string, externalId: string) =>
    Number(select.get(account, externalId)?.revision ?? Number.NEGATIVE_INFINITY)

  return {
    /** Null if the write may go on; otherwise the stored revision, which is as high or higher. */
    findNewer(account: string, externalId: string, revision: number | null | undefined): number | null {
      if (revision === null || revision === undefined) return null
      const isNewest = raise.run(account, externalId, revision).changes === 1
      return isNewest ? null : revisionOf(account, externalId)
    },

    /** True if a delete may go on. A delete carries the revision of the last write, so an equal revision is fine. */
    allowsDelete(account: string, externalId: string, revision: number | null | undefined): boolean {
      if (revision === null || revision === undefined) return true
      if (revisionOf(account, externalId) > revision) return false
      raise.run(account, externalId, revision)
      return true
    },
  }
}
