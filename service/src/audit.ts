import type { Db, Tx } from './db/open-database.ts'

/** Who acted: the operator at the command line, a partner by its id, a customer by the import, or nobody of them. */
export type Actor = 'operator' | 'service' | `partner ${string}` | `customer ${string}`

/** Writes one line of the append-only audit log, in the transaction of the act itself. No secrets in `details`. */
export async function audit(
  tx: Tx | Db,
  entry: { actor: Actor; act: string; subject: string; details?: Record<string, unknown> },
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({ ...entry, details: JSON.stringify(entry.details ?? {}) })
    .execute()
}
