import { useState } from 'react'
import type { PortalPlan, PortalPlanEntity } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Select } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

export interface StartSampleProps {
  entities: PortalPlanEntity[]
  allowance: PortalPlan['sample']
  /** Set if a check prevents the start of the sample. */
  isBlocked: boolean
  isFirst: boolean
}

export function StartSample({ entities, allowance, isBlocked, isFirst }: StartSampleProps) {
  const { facts } = useImport()
  const words = later.plan
  const [ids, setIds] = useState('')
  const taken = entities.filter(({ is_taken, is_included }) => is_taken && is_included)
  const [entity, setEntity] = useState(taken.find((one) => one.entity === 'tickets')?.entity ?? taken[0]?.entity ?? '')
  const named = ids
    .split(/[\n,;]/)
    .map((id) => id.trim())
    .filter((id) => id !== '')
  const start = useAction(() =>
    send('POST', '/runs', {
      kind: 'sample',
      ...(named.length > 0 && { records: named.map((source_id) => ({ entity, source_id })) }),
    }),
  )
  return (
    <Section heading={words.sample} intro={words.sampleText(facts.destination)}>
      {allowance && <p className="mt-2 text-sm text-quiet">{words.sampleFree(allowance, formatNumber)}</p>}
      {taken.length > 0 && (
        <details className="mt-3">
          <summary className="w-fit py-1 text-accent">{words.named}</summary>
          <p className="mt-2 text-sm text-quiet">{words.namedText}</p>
          <div className="mt-3 grid gap-4 sm:grid-cols-[14rem_1fr]">
            <Select label={words.namedEntity} value={entity} onChange={({ target }) => setEntity(target.value)}>
              {taken.map((one) => (
                <option key={one.entity} value={one.entity}>
                  {entityLabel(one.entity)}
                </option>
              ))}
            </Select>
            <label className="block text-sm font-medium">
              {words.namedIds}
              <textarea
                rows={3}
                value={ids}
                onChange={({ target }) => setIds(target.value)}
                className="mt-1 block w-full rounded-lg border border-control bg-card px-3 py-2 text-base font-normal"
              />
            </label>
          </div>
        </details>
      )}
      <FailureNotice failure={start.failure} />
      <Actions>
        {isBlocked ? (
          <p className="text-needs">{words.blocking}</p>
        ) : (
          <ActionButton action={start} onAct={() => void start.act()} pending={words.starting}>
            {isFirst ? words.start : words.restart}
          </ActionButton>
        )}
        {!isFirst && <LinkButton to="">{words.backToReview}</LinkButton>}
      </Actions>
    </Section>
  )
}
