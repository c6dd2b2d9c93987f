import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db/open-database.ts'
import type { OperatorRole } from './db/operator-tables.ts'
import { newId } from './ids.ts'

/** The sessions of an import beyond this number end, the oldest first: more would be a flood, not a team. */
const mostPerImport = 200

export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** A session that goes on, of an import in the same statement: for a WHERE. */
export const isCurrent = sql`portal_sessions.link_version = imports.link_version
  and portal_sessions.expires_at > statement_timestamp()` as RawBuilder<boolean>

/** Opens a session for a browser that came with the import's link; answers the secret for its cookie. */
export async function openPortalSession(
  db: Db,
  imp: { id: string; link_version: number },
  browser: string | null,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('portal_sessions')
      .values({
        id: newId('ses'),
        import_id: imp.id,
        secret_hash: hashSecret(secret),
        link_version: imp.link_version,
        browser,
      })
      .execute()
    await tx
      .deleteFrom('portal_sessions')
      .where('import_id', '=', imp.id)
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('portal_sessions')
          .select('id')
          .where('import_id', '=', imp.id)
          .orderBy('id', 'desc')
          .limit(mostPerImport),
      )
      .execute()
  })
  return secret
}

/** Time that an operator may look at the portal; then a reason has to be given again. */
export const lookMinutes = 15
const rolesThatLook: OperatorRole[] = ['owner', 'support']

/**
 * Opens a session that changes nothing, for an operator who looks; it ends with the operator's own session. Null if
 * that
 * session has ended since the request came, or its role no longer allows looks.
 */
export async function openLook(
  tx: Tx,
  imp: { id: string; link_version: number },
  operatorSessionId: string,
): Promise<{ secret: string; until: Date } | null> {
  const secret = randomBytes(32).toString('base64url')
  // Locked: a new role that is set meanwhile ends this look, too.
  const own = await tx
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .select('operator_sessions.expires_at')
    .where('operator_sessions.id', '=', operatorSessionId)
    .where('operators.role', 'in', rolesThatLook)
    .forShare()
    .executeTakeFirst()
  if (!own) return null
  const { expires_at } = await tx
    .insertInto('portal_sessions')
    .values({
      id: newId('ses'),
      import_id: imp.id,
      secret_hash: hashSecret(secret),
      link_version: imp.link_version,
      browser: null,
      operator_session_id: operatorSessionId,
      expires_at: sql`least(now() + make_interval(mins => ${lookMinutes}), ${own.expires_at}::timestamptz)`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { secret, until: expires_at }
}

/** Ends the session with this secret, if there is one. */
export async function endPortalSession(db: Db, importId: string, secret: string): Promise<void> {
  await db
    .deleteFrom('portal_sessions')
    .where('secret_hash', '=', hashSecret(secret))
    .where('import_id', '=', importId)
    .execute()
}

/** Ends all sessions of an import; answers how many. */
export async function endPortalSessions(tx: Tx, importId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('portal_sessions').where('import_id', '=', importId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Notes that these sessions are in use, at most once a minute each. */
export async function noteSeen(db: Db, sessionIds: string[]): Promise<void> {
  const isLong = sql`last_seen_at < now() - interval '1 minute'` as RawBuilder<boolean>
  await db
    .updateTable('portal_sessions')
    .set((eb) => ({ last_seen_at: eb.fn<Date>('now') }))
    .where('id', 'in', sessionIds)
    .where(isLong)
    .execute()
}

/** The sessions that have not ended. */
export async function keepCurrent(db: Db, sessionIds: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('portal_sessions')
    .innerJoin('imports', 'imports.id', 'portal_sessions.import_id')
    .select('portal_sessions.id')
    .where('portal_sessions.id', 'in', sessionIds)
    .where(isCurrent)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Deletes expired sessions; answers how many. */
export async function forgetOldSessions(db: Db): Promise<number> {
  const isOld = sql`expires_at <= now()` as RawBuilder<boolean>
  const { numDeletedRows } = await db.deleteFrom('portal_sessions').where(isOld).executeTakeFirst()
  return Number(numDeletedRows)
}
