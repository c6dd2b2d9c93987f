import { formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, buttonClasses } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { importPath, send } from '../ask.ts'
import { RecordList } from '../records/record-list.tsx'
import { addUp, outcomesOf, useSums } from '../records/use-sums.ts'
import { Screen } from '../shell/screen.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** Shown after an undo: the records that were kept, and the button to start over. */
export function Cleaned() {
  const { imp, facts } = useImport()
  const words = later.undo
  const { title, now } = texts.status[imp.status_code]
  const { data } = useSums()
  const startOver = useAction(() => send('POST', '/start-over'))
  const all = addUp(Object.values(data?.entities ?? {}).map(({ states }) => outcomesOf(states)))
  return (
    <Screen title={title(facts)} intro={now(facts)}>
      {all.removed > 0 && (
        <p className="mt-6 text-2xl font-semibold tabular-nums">{later.done.part.removed(formatNumber(all.removed))}</p>
      )}
      {all.written > 0 && (
        <Section heading={words.cleanedStayed} intro={words.cleanedStayedText}>
          <p className="mt-2 text-2xl font-semibold tabular-nums">{formatNumber(all.written)}</p>
          <RecordList query="state=written" />
        </Section>
      )}
      <p className="mt-6 text-pretty text-quiet wrap-anywhere">{words.startOverText}</p>
      <FailureNotice failure={startOver.failure} />
      <Actions>
        <ActionButton action={startOver} onAct={() => void startOver.act()} pending={words.startingOver}>
          {words.startOver}
        </ActionButton>
        <a href={importPath('/report.csv')} download className={buttonClasses('secondary')}>
          <Icon name="download" />
          {later.done.download}
        </a>
        <a href={importPath('/certificate.json')} download className={buttonClasses('secondary')}>
          <Icon name="download" />
          {later.done.certificate}
        </a>
      </Actions>
    </Screen>
  )
}
