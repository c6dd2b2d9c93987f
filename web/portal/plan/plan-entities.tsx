import { useQuery } from '@tanstack/react-query'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { PortalMapping, PortalPlan, PortalPlanEntity } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatMonth, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Checkbox } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { changeEntity } from '../mapping/draft.ts'
import { useChoices } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

export interface PlanEntitiesProps {
  plan: PortalPlan
  entities: PortalPlanEntity[]
  isWorking: boolean
}

/** One line for each entity: its count, its period, and how many records arrive complete. */
export function PlanEntities({ plan, entities, isWorking }: PlanEntitiesProps) {
  const { data: mapping } = useQuery({
    queryKey: ['mapping'],
    queryFn: ({ signal }) => get<PortalMapping>('/mapping', signal),
    enabled: !isWorking && plan.made_at !== null,
  })
  const include = useChoices(async (entity: string, isIncluded: boolean) => {
    const newest = await get<PortalMapping>('/mapping')
    const changes = changeEntity(newest.changes, entity, { include: isIncluded ? undefined : false })
    return send('PUT', '/mapping', { version: newest.version, changes })
  })
  return (
    <>
      <ul
        aria-busy={include.waiting.length > 0}
        className="mt-3 divide-y divide-line rounded-lg border border-line bg-card"
      >
        {entities.map((entity) => (
          <EntityRow
            key={entity.entity}
            entity={asChosen(entity, include.waiting)}
            changes={mapping?.changes ?? {}}
            isWorking={isWorking}
            onInclude={(isIncluded) => void include.choose(entity.entity, isIncluded)}
          />
        ))}
      </ul>
      <FailureNotice failure={include.failure} />
    </>
  )
}

/** The entity with the customer's choice, saved or not. */
function asChosen(entity: PortalPlanEntity, waiting: [string, boolean][]): PortalPlanEntity {
  const [, isIncluded] = waiting.findLast(([name]) => name === entity.entity) ?? []
  return isIncluded === undefined ? entity : { ...entity, is_included: isIncluded }
}

interface EntityRowProps {
  entity: PortalPlanEntity
  changes: MappingChanges
  isWorking: boolean
  onInclude: (isIncluded: boolean) => void
}

function EntityRow({ entity, changes, isWorking, onInclude }: EntityRowProps) {
  const { facts } = useImport()
  const { include, uncounted, withheld, lookedAt, notTaken, leftOut, filtered, editEntity } = later.plan
  const name = entityLabel(entity.entity)
  const { created_after, created_before, only } = changes.entities?.[entity.entity] ?? {}
  const isFiltered = created_after !== undefined || created_before !== undefined || Object.keys(only ?? {}).length > 0
  return (
    <li className="grid grid-cols-[auto_1fr] items-start gap-x-3 gap-y-1 p-4 sm:grid-cols-[auto_minmax(7rem,1fr)_6rem_minmax(10rem,1.4fr)_minmax(9rem,1fr)] sm:items-center sm:gap-x-5">
      {entity.is_taken && !isWorking ? (
        <Checkbox
          label={include(name)}
          isLabelHidden
          checked={entity.is_included}
          onChange={({ target }) => onInclude(target.checked)}
        />
      ) : (
        <span className="size-5" />
      )}
      <p className={`font-medium wrap-anywhere ${entity.is_included && entity.is_taken ? '' : 'text-quiet'}`}>{name}</p>
      <p className="col-start-2 text-2xl font-semibold tabular-nums sm:col-start-auto sm:text-right">
        {entity.total === null ? (
          <span className="text-base font-normal text-quiet">{uncounted}</span>
        ) : (
          formatNumber(entity.total)
        )}
        {entity.withheld > 0 && (
          <span className="block text-sm font-normal text-needs">{withheld(formatNumber(entity.withheld))}</span>
        )}
      </p>
      <p className="col-start-2 text-sm text-quiet sm:col-start-auto">
        {isWorking ? lookedAt(formatNumber(entity.looked_at)) : spanOf(entity)}
        {!isWorking && (
          <span className="block">
            {!entity.is_taken ? (
              notTaken(facts.destination)
            ) : !entity.is_included ? (
              leftOut
            ) : (
              <RecordsKept entity={entity} />
            )}
            {isFiltered && entity.is_included && <span className="block text-needs">{filtered}</span>}
          </span>
        )}
      </p>
      {entity.is_taken && !isWorking && (
        <a
          href={`#mapping/${encodeURIComponent(entity.entity)}`}
          className="col-start-2 inline-flex items-center gap-1 py-1 text-sm text-accent underline decoration-accent/40 underline-offset-4 sm:col-start-auto sm:justify-self-end"
        >
          {editEntity(name)}
          <Icon name="arrow" className="size-4" />
        </a>
      )}
    </li>
  )
}

/** Counts only records that were read for the plan. */
function RecordsKept({ entity: { mapped, whole } }: { entity: PortalPlanEntity }) {
  const { allWhole, wholeOf } = later.plan
  if (mapped === 0) return null
  return <>{whole === mapped ? allWhole(formatNumber(mapped)) : wholeOf(formatNumber(whole), formatNumber(mapped))}</>
}

function spanOf({ oldest, newest }: PortalPlanEntity): string {
  if (oldest === null || newest === null) return ''
  const [from, to] = [formatMonth(new Date(oldest)), formatMonth(new Date(newest))]
  return from === to ? from : `${from} – ${to}`
}
