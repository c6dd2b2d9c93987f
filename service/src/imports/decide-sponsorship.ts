import { audit } from '../audit.ts'
import { decimalAmount } from '../currency.ts'
import type { Db, Tx } from '../db/open-database.ts'
import { RequestError, ValidationError } from '../errors.ts'
import type { Sponsorship } from '../lifecycle.ts'
import { cancelOpenPayments } from './call-off-payments.ts'
import { setSponsorship } from './set-sponsorship.ts'
import { chargeSponsorship, findExcess } from './sponsorship-budget.ts'
import { findUnpaidRun, markCovered } from './unpaid-run.ts'

/** Records the partner's answer on paying. It may change until the full migration has started; repeating it is fine. */
export async function decideSponsorship(
  db: Db,
  input: { partnerId: string; importId: string; decision: Exclude<Sponsorship, 'undecided'> },
): Promise<void> {
  const { partnerId, importId, decision } = input
  await db.transaction().execute(async (tx) => {
    // Locked: the full migration cannot start, nor the opposite answer be recorded, between this check and the update.
    const imp = await tx
      .selectFrom('imports')
      .select(['sponsorship', 'sponsorship_by', 'full_started_at', 'moved_records'])
      .where('id', '=', importId)
      .where('partner_id', '=', partnerId)
      .where('ended_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!imp) throw new RequestError('not_found', 'There is no such import.')
    if (imp.full_started_at !== null && decision === 'accepted' && (await findUnpaidRun(tx, importId))) {
      return sponsorRest(tx, { partnerId, importId, moved: imp.moved_records })
    }
    const isSame = imp.sponsorship === decision
    if (isSame && (imp.sponsorship_by === 'partner' || imp.full_started_at !== null)) return
    if (imp.full_started_at !== null) {
      throw new ValidationError({
        payment: [
          `can no longer be ${decision}: the full migration has started, and sponsorship was ${imp.sponsorship}`,
        ],
      })
    }
    if (decision === 'accepted') await requireBudget(tx, importId)
    await setSponsorship(tx, importId, {
      sponsorship: decision,
      by: 'partner',
      reason: null,
      actor: `partner ${partnerId}`,
    })
  })
}

/** Refuses an acceptance that the partner's budget has no room for. */
async function requireBudget(tx: Tx, importId: string, least = 0): Promise<void> {
  const excess = await findExcess(tx, importId, { least, upTo: null })
  if (!excess) return
  const { budget, spent, amount, currency, month } = excess
  const [most, used, price] = [budget ?? 0, spent, amount].map((one) => `${decimalAmount(one, currency)} ${currency}`)
  throw new ValidationError({
    payment: [
      `cannot be accepted: your budget for ${month.slice(0, 7)} (UTC) is ${most}, ${used} is spent, and this migration costs ${price}. Ask the operator to raise it, or accept next month.`,
    ],
  })
}

/** A run waits because the source has more records than are paid for: the partner pays for the rest. Payments stay. */
async function sponsorRest(
  tx: Tx,
  { partnerId, importId, moved }: { partnerId: string; importId: string; moved: number },
): Promise<void> {
  await requireBudget(tx, importId, moved + 1)
  await tx
    .updateTable('imports')
    .set({ sponsorship: 'accepted', sponsorship_by: 'partner', sponsorship_reason: null, sponsored_records: null })
    .where('id', '=', importId)
    .execute()
  await chargeSponsorship(tx, importId, { least: moved + 1 })
  await cancelOpenPayments(tx, importId, 'partner_pays')
  await audit(tx, { actor: `partner ${partnerId}`, act: 'sponsorship accepted for the rest', subject: importId })
  await markCovered(tx, importId)
}
