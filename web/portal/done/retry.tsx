import { useState } from 'react'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { addUp, outcomesOf, useSums } from '../records/use-sums.ts'
import { useAction } from '../use-action.ts'

/** Sends refused records and the records that wait for them again. Shows nothing if all records arrived. */
export function Retry() {
  const { retryHeading, retryText, retry, retrying, sendUnknown } = later.done
  const { data } = useSums()
  const [isWithUnknown, setIsWithUnknown] = useState(false)
  const start = useAction(() => send('POST', '/runs', { kind: 'retry', ...(isWithUnknown && { send_unknown: true }) }))
  if (!data) return null
  const all = addUp(Object.values(data.entities).map(({ states }) => outcomesOf(states)))
  const waiting = all.refused + all.held
  const count = waiting + (isWithUnknown ? all.unknown : 0)
  if (waiting + all.unknown === 0) return null
  return (
    <div className="off-paper">
      <Section heading={retryHeading} intro={retryText(formatNumber(waiting))}>
        {all.unknown > 0 && (
          <div className="mt-3">
            <Checkbox
              label={sendUnknown}
              checked={isWithUnknown}
              onChange={({ target }) => setIsWithUnknown(target.checked)}
            />
          </div>
        )}
        <FailureNotice failure={start.failure} />
        {count > 0 && (
          <div className="mt-4">
            <ActionButton action={start} onAct={() => void start.act()} pending={retrying} look="secondary">
              {retry(formatNumber(count))}
            </ActionButton>
          </div>
        )}
      </Section>
    </div>
  )
}
