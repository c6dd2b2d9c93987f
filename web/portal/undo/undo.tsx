import { useState } from 'react'
import { formatDate, formatMoment, formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { usePlan } from '../plan/use-plan.ts'
import { useSums } from '../records/use-sums.ts'
import { ObstacleNotice } from '../shell/obstacle-notice.tsx'
import { isRunning } from '../shell/running.ts'
import { Screen } from '../shell/screen.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { Findings } from './findings.tsx'
import { UndoUntil, undoEnd } from './undo-until.tsx'

/** The undo. It first shows which records would be removed, which stay, and why. */
export function Undo() {
  const { imp, facts } = useImport()
  const words = later.undo
  const { data: plan } = usePlan()
  const { data: sums } = useSums()
  const isUnderWay = isRunning(imp)
  const look = useAction(() => send('POST', '/runs', { kind: 'preview' }))
  const preview = sums?.preview ?? null
  const copied = Object.values(imp.items).reduce((sum, count) => sum + count, 0)
  const title = isUnderWay ? words.titleRunning : words.title(facts.destination)
  const intro = isUnderWay ? words.introRunning(formatNumber(copied), facts.destination) : words.intro(facts.source)
  if (plan?.destination && !plan.destination.can_undo) {
    return (
      <Screen title={title}>
        <Notice tone="needs">{words.impossible(facts.destination)}</Notice>
        <Actions>
          <LinkButton to="">{texts.shell.toStatus}</LinkButton>
        </Actions>
      </Screen>
    )
  }
  const ended = undoEnd(imp)
  if (ended !== null && ended < new Date(imp.read_at)) {
    return (
      <Screen title={title}>
        <Notice tone="needs">{words.over(formatDate(ended))}</Notice>
        <Actions>
          <LinkButton to="">{texts.shell.toStatus}</LinkButton>
        </Actions>
      </Screen>
    )
  }
  const isLooking = preview?.state === 'working'
  const isSeen = preview?.state === 'finished' && isSince(preview.finished_at, imp.run?.finished_at)
  return (
    <Screen title={title} intro={intro}>
      <UndoUntil />
      {isUnderWay ? (
        <Confirm label={words.startRunning} edited={0} />
      ) : isSeen && sums ? (
        <>
          <Findings sums={sums} />
          <p className="mt-3 flex flex-wrap items-center gap-x-4 text-sm text-quiet">
            {preview?.finished_at && later.plan.madeAt(formatMoment(new Date(preview.finished_at)))}
            <ActionButton
              action={look}
              onAct={() => void look.act()}
              pending={later.plan.lookingAgain}
              look="plain"
              isWide={false}
            >
              {later.plan.lookAgain}
            </ActionButton>
          </p>
          <FailureNotice failure={look.failure} />
          <Confirm
            label={words.start(formatNumber(count(sums.entities, 'removable')))}
            edited={count(sums.entities, 'edited')}
            removable={count(sums.entities, 'removable')}
          />
        </>
      ) : (
        <>
          <p className="mt-4 text-pretty">{words.lookText}</p>
          {preview?.state === 'paused' && preview.obstacle && (
            <ObstacleNotice obstacle={preview.obstacle} onResume={() => send('POST', '/resume')} />
          )}
          <FailureNotice failure={look.failure} />
          <p role="status" className="mt-4 text-quiet">
            {isLooking ? words.looking(facts.destination) : ''}
          </p>
          <Actions>
            {!isLooking && (
              <ActionButton action={look} onAct={() => void look.act()} pending={words.looking(facts.destination)}>
                {words.look}
              </ActionButton>
            )}
            <LinkButton to="">{words.keep}</LinkButton>
          </Actions>
        </>
      )}
    </Screen>
  )
}

interface ConfirmProps {
  label: string
  edited: number
  removable?: number
}

/** The customer must type a word, so that no accidental click starts an undo. */
function Confirm({ label, edited, removable }: ConfirmProps) {
  const words = later.undo
  const [typed, setTyped] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const [isWithEdited, setIsWithEdited] = useState(false)
  const undo = useAction(() => send('POST', '/runs', { kind: 'undo', ...(isWithEdited && { remove_edited: true }) }))
  const press = () => {
    const isTyped = typed.trim().toLocaleLowerCase() === words.word
    setIsMissing(!isTyped)
    if (isTyped) void undo.act()
  }
  const shown = isWithEdited && removable !== undefined ? words.start(formatNumber(removable + edited)) : label
  return (
    <>
      {edited > 0 && (
        <div className="mt-4">
          <Checkbox
            label={words.removeEdited(formatNumber(edited))}
            checked={isWithEdited}
            onChange={({ target }) => setIsWithEdited(target.checked)}
          />
        </div>
      )}
      <TextField
        className="mt-6 max-w-80"
        label={words.confirm(words.word)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={isMissing ? words.confirmMissing(words.word) : null}
        onChange={({ target }) => setTyped(target.value)}
      />
      <FailureNotice failure={undo.failure} />
      <Actions>
        <ActionButton action={undo} onAct={press} pending={words.starting} look="danger">
          {shown}
        </ActionButton>
        <LinkButton to="">{words.keep}</LinkButton>
      </Actions>
    </>
  )
}

/** A preview from before the last run does not cover that run's records. */
function isSince(seenAt: string | null, ranAt: string | null | undefined): boolean {
  return seenAt !== null && (!ranAt || new Date(seenAt) >= new Date(ranAt))
}

function count(entities: Record<string, { undo: Record<string, number> }>, finding: string): number {
  return Object.values(entities).reduce((sum, { undo }) => sum + (undo[finding] ?? 0), 0)
}
