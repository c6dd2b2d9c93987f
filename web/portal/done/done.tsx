import { useQuery } from '@tanstack/react-query'
import type { PortalRecord } from '../../../service/src/portal/records-contract.ts'
import { entityLabel, formatList, formatMoment, language, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Button, buttonClasses, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, importPath, send } from '../ask.ts'
import { PlanChecks } from '../plan/plan-checks.tsx'
import { usePlan } from '../plan/use-plan.ts'
import { Checked } from '../records/checked.tsx'
import { Sums } from '../records/sums.tsx'
import { useSums } from '../records/use-sums.ts'
import { Warnings } from '../records/warnings.tsx'
import { Screen } from '../shell/screen.tsx'
import { UndoUntil } from '../undo/undo-until.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { useRunKey } from '../use-run-key.ts'
import { BringBack } from './bring-back.tsx'
import { Gone, goneCode } from './gone.tsx'
import { Lookup } from './lookup.tsx'
import { Retry } from './retry.tsx'

/** The screen of a completed import: results, records that did not arrive, and next steps. */
export function Done() {
  const { imp, facts } = useImport()
  const { title, now, next } = texts.status[imp.status_code]
  const words = later.done
  const { data, errorUpdateCount } = useSums()
  const screen = { title: title(facts), intro: `${now(facts)} ${next(facts)}` }
  // Waits for the results, so that the page does not jump later.
  if (!data && errorUpdateCount === 0) {
    return (
      <Screen {...screen}>
        <OpenProduct />
        <div className="min-h-dvh">
          <Sums intro={words.sumsText} />
        </div>
      </Screen>
    )
  }
  return (
    <Screen {...screen}>
      <OpenProduct />
      <Sums intro={words.sumsText} />
      <Warnings warnings={imp.warnings.filter(({ code }) => code !== goneCode)} />
      <Gone />
      <Retry />
      <BringBack />
      <Checked />
      <div className="off-paper grid gap-x-6 lg:grid-cols-2">
        <Delta />
        <Lookup />
        <Section heading={words.report} intro={words.reportText}>
          <div className="mt-4 flex flex-wrap gap-3">
            <a href={importPath('/report.csv')} download className={buttonClasses('secondary')}>
              <Icon name="download" />
              {words.download}
            </a>
            <Button onClick={() => print()}>{words.print}</Button>
            <a href={importPath('/certificate.json')} download className={buttonClasses('secondary')}>
              <Icon name="download" />
              {words.certificate}
            </a>
            <a
              href={`${importPath('/certificate')}?language=${language}`}
              target="_blank"
              rel="noopener"
              className={buttonClasses('secondary')}
            >
              {words.certificatePage}
            </a>
          </div>
        </Section>
        <Section heading={words.more} intro={words.undoText(facts.destination)}>
          <UndoUntil />
          <div className="mt-2 flex flex-wrap gap-x-5">
            <LinkButton to="undo" look="plain">
              {words.undoLink}
            </LinkButton>
            <LinkButton to="plan" look="plain">
              {words.plan}
            </LinkButton>
          </div>
        </Section>
      </div>
    </Screen>
  )
}

/** A link to the destination, where the customer continues to work. */
function OpenProduct() {
  const { facts } = useImport()
  const { data } = useQuery({
    queryKey: ['records', ...useRunKey(), 'product'],
    queryFn: ({ signal }) => get<{ records: PortalRecord[] }>('/records?state=written&limit=20', signal),
    staleTime: 600_000,
  })
  const url = data?.records.map(({ destination_url }) => destination_url).find((one) => one && /^https?:/.test(one))
  if (data && !url) return null
  return (
    <div className="off-paper mt-6 min-h-11">
      {url && (
        <a href={new URL(url).origin} target="_blank" rel="noopener noreferrer" className={buttonClasses('primary')}>
          {later.done.open(facts.destination)}
          <Icon name="out" />
          <span className="sr-only">({texts.shell.opensNewWindow})</span>
        </a>
      )}
    </div>
  )
}

/** Copies changes that people have made in the source since. */
function Delta() {
  const { imp, facts } = useImport()
  const { delta, deltaText, deltaFiles, deltaStart, deltaStarting, deltaUntold } = later.done
  const hasFiles = imp.source.asks.includes('upload')
  const start = useAction(() => send('POST', '/runs', { kind: 'delta' }))
  const since = new Date(imp.changes_since ?? imp.created_at)
  const { data: plan } = usePlan()
  const checks = plan?.checks.filter((check) => check.is_about_later_runs && !check.is_fine) ?? []
  return (
    <Section heading={delta} intro={hasFiles ? deltaFiles : deltaText(facts.source, formatMoment(since))}>
      {imp.untold_deletions.length > 0 && (
        <p className="mt-2 text-sm text-pretty text-quiet">
          {deltaUntold(facts.source, formatList(imp.untold_deletions.map(entityLabel)))}
        </p>
      )}
      <PlanChecks checks={checks} />
      <FailureNotice failure={start.failure} />
      <div className="mt-4 flex flex-wrap gap-x-5">
        <ActionButton action={start} onAct={() => void start.act()} pending={deltaStarting} look="secondary">
          {deltaStart}
        </ActionButton>
        {hasFiles && (
          <LinkButton to="connect" look="plain">
            {later.review.fixes.files}
          </LinkButton>
        )}
      </div>
    </Section>
  )
}
