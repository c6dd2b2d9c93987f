import { sql } from 'kysely'
import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { recordEvent } from '../webhooks/record-event.ts'
import { applyPolicyAgain } from './apply-policy.ts'
import { findUnpaidRun, markPartnerAsked } from './unpaid-run.ts'

/**
 * The customer asks the partner to pay for the full migration, or for the records beyond the paid ones. The partner
 * gets one message with the present status, however often the customer asks. Answers the time of the first request.
 */
export async function askSponsorship(db: Db, importId: string): Promise<Date> {
  return db.transaction().execute(async (tx) => {
    // Locked: neither the partner's answer nor another request can come between this check and the update.
    const imp = await tx
      .selectFrom('imports')
      .select(['sponsorship', 'full_started_at', 'sponsorship_requested_at'])
      .where('id', '=', importId)
      .where('ended_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    const short = await findUnpaidRun(tx, importId)
    if (short && (await applyPolicyAgain(tx, importId))) return new Date()
    if (!short && imp.sponsorship !== 'undecided') {
      throw new ValidationError({ sponsorship: [`has been decided already: it was ${imp.sponsorship}`] })
    }
    if (!short && imp.full_started_at !== null) {
      throw new ValidationError({ sponsorship: ['can no longer be asked for: the full migration has started'] })
    }
    const isAsked = short === null || short.isPartnerAsked
    if (isAsked && imp.sponsorship_requested_at !== null) return imp.sponsorship_requested_at
    if (short) await markPartnerAsked(tx, short.id)
    const { sponsorship_requested_at: requestedAt, ...changed } = await tx
      .updateTable('imports')
      .set({ sponsorship_requested_at: sql<Date>`now()`, sequence: sql<number>`sequence + 1` })
      .where('id', '=', importId)
      .returning([
        'id',
        'partner_id',
        'sequence',
        'status',
        'items',
        'users',
        sql<Date>`now()`.as('sponsorship_requested_at'),
      ])
      .executeTakeFirstOrThrow()
    await recordEvent(tx, changed, 'sponsorship')
    await audit(tx, { actor: `customer ${importId}`, act: 'sponsorship asked for', subject: importId })
    return requestedAt
  })
}
