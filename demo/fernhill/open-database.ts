import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Rows } from './rows.ts'

const STAMPS = 'id INTEGER PRIMARY KEY, created_at TEXT NOT NULL, updated_at TEXT NOT NULL'

const SCHEMA = `
CREATE TABLE organizations (${STAMPS}, name TEXT NOT NULL, domains TEXT NOT NULL, phone TEXT, address TEXT,
  notes TEXT NOT NULL) STRICT;
CREATE TABLE contacts (${STAMPS}, name TEXT NOT NULL, emails TEXT NOT NULL, phones TEXT NOT NULL,
  organization_id INTEGER REFERENCES organizations, language TEXT NOT NULL, notes TEXT NOT NULL) STRICT;
CREATE TABLE groups (${STAMPS}, name TEXT NOT NULL, description TEXT NOT NULL) STRICT;
CREATE TABLE agents (${STAMPS}, name TEXT NOT NULL, email TEXT, role TEXT NOT NULL, group_ids TEXT NOT NULL,
  signature TEXT NOT NULL, deleted_at TEXT) STRICT;
CREATE TABLE tickets (${STAMPS}, number INTEGER NOT NULL UNIQUE, subject TEXT NOT NULL, description TEXT NOT NULL,
  status TEXT NOT NULL, priority TEXT NOT NULL, type TEXT NOT NULL, channel TEXT NOT NULL,
  requester_id INTEGER NOT NULL REFERENCES contacts, assignee_id INTEGER REFERENCES agents,
  group_id INTEGER REFERENCES groups, organization_id INTEGER REFERENCES organizations,
  cc TEXT NOT NULL, tags TEXT NOT NULL, custom_fields TEXT NOT NULL, due_at TEXT) STRICT;
CREATE TABLE comments (${STAMPS}, ticket_id INTEGER NOT NULL REFERENCES tickets, author_type TEXT NOT NULL,
  author_id INTEGER NOT NULL, public INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE attachments (${STAMPS}, comment_id INTEGER NOT NULL REFERENCES comments,
  ticket_id INTEGER NOT NULL REFERENCES tickets, file_name TEXT NOT NULL, content_type TEXT NOT NULL,
  size INTEGER NOT NULL, sha256 TEXT NOT NULL, inline INTEGER NOT NULL, content BLOB) STRICT;
CREATE TABLE categories (${STAMPS}, name TEXT NOT NULL, description TEXT NOT NULL, position INTEGER NOT NULL) STRICT;
CREATE TABLE articles (${STAMPS}, category_id INTEGER NOT NULL REFERENCES categories,
  author_id INTEGER NOT NULL REFERENCES agents, title TEXT NOT NULL, format TEXT NOT NULL, body TEXT NOT NULL,
  status TEXT NOT NULL, locale TEXT NOT NULL, labels TEXT NOT NULL, position INTEGER NOT NULL) STRICT;
CREATE TABLE ticket_fields (${STAMPS}, key TEXT NOT NULL UNIQUE, label TEXT NOT NULL, type TEXT NOT NULL,
  required INTEGER NOT NULL, options TEXT NOT NULL, position INTEGER NOT NULL) STRICT;
`

// The indexes are created after the seed, which is much faster for large seeds.
const INDEXES = `
CREATE INDEX contacts_organization ON contacts (organization_id);
CREATE INDEX contacts_updated ON contacts (updated_at);
CREATE INDEX tickets_updated ON tickets (updated_at);
CREATE INDEX tickets_status ON tickets (status);
CREATE INDEX tickets_requester ON tickets (requester_id);
CREATE INDEX tickets_organization ON tickets (organization_id);
CREATE INDEX comments_ticket ON comments (ticket_id);
CREATE INDEX comments_updated ON comments (updated_at);
CREATE INDEX attachments_comment ON attachments (comment_id);
`

const VERSION = 1

/**
 * Opens the desk's file, and fills it when it is empty. Schema and seed are one transaction: an interrupted seed
 * leaves an empty file, which the next start fills.
 */
export function openDatabase(file: string, seed: (db: DatabaseSync) => void): DatabaseSync {
  const db = new DatabaseSync(file)
  try {
    const version = numberOf(db, 'PRAGMA user_version')
    if (version === VERSION) {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      return db
    }
    if (version !== 0 || numberOf(db, 'SELECT count(*) FROM sqlite_master') > 0) {
      throw new Error(`${file} is not a data file of this version of Fernhill Desk`)
    }
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536')
    inTransaction(db, () => {
      db.exec(SCHEMA)
      seed(db)
      db.exec(`${INDEXES} PRAGMA user_version = ${VERSION}`)
    })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

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

/**
 * Prepares an insert with the columns of its first row. A row without an id gets the next free one. Returns the id.
 */
export function insertInto<E extends keyof Rows>(db: DatabaseSync, table: E) {
  let statement: StatementSync | undefined
  return (row: Omit<Rows[E], 'id'> & { id?: number }): number => {
    if (!statement) {
      const names = Object.keys(row)
      const values = names.map((name) => `:${name}`)
      statement = db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`)
    }
    return Number(statement.run({ ...row }).lastInsertRowid)
  }
}

function numberOf(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0)
}
