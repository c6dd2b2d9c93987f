import type { DatabaseSync } from 'node:sqlite'

export type RevisionKeeper = ReturnType<typeof createRevisionKeeper>

/**
 * Stores the highest revision of every external id. It is kept after the record is deleted, so that a late request
 * neither overwrites newer content nor restores a deleted record. Callers open the transaction.
 */
export function createRevisionKeeper(db: DatabaseSync) {
  // The first schema had no such table, so older files get it when they are opened.
  db.exec(`CREATE TABLE IF NOT EXISTS revisions (account TEXT NOT NULL, external_id TEXT NOT NULL,
    revision INTEGER NOT NULL, PRIMARY KEY (account, external_id)) STRICT, WITHOUT ROWID`)
  const raise = db.prepare(`INSERT INTO revisions (account, external_id, revision) VALUES (?, ?, ?)
    ON CONFLICT (account, external_id) DO UPDATE SET revision = excluded.revision
    WHERE excluded.revision > revisions.revision`)
  const select = db.prepare('SELECT revision FROM revisions WHERE account = ? AND external_id = ?')
  const revisionOf = (account: string, externalId: string) =>
    Number(select.get(account, externalId)?.revision ?? Number.NEGATIVE_INFINITY)

  return {
    /** Returns null if the write may continue. Otherwise returns the stored revision, which is equal or higher. */
    findNewer(account: string, externalId: string, revision: number | null | undefined): number | null {
      if (revision === null || revision === undefined) return null
      const isNewest = raise.run(account, externalId, revision).changes === 1
      return isNewest ? null : revisionOf(account, externalId)
    },

    /**
     * Returns true if a delete may continue. A delete carries the revision of the last write, so an equal revision is
     * allowed.
     */
    allowsDelete(account: string, externalId: string, revision: number | null | undefined): boolean {
      if (revision === null || revision === undefined) return true
      if (revisionOf(account, externalId) > revision) return false
      raise.run(account, externalId, revision)
      return true
    },
  }
}
