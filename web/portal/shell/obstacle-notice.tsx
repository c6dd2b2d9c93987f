import type { PortalObstacle } from '../../../service/src/portal/contract.ts'
import { formatMoment, inSentence, known, texts } from '../../texts/index.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { Told } from '../said.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** The obstacle, what it means for the data, and the next step. */
export function ObstacleNotice({
  obstacle,
  onResume,
}: {
  obstacle: PortalObstacle
  onResume?: () => Promise<unknown>
}) {
  const { imp } = useImport()
  const { lost, customer, operator, nothingLost, operatorActs, connectAgain, connectBoth, goOn, resume, resuming } =
    texts.shell.obstacle
  const skipping = useAction(() => send('POST', '/skip'))
  const action = useAction(onResume ?? (() => send('POST', '/resume')))
  const account = obstacle.role ? inSentence(imp[obstacle.role].label) : null
  const isForCustomer = obstacle.must_act === 'customer'
  const isLost = obstacle.code === 'authorization_lost' && account !== null
  const isMailQuestion = obstacle.code === 'look_for_mail'
  const canSkip = obstacle.can_skip === true
  // Whether the service's message has details, such as the record or the page.
  const hasDetail = isMailQuestion || canSkip || obstacle.code === 'requests_refused'
  const { aTool, nobodyActs } = texts.shell.obstacle
  const wait = obstacle.until === undefined ? undefined : known(waits(), obstacle.code)
  const words = wait
    ? wait.until(account ?? aTool, formatMoment(new Date(obstacle.until ?? '')))
    : known(texts.shell.obstacle.byCode, obstacle.code)
  const heading = isLost ? lost(account) : wait ? wait.heading(account ?? aTool) : isForCustomer ? customer : operator
  return (
    <div role="alert">
      <Notice tone={isForCustomer ? 'needs' : 'note'} heading={heading}>
        {words !== undefined && <p>{words}</p>}
        {(words === undefined || hasDetail) && (
          <p className={words === undefined ? '' : 'mt-1 text-sm text-quiet'}>
            <Told text={obstacle.message} />
          </p>
        )}
        <p className="mt-1">{nothingLost}</p>
        {!isForCustomer && <p className="mt-1">{obstacle.must_act === 'nobody' ? nobodyActs : operatorActs}</p>}
        {isForCustomer && (
          <Actions>
            {!hasDetail && (
              <LinkButton to="connect" look="primary">
                {account === null ? connectBoth : connectAgain(account)}
              </LinkButton>
            )}
            <ActionButton
              action={action}
              onAct={() => void action.act()}
              pending={resuming}
              look={hasDetail ? 'primary' : 'secondary'}
            >
              {isMailQuestion ? goOn : resume}
            </ActionButton>
            {canSkip && (
              <ActionButton
                action={skipping}
                onAct={() => void skipping.act()}
                pending={texts.shell.obstacle.skipping}
                look="secondary"
              >
                {texts.shell.obstacle.skip}
              </ActionButton>
            )}
          </Actions>
        )}
        <FailureNotice failure={action.failure ?? skipping.failure} />
      </Notice>
    </div>
  )
}

/** Sentences for obstacles that end by themselves, by code. */
function waits(): Record<
  string,
  { heading: (account: string) => string; until: (account: string, when: string) => string }
> {
  const { askedToWait, askedUntil, budgetSpent, budgetUntil } = texts.shell.obstacle
  return {
    asked_to_wait: { heading: askedToWait, until: askedUntil },
    budget_spent: { heading: budgetSpent, until: budgetUntil },
  }
}
