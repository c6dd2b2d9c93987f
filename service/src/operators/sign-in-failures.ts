import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import { RequestError } from '../errors.ts'
import { networkOf } from '../limit-failures.ts'
import { tell } from '../signals/signals.ts'

/**
 * From failure number `free` on, each failure doubles the wait before the next attempt, up to `longest` seconds. An
 * attacker who knows only a name can block its owner in other networks for at most `name.longest` seconds at a time.
 * The command line is never blocked.
 */
const limits = {
  nameAndNetwork: { free: 5, longest: 900 },
  network: { free: 20, longest: 900 },
  name: { free: 50, longest: 30 },
} as const

interface Key {
  key: Buffer
  free: number
  longest: number
}

/**
 * The counters of an attempt. `name` is null for a set-up: its code cannot be guessed, so failures in one network must
 * not block others.
 */
function keysOf(name: string | null, address: string): Key[] {
  const hash = (...texts: string[]) => createHash('sha256').update(JSON.stringify(texts)).digest()
  const network = networkOf(address)
  const own = name === null ? hash('set-up', network) : hash('name and network', name.toLowerCase(), network)
  return [
    { key: own, ...limits.nameAndNetwork },
    { key: hash('network', network), ...limits.network },
    ...(name === null ? [] : [{ key: hash('name', name.toLowerCase()), ...limits.name }]),
  ]
}

/**
 * Counts an attempt as failed before it is checked, so that parallel attempts are all counted. Throws while the name or
 * the network is blocked.
 */
export async function takeAttempt(db: Db, name: string | null, address: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // All attempts lock the rows in the same order, so that no deadlock occurs.
    const keys = keysOf(name, address).sort((a, b) => Buffer.compare(a.key, b.key))
    for (const one of keys) await count(tx, one)
  })
  await db.deleteFrom('sign_in_failures').where('last_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}

async function count(tx: Tx, { key, free, longest }: Key): Promise<void> {
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_failures as f (key, failures) values (${key}, 1)
    on conflict (key) do update set failures = f.failures + 1, last_at = now(),
      blocked_until = case when f.failures + 1 >= ${free}::int
        then now() + make_interval(secs => least(power(2, least(f.failures + 1 - ${free}::int, 20)), ${longest}::int))
        end
    where f.blocked_until is null or f.blocked_until <= now()
    returning failures`.execute(tx)
  if (rows.length > 0) return
  const { blocked_until } = await tx
    .selectFrom('sign_in_failures')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  tell('limited', { limit: 'console_sign_in' })
  const seconds = Math.max(1, Math.ceil(((blocked_until?.getTime() ?? 0) - Date.now()) / 1000))
  throw new RequestError('rate_limited', `Too many attempts failed. Please try again in ${seconds} seconds.`, {
    'Retry-After': String(seconds),
  })
}

/** Removes the count of a successful attempt, and all earlier failures of this name in this network. */
export async function forgiveAttempt(db: Db | Tx, name: string | null, address: string): Promise<void> {
  const [own, ...others] = keysOf(name, address)
  await db
    .deleteFrom('sign_in_failures')
    .where('key', '=', own?.key as Buffer)
    .execute()
  await db
    .updateTable('sign_in_failures')
    .set({ failures: sql`greatest(failures - 1, 0)`, blocked_until: null })
    .where(
      'key',
      'in',
      others.map(({ key }) => key),
    )
    .execute()
}
