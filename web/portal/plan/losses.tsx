import type { PortalPlanEntity } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, formatShare, texts } from '../../texts/index.ts'
import { fieldLabel, later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'

const shownAtOnce = 8

/** Every field that is used and goes nowhere, and why. */
export function Losses({ entities }: { entities: PortalPlanEntity[] }) {
  const { losses, noLosses, editMapping } = later.plan
  const lost = entities
    .filter(({ is_taken, is_included }) => is_taken && is_included)
    .flatMap((entity) =>
      entity.fields.filter(({ to, filled }) => to === null && filled > 0).map((field) => ({ entity, field })),
    )
  const first = entities.find(({ is_taken }) => is_taken)?.entity ?? ''
  return (
    <Section heading={losses}>
      {lost.length === 0 ? (
        <p className="mt-2 flex gap-2">
          <Icon name="check" className="mt-0.5 text-verified" />
          {noLosses}
        </p>
      ) : (
        <>
          <LossList lost={lost.slice(0, shownAtOnce)} />
          {lost.length > shownAtOnce && (
            <details>
              <summary className="w-fit py-2 text-accent">
                {texts.shell.showMore(formatNumber(lost.length - shownAtOnce))}
              </summary>
              <LossList lost={lost.slice(shownAtOnce)} />
            </details>
          )}
        </>
      )}
      <a
        href={`#mapping/${encodeURIComponent(first)}`}
        className="mt-2 inline-flex min-h-11 items-center font-medium text-accent underline decoration-accent/40 underline-offset-4"
      >
        {editMapping}
      </a>
    </Section>
  )
}

type Loss = { entity: PortalPlanEntity; field: PortalPlanEntity['fields'][number] }

function LossList({ lost }: { lost: Loss[] }) {
  const { lossFilled, reason } = later.plan
  return (
    <ul className="mt-2 grid gap-2">
      {lost.map(({ entity, field }) => (
        <li key={`${entity.entity} ${field.name}`} className="text-sm">
          <span className="font-medium wrap-anywhere">
            {entityLabel(entity.entity)}: <bdi>{fieldLabel(field.name, field.label)}</bdi>
          </span>{' '}
          <span className="text-quiet">
            {lossFilled(formatShare(field.filled, entity.looked_at))}
            {field.reason !== null && `; ${reason[field.reason]}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
