import type { DatabaseSync } from 'node:sqlite'
import type { Adapter, AdapterPayload } from 'oidc-provider'

const TABLE = `
CREATE TABLE IF NOT EXISTS grants (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_id TEXT,
  uid TEXT,
  expires_at INTEGER,
  PRIMARY KEY (model, id)
) STRICT;
CREATE INDEX IF NOT EXISTS grants_by_grant ON grants (grant_id);
`

const now = () => Math.floor(Date.now() / 1000)

/** Stores the access that people have given, and its tokens, in the desk's file, so that they survive a restart. */
export function keepGrants(db: DatabaseSync) {
  db.exec(TABLE)
  const statements = {
    put: db.prepare(`INSERT INTO grants (model, id, payload, grant_id, uid, expires_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
        expires_at = excluded.expires_at`),
    get: db.prepare('SELECT payload FROM grants WHERE model = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)'),
    byUid: db.prepare('SELECT id FROM grants WHERE model = ? AND uid = ?'),
    drop: db.prepare('DELETE FROM grants WHERE model = ? AND id = ?'),
    dropGrant: db.prepare('DELETE FROM grants WHERE grant_id = ?'),
    dropOld: db.prepare('DELETE FROM grants WHERE expires_at < ?'),
    dropAll: db.prepare('DELETE FROM grants'),
  }
  const adapter = (model: string): Adapter => {
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const row = statements.get.get(model, id, now())
      return row === undefined ? undefined : JSON.parse(String(row.payload))
    }
    return {
      find,
      async upsert(id, payload, expiresIn) {
        statements.dropOld.run(now())
        const expiresAt = expiresIn === undefined ? null : now() + expiresIn
        const { grantId = null, uid = null } = payload
        statements.put.run(model, id, JSON.stringify(payload), grantId, uid, expiresAt)
      },
      async findByUid(uid) {
        const row = statements.byUid.get(model, uid)
        return row === undefined ? undefined : find(String(row.id))
      },
      // The desk does not support codes for devices without a browser.
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = await find(id)
        if (!payload) return
        db.prepare('UPDATE grants SET payload = ? WHERE model = ? AND id = ?').run(
          JSON.stringify({ ...payload, consumed: now() }),
          model,
          id,
        )
      },
      async destroy(id) {
        statements.drop.run(model, id)
      },
      async revokeByGrantId(grantId) {
        statements.dropGrant.run(grantId)
      },
    }
  }
  return { adapter, dropAll: () => void statements.dropAll.run() }
}
