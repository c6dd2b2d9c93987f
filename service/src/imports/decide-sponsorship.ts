import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { Sponsorship } from './lifecycle.ts'

/** Records the partner's word on paying. It may change until the full migration has started; the same word twice is fine. */
export async function decideSponsorship(
  db: Db,
  input: { partnerId: string; importId: string; decision: Exclude<Sponsorship, 'undecided'> },
): Promise<void> {
  const { partnerId, importId, decision } = input
  await db.transaction().execute(async (tx) => {
    // Locked: the full migration cannot start, nor the other decision be taken, between this look and the update.
    const imp = await tx
      .selectFrom('imports')
      .select(['sponsorship', 'full_started_at'])
      .where('id', '=', importId)
      .where('partner_id', '=', partnerId)
      .where('ended_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    if (imp.sponsorship === decision) return
    if (imp.full_started_at !== null) {
      throw new ValidationError({
        payment: [
          `can no longer be ${decision}: the full migration has started, and sponsorship was ${imp.sponsorship}`,
        ],
      })
    }
    await tx.updateTable('imports').set({ sponsorship: decision }).where('id', '=', importId).execute()
    await audit(tx, { actor: `partner ${partnerId}`, act: `sponsorship ${decision}`, subject: importId })
  })
}
