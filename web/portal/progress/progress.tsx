import { useQuery } from '@tanstack/react-query'
import type { PortalActivity } from '../../../service/src/portal/contract.ts'
import { entityLabel, formatNumber, known, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { ActivityList } from '../activity/activity.tsx'
import { get, send } from '../ask.ts'
import { TellMe } from '../messages/tell-me.tsx'
import { isHeld, percentDone } from '../shell/running.ts'
import { Screen } from '../shell/screen.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { EntityProgress } from './entity-progress.tsx'
import { totalOf, useEstimate } from './use-estimate.ts'

const feedLines = 5

/** A run in progress: processed records, remaining time and current stage. */
export function Progress() {
  const { imp, facts } = useImport()
  const words = later.runProgress
  const { title, now } = texts.status[imp.status_code]
  const isUndo = imp.status_code === 'undo_in_progress'
  const isRemoval = imp.run?.kind === 'removal'
  const running = isRemoval
    ? { title: words.removal.title(facts.destination), intro: words.removal.now(facts.source) }
    : { title: title(facts), intro: now(facts) }
  const estimate = useEstimate(imp)
  const held = isHeld(imp)
  const isPausedByHand = held && imp.run?.obstacle?.code === 'paused'
  const heldTitle = (isUndo || isRemoval ? words.held.removing : words.held.copying)(facts.destination)
  const pause = useAction(() => send('POST', '/pause'))
  const resume = useAction(() => send('POST', '/resume'))
  return (
    <Screen {...(held ? { title: heldTitle } : running)}>
      {isPausedByHand && (
        <Notice tone="note" heading={words.pausedTitle}>
          <p>{words.pausedText}</p>
        </Notice>
      )}
      <Amount estimate={estimate.words} />
      <FailureNotice failure={pause.failure ?? resume.failure} />
      <Actions>
        {held ? (
          isPausedByHand && (
            <ActionButton action={resume} onAct={() => void resume.act()} pending={words.resuming}>
              {words.resume}
            </ActionButton>
          )
        ) : (
          <ActionButton action={pause} onAct={() => void pause.act()} pending={words.pausing} look="secondary">
            {words.pause}
          </ActionButton>
        )}
        {imp.status_code === 'migration_in_progress' && (
          <LinkButton to="plan" look="plain">
            {later.full.seePlan}
          </LinkButton>
        )}
        {!isUndo && (
          <LinkButton to="undo" look="plain">
            {words.stop}
          </LinkButton>
        )}
      </Actions>
      {!held && <p className="mt-4 text-sm text-pretty text-quiet wrap-anywhere">{words.mayClose}</p>}
      <TellMe />
      <EntityProgress msFor={estimate.msFor} />
      <Feed />
    </Screen>
  )
}

function Amount({ estimate }: { estimate: string }) {
  const { imp, facts } = useImport()
  const there = Object.values(imp.items).reduce((sum, one) => sum + one, 0)
  const { heading, ofTotal, totalUnknown } = texts.progress
  const { stages, nowDoing, ofEntity, inDestination } = later.runProgress
  const { done } = imp.progress
  const total = totalOf(imp)
  const percent = percentDone(imp)
  const isRemoving = imp.status_code === 'undo_in_progress' || imp.run?.kind === 'removal'
  const label = isRemoving ? heading.removing : heading.copying
  const words =
    total === null ? totalUnknown(formatNumber(done), done) : ofTotal(formatNumber(done), formatNumber(total), total)
  const doing = imp.run?.now
  const act = doing ? known(stages, doing.stage) : undefined
  return (
    <section className="mt-6">
      <h2 className="text-sm text-quiet">{label}</h2>
      <p className="mt-1 text-2xl font-semibold tabular-nums sm:text-3xl">{words}</p>
      {percent !== null && <ProgressBar label={label} percent={percent} words={words} />}
      <p className="mt-2 tabular-nums">{estimate}</p>
      {!isRemoving && there > 0 && (
        <p className="mt-1 text-sm text-quiet tabular-nums">
          {inDestination(formatNumber(there), there, facts.destination, there > done)}
        </p>
      )}
      {doing && act !== undefined && (
        <p className="mt-1 text-sm text-quiet">
          {nowDoing}: {doing.entity === null ? act : ofEntity(act, entityLabel(doing.entity))}
        </p>
      )}
    </section>
  )
}

function Feed() {
  const { imp } = useImport()
  const { data } = useQuery({
    // The key changes with the stage, so that the activity is loaded again.
    queryKey: ['activity', imp.run?.now?.stage, imp.run?.state],
    queryFn: ({ signal }) => get<{ activity: PortalActivity[] }>('/activity', signal),
    placeholderData: (before) => before,
  })
  if (!data || data.activity.length === 0) return null
  return (
    <Section heading={later.runProgress.feed}>
      <ActivityList activity={data.activity.slice(0, feedLines)} />
      <LinkButton to="activity" look="plain" isWide={false}>
        {texts.shell.activity}
      </LinkButton>
    </Section>
  )
}
