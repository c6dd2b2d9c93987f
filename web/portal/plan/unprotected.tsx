import type { PortalMapping, PortalPlanEntity } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { changeEntity } from '../mapping/draft.ts'
import { useChoices } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** Private records that more people could see in the destination. They are copied only if the customer agrees. */
export function Unprotected({ entities }: { entities: PortalPlanEntity[] }) {
  const { facts } = useImport()
  const { unprotected, unprotectedText, unprotectedOf, allowUnprotected } = later.plan
  const allow = useChoices(async (entity: string, isAllowed: boolean) => {
    const newest = await get<PortalMapping>('/mapping')
    const changes = changeEntity(newest.changes, entity, { send_unprotected: isAllowed ? true : undefined })
    return send('PUT', '/mapping', { version: newest.version, changes })
  })
  const concerned = entities.filter((entity) => entity.is_taken && entity.is_included && isConcerned(entity))
  if (concerned.length === 0) return null
  return (
    <Section heading={unprotected} intro={unprotectedText(facts.destination)}>
      <ul
        aria-busy={allow.waiting.length > 0}
        className="mt-3 divide-y divide-line rounded-lg border border-line bg-card"
      >
        {concerned.map((entity) => {
          const name = entityLabel(entity.entity)
          const [, isAllowed = entity.sends_unprotected] =
            allow.waiting.findLast(([waiting]) => waiting === entity.entity) ?? []
          const isPart = entity.total === null || entity.looked_at < entity.total
          return (
            <li key={entity.entity} className="p-4">
              <p className="font-medium">{unprotectedOf(name, formatNumber(entity.unprotected), isPart)}</p>
              <Checkbox
                label={allowUnprotected(name)}
                checked={isAllowed}
                onChange={({ target }) => void allow.choose(entity.entity, target.checked)}
              />
            </li>
          )
        })}
      </ul>
      <FailureNotice failure={allow.failure} />
    </Section>
  )
}

const isConcerned = ({ unprotected, sends_unprotected }: PortalPlanEntity) => unprotected > 0 || sends_unprotected
