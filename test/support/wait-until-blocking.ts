import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Tx } from '../../service/src/db/open-database.ts'

/** Waits until this transaction blocks another one. Asks inside it, because the service ends an idle transaction. */
export async function waitUntilBlocking(tx: Tx): Promise<void> {
  const isBlocking = async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(tx)
    return rows.length > 0
  }
  await vi.waitUntil(isBlocking, { timeout: 300_000 })
}
