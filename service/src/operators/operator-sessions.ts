import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import type { OperatorRole } from '../db/operator-tables.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import { hashOf } from './manage-operators.ts'

/** A session ends after 12 hours, or after one hour without use. */
export const sessionHours = 12
const idleMinutes = 60
const longestAgent = 200

export interface SignedInOperator {
  sessionId: string
  id: string
  name: string
  role: OperatorRole
}

export interface Visit {
  address: string
  agent: string
}

/** Opens a session with a new secret. Only the cookie contains the secret. */
export async function openSession(tx: Tx, operatorId: string, { address, agent }: Visit): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await tx.deleteFrom('operator_sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await tx
    .insertInto('operator_sessions')
    .values({
      id: newId('ops'),
      operator_id: operatorId,
      secret_hash: hashOf(secret),
      expires_at: sql<Date>`now() + make_interval(hours => ${sessionHours})`,
      address,
      agent: agent.slice(0, longestAgent),
    })
    .execute()
  return secret
}

/**
 * Finds the operator of a session by its secret. Null if the session has ended or the account is disabled. With
 * `isAway`, the request comes from a screen that nobody uses, so it does not extend the session.
 */
export async function findSession(db: Db, secret: string, { isAway = false } = {}): Promise<SignedInOperator | null> {
  const row = await db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select(['s.id as sessionId', 'o.id', 'o.name', 'o.role'])
    .select(sql<boolean>`s.last_seen_at < now() - interval '1 minute'`.as('isStale'))
    .where('s.secret_hash', '=', hashOf(secret))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where('s.last_seen_at', '>', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
    .where('o.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { isStale, ...operator } = row
  // Updated at most once a minute, to avoid a database write per request.
  if (isStale && !isAway) {
    await db
      .updateTable('operator_sessions')
      .set({ last_seen_at: sql`now()` })
      .where('id', '=', row.sessionId)
      .execute()
  }
  return operator
}

/** Open sessions, newest first. */
export async function listSessions(db: Db, operatorId?: string) {
  return db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select([
      's.id',
      's.operator_id',
      'o.name',
      's.created_at',
      's.last_seen_at',
      's.expires_at',
      's.address',
      's.agent',
    ])
    .$if(operatorId !== undefined, (query) => query.where('s.operator_id', '=', String(operatorId)))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where('s.last_seen_at', '>', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
    .orderBy('s.id', 'desc')
    .limit(200)
    .execute()
}

/** Ends a session. With `operatorId`, only if the session belongs to that operator. */
export async function endSession(db: Db, sessionId: string, operatorId?: string): Promise<{ ended: string }> {
  return db.transaction().execute(async (tx) => {
    const ended = await tx
      .deleteFrom('operator_sessions')
      .where('id', '=', sessionId)
      .$if(operatorId !== undefined, (query) => query.where('operator_id', '=', String(operatorId)))
      .returning('operator_id')
      .executeTakeFirst()
    if (!ended) throw new OperatorError(`There is no open session ${sessionId}.`)
    await tx.deleteFrom('operator_sessions').where('expires_at', '<', sql<Date>`now()`).execute()
    await audit(tx, {
      actor: 'operator',
      act: 'console session ended',
      subject: ended.operator_id,
      details: { session: sessionId },
    })
    return { ended: sessionId }
  })
}
