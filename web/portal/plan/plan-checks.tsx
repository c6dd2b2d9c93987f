import type { PortalPlan } from '../../../service/src/portal/mapping-contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Told } from '../said.tsx'

/** Problems to solve before the start, each with its solution. The texts come from the destination's connector. */
export function PlanChecks({ checks }: { checks: PortalPlan['checks'] }) {
  const { checks: blocking, checksAdvice, checksPassed } = later.plan
  const open = checks.filter(({ is_fine }) => !is_fine)
  const fine = checks.filter(({ is_fine }) => is_fine)
  return (
    <>
      {open.map((check) => (
        <Notice
          key={check.code}
          tone={check.is_blocking ? 'needs' : 'note'}
          heading={check.is_blocking ? blocking : checksAdvice}
        >
          <p>
            <Told text={check.message} />
          </p>
          {check.fix !== null && (
            <p className="mt-1 font-medium">
              <Told text={check.fix} />
            </p>
          )}
        </Notice>
      ))}
      {fine.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="w-fit py-1 text-quiet">{checksPassed(formatNumber(fine.length))}</summary>
          <ul className="mt-1 grid gap-1">
            {fine.map(({ code, message }) => (
              <li key={code} className="flex gap-2">
                <Icon name="check" className="text-verified" />
                <Told text={message} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
