import type { Db, Tx } from '../db/open-database.ts'
import { ValidationError } from '../errors.ts'
import { countRecords } from './count-records.ts'
import { findPaidLimit } from './require-payment.ts'

/** The number of priced records that may be moved, and who pays for them. */
export interface Coverage {
  /** Records that were sent at least once, with any outcome: a refusal does not prove that nothing was stored. */
  moved: number
  /** The most that may be moved in all; null for any number. */
  upTo: number | null
  /** Nobody pays yet: only samples write. */
  isFree: boolean
  /** The part of them that the partner's policy pays for. */
  sponsored: number
  /** The most records that samples may write before the start charges the partner's budget; null without a budget. */
  sampleLimit: number | null
}

/** A source goes on growing while people decide, so a quarter more is free. */
const freeGrowth = 1.25

/**
 * The sponsored and the paid records together, with a quarter more; before that, the free records of samples. The
 * partner's own answer covers the whole import; a policy with a limit covers that limit.
 */
export async function findCoverage(db: Db | Tx, importId: string): Promise<Coverage> {
  const imp = await db
    .selectFrom('imports')
    .innerJoin('partners', 'partners.id', 'imports.partner_id')
    .select(['sponsorship', 'sponsored_records', 'paid_at', 'moved_records', 'sample_records'])
    .select(['full_started_at', 'partners.budget'])
    .where('imports.id', '=', importId)
    .executeTakeFirstOrThrow()
  const moved = imp.moved_records
  const isSponsored = imp.sponsorship === 'accepted'
  const paid = imp.paid_at === null ? null : await findPaidLimit(db, importId)
  if (!isSponsored && !paid) return { moved, upTo: imp.sample_records, isFree: true, sponsored: 0, sampleLimit: null }
  const isCharged = paid !== null || imp.budget === null || imp.full_started_at !== null
  const sampleLimit = isCharged ? null : imp.sample_records
  const parts = [...(isSponsored ? [imp.sponsored_records] : []), ...(paid ? [paid.upTo] : [])]
  const known = parts.filter((part) => part !== null)
  const upTo = known.length < parts.length ? null : coveredBy(known.reduce((sum, part) => sum + part, 0))
  const sponsored = isSponsored ? (imp.sponsored_records ?? 0) : 0
  return {
    moved,
    upTo: upTo === null ? null : Math.max(upTo, imp.sample_records),
    isFree: false,
    sponsored,
    sampleLimit,
  }
}

/** The number with the free growth. */
export const coveredBy = (records: number): number => Math.floor(records * freeGrowth)

/**
 * Takes up to `wanted` records off the allowed number, in a transaction that has locked the import; answers how many.
 * So two workers together can never move more than was paid for.
 */
export async function admitRecords(
  tx: Tx,
  importId: string,
  wanted: number,
): Promise<{ admitted: number; coverage: Coverage }> {
  const coverage = await findCoverage(tx, importId)
  const { moved } = coverage
  const upTo = coverage.sampleLimit ?? coverage.upTo
  const admitted = upTo === null ? wanted : Math.min(wanted, Math.max(0, upTo - moved))
  if (admitted > 0) {
    await tx
      .updateTable('imports')
      .set((eb) => ({ moved_records: eb('moved_records', '+', admitted) }))
      .where('id', '=', importId)
      .execute()
  }
  return { admitted, coverage: { ...coverage, moved: moved + admitted } }
}

/** The plan's and the paid number of records, if the plan has more; null if it is enough, or nothing is counted yet. */
export async function findShortage(db: Db | Tx, importId: string): Promise<{ records: number; upTo: number } | null> {
  const { upTo } = await findCoverage(db, importId)
  if (upTo === null) return null
  const count = await countRecords(db, importId)
  return count && count.records > upTo ? { records: count.records, upTo } : null
}

/** A customer who paid for a small plan and then enlarged it pays the difference first. */
export async function requireCoveredPlan(tx: Tx, importId: string): Promise<void> {
  const shortage = await findShortage(tx, importId)
  if (!shortage) return
  const { records, upTo } = shortage
  throw new ValidationError({
    payment: [`covers up to ${upTo} records, and the plan now has ${records}: leave some out, or pay the difference`],
  })
}

/** A record that a customer wants to see in the sample. */
interface NamedRecord {
  entity: string
  source_id: string
}

/** The share of an import's free records that we choose; the rest is kept for records that the customer names. */
export const chosenShare = 2 / 3

/** The number of records that the samples of an import may still add, beside those of earlier samples. */
interface FreeRecords {
  /** Null for any number. */
  left: number | null
  of: number
  /** The most that we choose of them; null when somebody pays. */
  chosen: number | null
  /** The rest of `chosen`. */
  leftToChoose: number | null
}

export async function findFreeRecords(db: Db | Tx, importId: string): Promise<FreeRecords> {
  const { moved, sampleLimit, ...coverage } = await findCoverage(db, importId)
  const upTo = sampleLimit ?? coverage.upTo
  const isFree = coverage.isFree || sampleLimit !== null
  if (upTo === null) return { left: null, of: moved, chosen: null, leftToChoose: null }
  const { taken } = await db
    .selectFrom('sample_records')
    .select((eb) => eb.fn.countAll<string>().as('taken'))
    .where('import_id', '=', importId)
    .executeTakeFirstOrThrow()
  const leftOf = (most: number) => Math.max(0, most - Math.max(moved, Number(taken)))
  const chosen = isFree ? Math.ceil(upTo * chosenShare) : null
  return { left: leftOf(upTo), of: upTo, chosen, leftToChoose: leftOf(chosen ?? upTo) }
}

/** Samples are free up to a number of records over the whole life of an import. Refuses a sample that names more. */
export async function requireFreeSample(tx: Tx, importId: string, named: readonly NamedRecord[]): Promise<void> {
  if (named.length === 0) return
  const { left, of } = await findFreeRecords(tx, importId)
  if (left === null) return
  const taken = await tx
    .selectFrom('sample_records')
    .select(['entity', 'source_id'])
    .where('import_id', '=', importId)
    .execute()
  const known = new Set(taken.map(({ entity, source_id }) => `${entity}/${source_id}`))
  const added = new Set(named.map(({ entity, source_id }) => `${entity}/${source_id}`).filter((key) => !known.has(key)))
  if (added.size <= left) return
  throw new ValidationError({
    records: [
      `can name ${left} more: samples of an import are free for ${of} records in all, and ${of - left} are used`,
    ],
  })
}
