import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open-database.ts'
import type { PolicyReason } from '../db/payment-tables.ts'
import type { Database } from '../db/schema.ts'
import type { Sponsorship } from '../lifecycle.ts'
import { countRecords } from './count-records.ts'
import { setSponsorship } from './set-sponsorship.ts'
import { chargeSponsorship, findExcess } from './sponsorship-budget.ts'
import { markCovered } from './unpaid-run.ts'

type PolicyColumns = Pick<Selectable<Database['partners']>, 'policy' | 'policy_limit' | 'policy_beyond'>

/**
 * Decides by the partner's policy, from the plan's present counts. It never overrides the partner's own answer, a paid
 * purchase, or a full migration that has started.
 */
export async function applyPolicy(tx: Tx, importId: string): Promise<void> {
  const imp = await tx
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select(['sponsorship', 'sponsorship_by', 'sponsorship_reason', 'policy', 'policy_limit', 'policy_beyond'])
    .where('imports.id', '=', importId)
    .where('ended_at', 'is', null)
    .where('full_started_at', 'is', null)
    .where('paid_at', 'is', null)
    // The policy of a disabled partner pays for nothing.
    .where('partners.disabled_at', 'is', null)
    .forNoKeyUpdate('imports')
    .executeTakeFirst()
  if (!imp || imp.sponsorship_by === 'partner') return
  // The policy asks the partner, and no earlier decision has to be withdrawn.
  if (imp.policy === 'ask' && imp.sponsorship_by === null) return
  const judged = decideByPolicy(imp, (await countRecords(tx, importId))?.records ?? null)
  if (!judged) return
  const isBeyond =
    judged.sponsorship === 'accepted' &&
    (await findExcess(tx, importId, { upTo: judged.reason.limit, locks: false })) !== null
  const decision = isBeyond ? beyondBudget(judged.reason) : judged
  const { policy, records, limit, budget_spent } = imp.sponsorship_reason ?? {}
  const isSame =
    policy === decision.reason.policy &&
    records === decision.reason.records &&
    limit === decision.reason.limit &&
    budget_spent === decision.reason.budget_spent
  if (isSame && imp.sponsorship === decision.sponsorship) return
  await setSponsorship(tx, importId, { ...decision, by: 'policy', actor: 'service' })
}

/** Beyond the budget the partner does not pay, under any policy: the customer can buy. */
const beyondBudget = (reason: PolicyReason): { sponsorship: Sponsorship; reason: PolicyReason } => ({
  sponsorship: 'rejected',
  reason: { ...reason, budget_spent: true },
})

/**
 * Withdraws the partner's own acceptance of an import that its budget has no room for, at the moment of the start. The
 * customer can buy then; the partner can accept again. Answers whether it was withdrawn.
 */
export async function withdrawBeyondBudget(tx: Tx, importId: string): Promise<boolean> {
  const imp = await tx
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select('policy')
    .where('imports.id', '=', importId)
    .where('ended_at', 'is', null)
    .where('full_started_at', 'is', null)
    .where('paid_at', 'is', null)
    .where('sponsorship', '=', 'accepted')
    .where('sponsorship_by', '=', 'partner')
    .forNoKeyUpdate('imports')
    .executeTakeFirst()
  if (!imp || !(await findExcess(tx, importId, { upTo: null }))) return false
  const records = (await countRecords(tx, importId))?.records ?? null
  const decision = beyondBudget({ policy: imp.policy, records, limit: null })
  await setSponsorship(tx, importId, { ...decision, by: 'partner', actor: 'service' })
  return true
}

/** Decides again after a refused start, whose transaction was rolled back. The customer must see who pays now. */
export async function decideAgain(db: Db, importId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await applyPolicy(tx, importId)
    await withdrawBeyondBudget(tx, importId)
  })
}

/**
 * The source has more records than the policy paid for, so the policy decides again, in its present form. Answers
 * whether it pays for them. The caller has locked the import.
 */
export async function applyPolicyAgain(tx: Tx, importId: string): Promise<boolean> {
  const imp = await tx
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select(['policy', 'policy_limit', 'policy_beyond', 'moved_records'])
    .where('imports.id', '=', importId)
    .where('sponsorship', '=', 'accepted')
    .where('sponsorship_by', '=', 'policy')
    .where('partners.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!imp) return false
  const counted = (await countRecords(tx, importId))?.records ?? 0
  const needed = Math.max(counted, imp.moved_records + 1)
  const decision = decideByPolicy(imp, needed)
  if (decision?.sponsorship !== 'accepted') return false
  if (await findExcess(tx, importId, { least: needed, upTo: decision.reason.limit })) return false
  await setSponsorship(tx, importId, { ...decision, by: 'policy', actor: 'service' })
  await chargeSponsorship(tx, importId, { least: needed })
  await markCovered(tx, importId)
  return true
}

function decideByPolicy(
  { policy, policy_limit: limit, policy_beyond: beyond }: PolicyColumns,
  records: number | null,
): { sponsorship: Sponsorship; reason: PolicyReason } | null {
  const reason: PolicyReason = { policy, records, limit }
  if (policy === 'sponsor_all') return { sponsorship: 'accepted', reason }
  if (policy === 'customer_pays') return { sponsorship: 'rejected', reason }
  if (policy === 'ask' || limit === null) return { sponsorship: 'undecided', reason }
  if (records === null) return null
  if (records <= limit) return { sponsorship: 'accepted', reason }
  return { sponsorship: beyond === 'customer_pays' ? 'rejected' : 'undecided', reason }
}
