import type { DatabaseSync } from 'node:sqlite'

export interface Message {
  import: string
  status: string
  sequence: number
}

/** A message on the page. `import` is null if the message was not signed with the secret. */
export interface ReceivedMessage {
  import: string | null
  status: string | null
  sequence: number | null
  /** How often the message arrived. Wherry sends it again if our answer was lost. */
  times: number
  received_at: string
}

const MAX_KEPT = 500

export type MessageBox = ReturnType<typeof createMessageBox>

/** Stores the messages from Wherry. A repeated message is counted and not listed twice. */
export function createMessageBox(db: DatabaseSync, now: () => Date) {
  db.exec(`CREATE TABLE IF NOT EXISTS messages (position INTEGER PRIMARY KEY AUTOINCREMENT, import TEXT, status TEXT,
    sequence INTEGER, times INTEGER NOT NULL DEFAULT 1, received_at TEXT NOT NULL, UNIQUE (import, sequence)) STRICT`)
  const insert = db.prepare(
    `INSERT INTO messages (import, status, sequence, received_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (import, sequence) DO UPDATE SET times = times + 1`,
  )
  const forget = db.prepare('DELETE FROM messages WHERE position <= (SELECT max(position) FROM messages) - ?')
  const keep = (...values: [string | null, string | null, number | null]) => {
    insert.run(...values, now().toISOString())
    forget.run(MAX_KEPT)
  }
  return {
    keep: (message: Message) => keep(message.import, message.status, message.sequence),
    /** The content of a refused message is not stored. */
    keepRefused: () => keep(null, null, null),
    newest: (limit: number) =>
      db
        .prepare('SELECT import, status, sequence, times, received_at FROM messages ORDER BY position DESC LIMIT ?')
        .all(limit) as unknown as ReceivedMessage[],
  }
}
