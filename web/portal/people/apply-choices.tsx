import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** Says when the choices take effect, and offers the run that applies them. */
export function ApplyChoices() {
  const { imp } = useImport()
  const { applies, repeatSample, applyNow, starting } = later.people
  const start = useAction((body: object) => send('POST', '/runs', body))
  const isSampled = imp.status_code === 'sample_migration_completed'
  const isDone = imp.status_code === 'migration_completed'
  return (
    <>
      <p className="mt-6 text-sm text-pretty text-quiet">
        {isDone ? applies.done : isSampled ? applies.sample : applies.plan}
      </p>
      <FailureNotice failure={start.failure} />
      <Actions>
        {(isSampled || isDone) && (
          <ActionButton
            action={start}
            onAct={() => void start.act(isDone ? { kind: 'retry', remap: true } : { kind: 'sample' })}
            pending={starting}
          >
            {isDone ? applyNow : repeatSample}
          </ActionButton>
        )}
        <LinkButton to="plan">{later.mapping.back}</LinkButton>
      </Actions>
    </>
  )
}
