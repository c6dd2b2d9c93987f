import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx } from './db/open-database.ts'

/** The actor: the operator at the command line, a partner by its id, a customer by the import, or none of them. */
export type Actor = 'operator' | 'service' | `partner ${string}` | `customer ${string}`

/** The person behind a request of the portal, by the id of the given name; set for the whole request. */
export const actingVisitor = new AsyncLocalStorage<string>()

/** The operator behind a request of the console, by id. The command line does not know the person. */
export const actingOperator = new AsyncLocalStorage<string>()

/** Writes one line of the append-only audit log, in the transaction of the act itself. No secrets in `details`. */
export async function audit(
  tx: Tx | Db,
  entry: { actor: Actor; act: string; subject: string; details?: Record<string, unknown> },
): Promise<void> {
  const visitor = entry.actor.startsWith('customer ') ? actingVisitor.getStore() : undefined
  const operator = entry.actor === 'operator' ? actingOperator.getStore() : undefined
  const details = {
    ...entry.details,
    ...(visitor !== undefined && { visitor }),
    ...(operator !== undefined && { operator }),
  }
  await tx
    .insertInto('audit_log')
    .values({ ...entry, details: JSON.stringify(details) })
    .execute()
}
