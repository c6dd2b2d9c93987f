import { entityLabel, formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { ObstacleNotice } from '../shell/obstacle-notice.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { RecordList } from './record-list.tsx'
import { useSums } from './use-sums.ts'

/**
 * How many copied records were read back, by entity, with the result. The customer can have the rest read back, too.
 */
export function Checked() {
  const words = later.done
  const { facts } = useImport()
  const { data, refetch } = useSums()
  const rows = Object.entries(data?.entities ?? {})
    .map(([entity, { states, checked }]) => ({ entity, written: states.written ?? 0, ...checked }))
    .filter(({ written }) => written > 0)
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((whole, row) => whole + of(row), 0)
  const written = sum((row) => row.written)
  const read = sum(({ same, different }) => same + different)
  const then = (path: string, body: object) => async () => {
    await send('POST', path, body)
    await refetch()
  }
  const start = useAction(then('/runs', { kind: 'check' }))
  const pause = useAction(then('/pause', {}))
  const resume = useAction(then('/resume', {}))
  const check = data?.check ?? null
  if (written === 0) return null
  const [shownRead, shownWritten] = [formatNumber(read), formatNumber(written)]
  const isUnderWay = check?.state === 'working'
  const isPaused = check?.state === 'paused'
  const progress = words.checking(formatNumber(check?.done ?? 0), shownWritten)
  const percent = Math.min(100, ((check?.done ?? 0) / written) * 100)
  return (
    <Section
      heading={words.checkedHeading}
      intro={
        read >= written
          ? words.checkedAll(shownWritten, facts.destination)
          : words.checkedText(shownRead, shownWritten, facts.destination)
      }
    >
      <ul className="mt-3 grid gap-x-10 gap-y-1 lg:grid-cols-2">
        {rows.map(({ entity, written: all, same, different }) => (
          <li
            key={entity}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-baseline gap-x-4 text-sm tabular-nums"
          >
            <span className="font-medium wrap-anywhere">{entityLabel(entity)}</span>
            <span className={`flex items-baseline gap-1 ${different > 0 ? 'text-needs' : 'text-quiet'}`}>
              {different > 0 ? (
                <Icon name="warning" className="size-4 shrink-0 self-center" />
              ) : (
                same > 0 && <Icon name="check" className="size-4 shrink-0 self-center text-verified" />
              )}
              <span className="min-w-0 wrap-anywhere">
                {words.checkedOf(formatNumber(same + different), formatNumber(all))}
                {different > 0
                  ? `, ${words.checkedDifferent(formatNumber(different), different)}`
                  : same > 0 && `, ${words.checkedSame}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {sum(({ different }) => different) > 0 && (
        <>
          <RecordList
            query="code=differs"
            label={`${later.done.showRecords}${texts.colon} ${later.review.reasons.changed_there?.('', facts.destination) ?? ''}`}
          />
          <RecordList
            query="code=edited"
            label={`${later.done.showRecords}${texts.colon} ${later.review.reasons.edited?.('', facts.destination) ?? ''}`}
          />
        </>
      )}
      <div className="off-paper">
        {(isUnderWay || isPaused) && (
          <>
            <p role="status" className="mt-3 tabular-nums">
              {isPaused ? words.checkPaused : progress}
            </p>
            <ProgressBar label={words.checkedHeading} percent={percent} words={progress} />
          </>
        )}
        {isPaused && check?.obstacle && check.obstacle.code !== 'paused' && (
          <ObstacleNotice obstacle={check.obstacle} onResume={() => resume.act()} />
        )}
        <FailureNotice failure={start.failure ?? pause.failure ?? resume.failure} />
        <div className="mt-3">
          {isUnderWay ? (
            <ActionButton action={pause} onAct={() => void pause.act()} pending={words.checkPause} look="secondary">
              {words.checkPause}
            </ActionButton>
          ) : isPaused ? (
            <ActionButton action={resume} onAct={() => void resume.act()} pending={words.checkResume} look="secondary">
              {words.checkResume}
            </ActionButton>
          ) : (
            <>
              <p className="text-sm text-pretty text-quiet">{words.checkText}</p>
              <div className="mt-2">
                <ActionButton
                  action={start}
                  onAct={() => void start.act()}
                  pending={words.checkStarting}
                  look="secondary"
                >
                  {check?.state === 'finished' && read >= written ? words.checkAgain : words.checkAll}
                </ActionButton>
              </div>
            </>
          )}
        </div>
      </div>
    </Section>
  )
}
