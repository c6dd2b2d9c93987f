import { type Actor, audit } from '../audit.ts'
import type { Tx } from '../db/open-database.ts'
import type { PolicyReason } from '../db/payment-tables.ts'
import type { Sponsorship } from '../lifecycle.ts'
import { callOffPayments } from './call-off-payments.ts'

/** Stores who pays, in the transaction of a caller that has locked the import. Nobody pays twice: acceptance ends the customer's payments. */
export async function setSponsorship(
  tx: Tx,
  importId: string,
  decision: { sponsorship: Sponsorship; by: 'partner' | 'policy'; reason: PolicyReason | null; actor: Actor },
): Promise<void> {
  const { sponsorship, by, reason, actor } = decision
  const sponsored_records = sponsorship === 'accepted' && by === 'policy' ? (reason?.limit ?? null) : null
  await tx
    .updateTable('imports')
    .set({ sponsorship, sponsorship_by: by, sponsorship_reason: reason && JSON.stringify(reason), sponsored_records })
    .where('id', '=', importId)
    .execute()
  await audit(tx, {
    actor,
    act: by === 'policy' ? `sponsorship ${sponsorship} by policy` : `sponsorship ${sponsorship}`,
    subject: importId,
    ...(reason && { details: { ...reason } }),
  })
  if (sponsorship === 'accepted') await callOffPayments(tx, importId, 'partner_pays')
}
