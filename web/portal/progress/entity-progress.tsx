import type { PortalRun } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StackedBar } from '../../ui/stacked-bar.tsx'
import { useImport } from '../use-import.tsx'
import { spoken } from './use-estimate.ts'

/** The processed records and the total of each entity. Their sum is the number above. */
export function EntityProgress({ msFor }: { msFor: (rest: number) => number | null }) {
  const { imp } = useImport()
  const { entities: heading } = later.runProgress
  const { run } = imp
  if (!run) return null
  // Entities without records are left out.
  const shown = run.entities.filter(({ done, total, state }) => done > 0 || (total ?? 0) > 0 || state === 'working')
  if (shown.length === 0) return null
  return (
    <Section heading={heading}>
      <ul className="mt-3 grid gap-4">
        {shown.map((entity) => (
          <EntityLine key={entity.entity} kind={run.kind} entity={entity} msFor={msFor} />
        ))}
      </ul>
    </Section>
  )
}

interface EntityLineProps {
  kind: PortalRun['kind']
  entity: PortalRun['entities'][number]
  msFor: (rest: number) => number | null
}

function EntityLine({ kind, entity: { entity, total, done: count, state }, msFor }: EntityLineProps) {
  const words = later.runProgress
  // A sample copies only some records, so no total is shown.
  const whole = kind === 'full' && total !== null ? Math.max(total, count) : null
  const left = whole !== null && state === 'working' ? msFor(whole - count) : null
  const stateWords = left !== null ? spoken(left) : words[state]
  return (
    <li>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium wrap-anywhere">{entityLabel(entity)}</span>
        <span className="flex items-center gap-2 tabular-nums">
          {whole === null ? formatNumber(count) : words.ofTotal(formatNumber(count), formatNumber(whole))}
          <span
            className={`flex min-w-20 items-center justify-end gap-1 text-right text-sm ${state === 'done' ? 'text-verified' : 'text-quiet'}`}
          >
            {state === 'done' && <Icon name="check" className="size-4" />}
            {stateWords}
          </span>
        </span>
      </p>
      {whole !== null && (
        <div className="mt-1">
          <StackedBar parts={[{ key: 'over', count, className: 'fill-accent' }]} whole={whole} />
        </div>
      )}
    </li>
  )
}
