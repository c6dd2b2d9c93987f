import type { DatabaseSync } from 'node:sqlite'

export type RevisionKeeper = ReturnType<typeof createRevisionKeeper>

/**
 * The highest revision that Harbour has seen of every external id. It outlives the record, so that a request which is
 * executed late neither overwrites newer content nor brings back what was deleted. Callers open the transaction.
 */
export function createRevisionKeeper(db: DatabaseSync) {
  // Not part of the first schema: files of earlier days get it when they are opened.
  db.exec(`CREATE TABLE IF NOT EXISTS revisions (account TEXT NOT NULL, external_id TEXT NOT NULL,
    revision INTEGER NOT NULL, PRIMARY KEY (account, external_id)) STRICT, WITHOUT ROWID`)
  const raise = db.prepare(`INSERT INTO revisions (account, external_id, revision) VALUES (?, ?, ?)
    ON CONFLICT (account, external_id) DO UPDATE SET revision = excluded.revision
    WHERE excluded.revision > revisions.revision`)
  const select = db.prepare('SELECT revision FROM revisions WHERE account = ? AND external_id = ?')
  const revisionOf = (account: string, externalId: string) =>
    Number(select.get(account, externalId)?.revision ?? Number.NEGATIVE_INFINITY)

  return {
    /** Null when the write may go on; otherwise the revision that it is not higher than. */
    findNewer(account: string, externalId: string, revision: number | null | undefined): number | null {
      if (revision === null || revision === undefined) return null
      const isNewest = raise.run(account, externalId, revision).changes === 1
      return isNewest ? null : revisionOf(account, externalId)
    },

    /** Whether a delete may go on. It belongs to the last write, so the same revision is fine. */
    allowsDelete(account: string, externalId: string, revision: number | null | undefined): boolean {
      if (revision === null || revision === undefined) return true
      if (revisionOf(account, externalId) > revision) return false
      raise.run(account, externalId, revision)
      return true
    },
  }
}
