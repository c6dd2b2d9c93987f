import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { OperatorError } from '../errors.ts'
import { wakeTarget } from './wake-target.ts'

/** The messages to send again: one, all of an import, or all that a partner's target did not get. */
export type Replay = { id: string } | { importId: string } | { partnerId: string }

/**
 * Sends messages again, delivered or not. They keep their ids; time and signature are new. Events that are older than
 * the partner's target get their first delivery.
 */
export async function replayDeliveries(db: Db, replay: Replay) {
  return db.transaction().execute(async (tx) => {
    const partnerId = await findPartner(tx, replay)
    await requireWorkingTarget(tx, partnerId)
    const chosen =
      'partnerId' in replay
        ? sql`d.partner_id = ${partnerId} and d.state = 'given_up' and d.event_id is not null`
        : 'importId' in replay
          ? sql`d.event_id in (select id from events where import_id = ${replay.importId})`
          : sql`d.id = ${replay.id}`
    const { rows } = await sql<{ id: string }>`
      update deliveries d set
        state = 'waiting', due_at = now(), failures = 0, first_tried_at = null, settled_at = null,
        given_up_because = null, waiting_since = now(), is_claimed = false
      where ${chosen} and not (state = 'waiting' and is_claimed and due_at > now())
      returning id`.execute(tx)
    const added = 'partnerId' in replay ? [] : await addMissing(tx, replay)
    const ids = [...rows, ...added].map((row) => row.id)
    if (ids.length === 0 && !('partnerId' in replay)) {
      throw new OperatorError('It is being sent at this moment. "wherry webhook log" tells how that ends.')
    }
    await wakeTarget(tx, partnerId)
    await audit(tx, {
      actor: 'operator',
      act: 'webhook messages replayed',
      subject: partnerId,
      details: { ...replay, messages: ids.length },
    })
    return { partner_id: partnerId, replayed: ids.length }
  })
}

async function addMissing(tx: Tx, replay: { id: string } | { importId: string }): Promise<{ id: string }[]> {
  const which = 'id' in replay ? sql`e.id = ${replay.id}` : sql`e.import_id = ${replay.importId}`
  const { rows } = await sql<{ id: string }>`
    insert into deliveries (id, event_id, partner_id, state)
    select e.id, e.id, e.partner_id, 'waiting' from events e
    where ${which} and not exists (select from deliveries d where d.id = e.id)
    returning id`.execute(tx)
  return rows
}

async function findPartner(tx: Tx, replay: Replay): Promise<string> {
  if ('partnerId' in replay) return replay.partnerId
  const query =
    'importId' in replay
      ? tx.selectFrom('imports').select('partner_id').where('id', '=', replay.importId)
      : tx
          .selectFrom('deliveries')
          .select('partner_id')
          .where('id', '=', replay.id)
          .union(tx.selectFrom('events').select('partner_id').where('id', '=', replay.id))
  const found = await query.executeTakeFirst()
  if (found) return found.partner_id
  throw new OperatorError(
    'importId' in replay
      ? `There is no import ${replay.importId}. "wherry import list" shows the newest.`
      : `There is no message ${replay.id}. "wherry webhook log" lists them.`,
  )
}

async function requireWorkingTarget(tx: Tx, partnerId: string): Promise<void> {
  const target = await tx
    .selectFrom('webhook_targets')
    .select('disabled_at')
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  if (!target) throw new OperatorError(`Partner ${partnerId} has no webhook target. Set one: wherry webhook set`)
  if (target.disabled_at) {
    throw new OperatorError(
      `The target of partner ${partnerId} is disabled, because it answered 410. Set it again: wherry webhook set`,
    )
  }
}
