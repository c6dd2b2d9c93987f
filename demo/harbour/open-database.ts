import { DatabaseSync } from 'node:sqlite'
import { USERS } from './users.ts'

const SCHEMA = `
CREATE TABLE users (position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, email TEXT,
  active INTEGER NOT NULL) STRICT;
CREATE TABLE records (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, entity TEXT NOT NULL,
  external_id TEXT NOT NULL, fields TEXT NOT NULL, custom_fields TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, version INTEGER NOT NULL, upload TEXT, UNIQUE (account, external_id)) STRICT;
CREATE INDEX records_entity ON records (account, entity, id);
CREATE TABLE links (record INTEGER NOT NULL REFERENCES records ON DELETE CASCADE, field TEXT NOT NULL,
  target TEXT NOT NULL) STRICT;
CREATE INDEX links_record ON links (record);
CREATE INDEX links_target ON links (target, field);
CREATE TABLE chunks (upload TEXT NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (upload, position)) STRICT, WITHOUT ROWID;
CREATE TABLE effects (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, action TEXT NOT NULL,
  entity TEXT NOT NULL, external_id TEXT NOT NULL, record INTEGER NOT NULL, request_id TEXT NOT NULL,
  at TEXT NOT NULL) STRICT;
CREATE INDEX effects_external_id ON effects (external_id);
`

const VERSION = 1

/** Opens Harbour's file and creates the tables of a new file. */
export function openDatabase(file: string): DatabaseSync {
  const db = new DatabaseSync(file)
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
    const version = numberOf(db, 'PRAGMA user_version')
    if (version !== VERSION) {
      if (version !== 0 || numberOf(db, 'SELECT count(*) FROM sqlite_master') > 0) {
        throw new Error(`${file} is not a data file of this version of Harbour`)
      }
      inTransaction(db, () => {
        db.exec(SCHEMA)
        const insert = db.prepare('INSERT INTO users (id, name, email, active) VALUES (?, ?, ?, ?)')
        for (const { id, name, email, active } of USERS) insert.run(id, name, email, Number(active))
        db.exec(`PRAGMA user_version = ${VERSION}`)
      })
    }
    // Deletes uploads that were interrupted when the program was killed.
    db.exec('DELETE FROM chunks WHERE upload NOT IN (SELECT upload FROM records WHERE upload IS NOT NULL)')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Runs `work` completely or not at all. `work` is synchronous, so no other request can run in between. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

export function numberOf(db: DatabaseSync, sql: string, ...values: (string | number)[]): number {
  return Number(Object.values(db.prepare(sql).get(...values) ?? {})[0] ?? 0)
}
