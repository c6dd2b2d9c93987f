import type { PortalPlan } from '../../../service/src/portal/mapping-contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'

/** The expected duration of the full migration, as a range. */
export function PlanTime({ duration }: { duration: NonNullable<PortalPlan['duration']> }) {
  const { time, duration: say } = later.plan
  return (
    <Section heading={time}>
      <p className="mt-2 tabular-nums">{say(spell(duration.from_seconds), spell(duration.to_seconds))}</p>
      <p className="mt-1 text-sm text-pretty text-quiet">
        {duration.is_measured ? later.plan.durationMeasured : later.plan.durationByLimits}
      </p>
    </Section>
  )
}

function spell(seconds: number): string {
  const { minutes, hours } = later.plan
  const whole = Math.max(1, Math.ceil(seconds / 60))
  if (whole < 90) return minutes(whole > 10 ? Math.ceil(whole / 5) * 5 : whole)
  const count = Math.ceil(whole / 30) / 2
  return hours(formatNumber(count), count === 1)
}
