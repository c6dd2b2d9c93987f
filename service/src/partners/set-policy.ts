import { audit } from '../audit.ts'
import type { Db } from '../db/open-database.ts'
import type { Policy } from '../db/payment-tables.ts'
import { OperatorError } from '../errors.ts'

const policies: Policy[] = ['ask', 'customer_pays', 'sponsor_all', 'sponsor_up_to']
const longestUrl = 2_048

export interface PolicyChange {
  policy?: string | undefined
  limit?: string | undefined
  beyond?: string | undefined
  /** The partner's page for customers who want the full migration; "none" removes it. */
  page?: string | undefined
  /** Records that samples of an import may write before anyone pays. */
  sampleRecords?: string | undefined
}

export async function showPolicy(db: Db, partnerId: string) {
  const partner = await db
    .selectFrom('partners')
    .select(['id', 'name', 'policy', 'policy_limit', 'policy_beyond', 'sample_records', 'full_page_url'])
    .where('id', '=', partnerId)
    .executeTakeFirst()
  if (!partner) throw new OperatorError(`There is no partner ${partnerId}. "wherry partner list" shows all.`)
  return partner
}

/** Sets who pays for the full migrations of a partner's customers. Earlier decisions stay until the next count. */
export async function setPolicy(db: Db, partnerId: string, change: PolicyChange) {
  const page = change.page === undefined ? undefined : change.page === 'none' ? null : requirePage(change.page)
  const sampleRecords = change.sampleRecords === undefined ? undefined : readSampleRecords(change.sampleRecords)
  const policy = change.policy === undefined ? undefined : readPolicy(change.policy, change)
  if (!policy && (change.limit !== undefined || change.beyond !== undefined)) {
    throw new OperatorError('--limit and --beyond belong to: wherry partner policy <partner> sponsor_up_to')
  }
  const changes = {
    ...policy,
    ...(page !== undefined && { full_page_url: page }),
    ...(sampleRecords !== undefined && { sample_records: sampleRecords }),
  }
  if (Object.keys(changes).length === 0) {
    throw new OperatorError('Say what to change: the policy, --page or --sample-records.')
  }
  return db.transaction().execute(async (tx) => {
    await tx.updateTable('partners').set(changes).where('id', '=', partnerId).execute()
    const shown = await showPolicy(tx, partnerId)
    const { id: _, name: __, ...details } = shown
    await audit(tx, { actor: 'operator', act: 'policy set', subject: partnerId, details })
    return shown
  })
}

function readPolicy(
  text: string,
  { limit, beyond }: PolicyChange,
): { policy: Policy; policy_limit: number | null; policy_beyond: 'ask' | 'customer_pays' | null } {
  const policy = policies.find((one) => one === text)
  if (!policy) throw new OperatorError(`The policy must be one of ${policies.join(', ')}, not "${text}".`)
  if (policy !== 'sponsor_up_to') {
    if (limit !== undefined || beyond !== undefined) {
      throw new OperatorError(`--limit and --beyond belong to sponsor_up_to, not to ${policy}.`)
    }
    return { policy, policy_limit: null, policy_beyond: null }
  }
  const records = Number(limit)
  if (limit === undefined || !/^\d{1,9}$/.test(limit) || records < 1) {
    throw new OperatorError('sponsor_up_to needs --limit with a whole number of records from 1 to 999999999.')
  }
  if (beyond !== undefined && beyond !== 'ask' && beyond !== 'customer_pays') {
    throw new OperatorError(`--beyond must be ask or customer_pays, not "${beyond}".`)
  }
  return { policy, policy_limit: records, policy_beyond: beyond === 'customer_pays' ? 'customer_pays' : 'ask' }
}

function readSampleRecords(text: string): number {
  const records = Number(text)
  if (!/^\d{1,6}$/.test(text) || records < 1) {
    throw new OperatorError('--sample-records must be a whole number of records from 1 to 999999.')
  }
  return records
}

function requirePage(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || text.length > longestUrl) {
    throw new OperatorError('--page must be an https address without a password, or "none".')
  }
  return url.href
}
