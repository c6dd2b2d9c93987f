import type { PortalPlan, PortalPlanEntity } from '../../../service/src/portal/mapping-contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Icon } from '../../ui/icon.tsx'

/** Says how many records arrive complete, and how many were read. */
export function Verdict({ plan, entities }: { plan: PortalPlan; entities: PortalPlanEntity[] }) {
  const { verdict, checkingAgain, outdated } = later.plan
  const { all, whole, undecided, looked, total } = sumUp(entities)
  const rest = all - whole - undecided
  const isChecking = plan.state === 'working'
  if (all === 0) return null
  return (
    <div className="mt-6">
      <p className="flex gap-3 text-2xl font-semibold text-balance tabular-nums">
        <Icon
          name={whole === all ? 'check' : 'warning'}
          className={`mt-1 size-6 ${whole === all ? 'text-verified' : 'text-needs'}`}
        />
        <span className="min-w-0">
          {whole === all ? verdict.all(formatNumber(all)) : verdict.some(formatNumber(whole), formatNumber(all))}{' '}
          {undecided > 0 && verdict.needs(formatNumber(undecided), undecided === 1)}
        </span>
      </p>
      {rest > 0 && <p className="mt-2 text-pretty">{verdict.rest(formatNumber(rest), rest === 1)}</p>}
      {looked < total && (
        <p className="mt-2 text-pretty text-quiet">{verdict.partial(formatNumber(looked), formatNumber(total))}</p>
      )}
      {/* Always present, so that screen readers announce its text when it appears. */}
      <p role="status" className="mt-2 min-h-6 text-pretty text-quiet">
        {isChecking ? checkingAgain : plan.is_outdated ? outdated : ''}
      </p>
    </div>
  )
}

/** Adds up the entities. Records of an entity that the destination does not accept never count as complete. */
export function sumUp(entities: PortalPlanEntity[]) {
  const sums = { all: 0, whole: 0, undecided: 0, looked: 0, total: 0 }
  for (const { is_taken, is_included, mapped, whole, undecided, looked_at, total } of entities) {
    if (!is_included) continue
    sums.all += is_taken ? mapped : looked_at
    sums.whole += is_taken ? whole : 0
    sums.undecided += is_taken ? undecided : 0
    sums.looked += looked_at
    sums.total += Math.max(total ?? looked_at, looked_at)
  }
  return sums
}
