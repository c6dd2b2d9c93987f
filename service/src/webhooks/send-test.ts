import { sql } from 'kysely'
import { audit } from '../audit.ts'
import { OperatorError } from '../errors.ts'
import { newId } from '../ids.ts'
import { claimSeconds } from './claim-deliveries.ts'
import { databaseClock } from './clock.ts'
import { attemptDelivery, type DeliveryParts } from './deliver-webhooks.ts'
import { loadSecrets } from './signing-secrets.ts'
import { wakeTarget } from './wake-target.ts'

/** Sends a test message from this process and answers the outcome. The log has it, and it is not repeated. */
export async function sendTest(parts: DeliveryParts, partnerId: string) {
  const { db, clock = databaseClock } = parts
  const target = await db
    .selectFrom('webhook_targets')
    .select(['url', clock().as('now')])
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  if (!target) throw new OperatorError(`Partner ${partnerId} has no webhook target. Set one: wherry webhook set`)
  const { url, now } = target
  const secrets = (await loadSecrets(db, clock, [partnerId])).get(partnerId) ?? []
  const id = newId('evt')
  const claimEnd = sql<Date>`${now}::timestamptz + make_interval(secs => ${claimSeconds})`
  // Claimed from the start, so that no worker takes it unless this process is lost before the outcome is recorded.
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('deliveries')
      .values({
        id,
        event_id: null,
        partner_id: partnerId,
        state: 'waiting',
        is_claimed: true,
        attempts: 1,
        due_at: claimEnd,
        first_tried_at: now,
      })
      .execute()
    await tx.insertInto('attempts').values({ delivery_id: id, number: 1, url, started_at: now }).execute()
    await wakeTarget(tx, partnerId, claimEnd)
    const details = { delivery: id }
    await audit(tx, { actor: 'operator', act: 'webhook test sent', subject: partnerId, details })
  })
  const { result } = await attemptDelivery(
    parts,
    {
      id,
      partnerId,
      url,
      attempt: 1,
      failures: 0,
      waitedSeconds: 0,
      firstTriedAt: now,
      triedAt: now,
      traceParent: null,
      content: null,
      secrets,
      isLast: false,
    },
    new AbortController().signal,
  )
  const isAnswer = result.kind === 'answer'
  return {
    id,
    url,
    arrived: isAnswer && result.status >= 200 && result.status <= 299,
    status: isAnswer ? result.status : null,
    error: result.kind === 'no answer' ? result.error : null,
    response: isAnswer ? result.response : null,
  }
}
