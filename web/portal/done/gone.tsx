import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { RecordList } from '../records/record-list.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

export const goneCode = 'gone_from_source'

/** Records that people deleted in the source after the copy. The customer removes or keeps the copies. */
export function Gone() {
  const words = later.done
  const { imp, facts } = useImport()
  const remove = useAction(() => send('POST', '/runs', { kind: 'removal' }))
  const keep = useAction(() => send('POST', '/keep-gone', {}))
  const gone = imp.warnings.filter(({ code }) => code === goneCode)
  const count = gone.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return null
  const { source, destination } = facts
  return (
    <div className="off-paper">
      <Section
        heading={words.goneHeading(source)}
        intro={words.goneText(formatNumber(count), count, source, destination)}
      >
        <ul className="mt-3 grid gap-3">
          {gone.map(({ entity, count: ofEntity }) => (
            <li key={entity}>
              <p className="flex items-baseline gap-3">
                <span className="text-xl font-semibold tabular-nums">{formatNumber(ofEntity)}</span>
                <span className="font-medium wrap-anywhere">{entityLabel(entity)}</span>
              </p>
              <RecordList query={`code=${goneCode}&entity=${encodeURIComponent(entity)}&titles=true`} />
            </li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-pretty text-quiet">{words.goneCare(destination)}</p>
        <FailureNotice failure={remove.failure ?? keep.failure} />
        <div className="mt-4 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
          <ActionButton action={remove} onAct={() => void remove.act()} pending={words.goneRemoving} look="danger">
            {words.goneRemove(destination)}
          </ActionButton>
          <ActionButton action={keep} onAct={() => void keep.act()} pending={words.goneKeeping} look="secondary">
            {words.goneKeep}
          </ActionButton>
        </div>
      </Section>
    </div>
  )
}
