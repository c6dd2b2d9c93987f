import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { addUp, outcomesOf, useSums } from '../records/use-sums.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** Offers to copy records again that people deleted in the destination. Shows nothing if there are none. */
export function BringBack() {
  const { bringBackHeading, bringBackText, bringBack, retrying } = later.done
  const { data } = useSums()
  const { facts } = useImport()
  const start = useAction(() => send('POST', '/runs', { kind: 'retry', bring_back: true }))
  const { deleted } = addUp(Object.values(data?.entities ?? {}).map(({ states }) => outcomesOf(states)))
  // A record that the source no longer has cannot be copied again.
  const settled = Object.values(data?.entities ?? {}).reduce((sum, one) => sum + one.settled, 0)
  const count = formatNumber(deleted - settled)
  if (deleted === settled) return null
  return (
    <div className="off-paper">
      <Section heading={bringBackHeading} intro={bringBackText(count, facts.destination)}>
        <FailureNotice failure={start.failure} />
        <div className="mt-4">
          <ActionButton action={start} onAct={() => void start.act()} pending={retrying} look="secondary">
            {bringBack(count)}
          </ActionButton>
        </div>
      </Section>
    </div>
  )
}
