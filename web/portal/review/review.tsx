import { texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Lookup } from '../done/lookup.tsx'
import { Checked } from '../records/checked.tsx'
import { Sums } from '../records/sums.tsx'
import { Warnings } from '../records/warnings.tsx'
import { Screen } from '../shell/screen.tsx'
import { useImport } from '../use-import.tsx'
import { CompareRecords } from './compare-records.tsx'
import { useFlagged } from './use-sample.ts'

/** Compares the sample with the originals and shows the next steps. */
export function Review() {
  const { imp, facts } = useImport()
  const words = later.review
  const flagged = useFlagged()
  return (
    <Screen title={texts.status[imp.status_code].title(facts)} intro={words.intro(facts.destination)}>
      <CompareRecords />
      <Sums intro={later.done.sumsText} />
      <Checked />
      <Warnings warnings={imp.warnings} />
      <Lookup />
      {flagged > 0 && <Notice tone="needs">{words.flaggedNote(flagged)}</Notice>}
      <Actions>
        <LinkButton to="full" look="primary">
          {words.goOn}
        </LinkButton>
        <LinkButton to="plan">{words.change}</LinkButton>
        <LinkButton to="undo" look="plain">
          {words.undo}
        </LinkButton>
      </Actions>
    </Screen>
  )
}
