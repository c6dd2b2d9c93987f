import { useEffect } from 'react'
import type { ImportStatus } from '../../../service/src/portal/contract.ts'
import { formatMoment, formatNumber, texts } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Working } from '../../ui/working.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { SkippedKinds } from '../records/skipped-kinds.tsx'
import { ObstacleNotice } from '../shell/obstacle-notice.tsx'
import { Screen } from '../shell/screen.tsx'
import { TwinNotice } from '../shell/twin-notice.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { Decisions } from './decisions.tsx'
import { PlanChecks } from './plan-checks.tsx'
import { PlanCost } from './plan-cost.tsx'
import { PlanEntities } from './plan-entities.tsx'
import { PlanTime } from './plan-time.tsx'
import { Promises } from './promises.tsx'
import { StartSample } from './start-sample.tsx'
import { Unprotected } from './unprotected.tsx'
import { usePlan } from './use-plan.ts'
import { Verdict } from './verdict.tsx'

/** Statuses in which a new plan can be made. */
const replanned: ImportStatus[] = [
  'waiting_to_start_sample_migration',
  'sample_migration_completed',
  'in_preparation',
  'migration_completed',
]

/** The plan: counts, copied parts and losses. Nothing has been written yet. */
export function Plan() {
  const { imp, facts } = useImport()
  const { data: plan, errorUpdateCount } = usePlan()
  const lookAgain = useAction(() => send('POST', '/runs', { kind: 'plan' }))
  const words = later.plan
  const isFirst = imp.status_code === 'waiting_to_start_sample_migration'
  // No new plan is made during a run, because the run uses the current plan.
  const isUnderWay = imp.status_code === 'migration_in_progress'
  const isWorking = plan === undefined || (plan.state === 'working' && !plan.is_again)
  // A new plan is needed when the customer's decisions have changed since.
  const isToLookAgain =
    plan?.is_outdated === true &&
    plan.state === 'finished' &&
    replanned.includes(imp.status_code) &&
    !imp.starts_by_itself &&
    lookAgain.failure === null
  const { act } = lookAgain
  useEffect(() => {
    if (isToLookAgain) void act()
  }, [isToLookAgain, act])
  if (!plan || (plan.made_at === null && plan.state === 'working')) {
    return (
      <Screen title={words.titleWorking} intro={words.working(facts.source)}>
        <TwinNotice />
        <Working hasFailed={errorUpdateCount > 0} className="mt-4" />
      </Screen>
    )
  }
  const found = plan.entities.filter(({ total, looked_at }) => (total ?? looked_at) > 0)
  const isBlocked = plan.checks.some((check) => !check.is_fine && check.is_blocking)
  const lookButton = (
    <ActionButton
      action={lookAgain}
      onAct={() => void lookAgain.act()}
      pending={words.lookingAgain}
      look="plain"
      isWide={false}
    >
      {words.lookAgain}
    </ActionButton>
  )
  return (
    <Screen
      title={isWorking ? words.titleWorking : words.title(facts.destination)}
      intro={isWorking ? words.working(facts.source) : isFirst ? words.intro(facts.source) : words.introAgain}
    >
      {plan.obstacle && <ObstacleNotice obstacle={plan.obstacle} onResume={() => send('POST', '/resume')} />}
      <TwinNotice />
      {!isWorking && (
        <>
          <Verdict plan={plan} entities={found} />
          <PlanChecks checks={plan.checks} />
          <Unprotected entities={found} />
          <Decisions entities={found} />
        </>
      )}
      <Section heading={words.numbers}>
        {found.length === 0 && !isWorking ? (
          <p className="mt-2 text-quiet">{words.nothing(facts.source)}</p>
        ) : (
          <PlanEntities plan={plan} entities={found} isWorking={isWorking} />
        )}
        <p className="mt-2 flex flex-wrap items-center gap-x-4 text-sm text-quiet">
          {plan.made_at !== null && words.madeAt(formatMoment(new Date(plan.made_at)))}
          {!isWorking && !isUnderWay && lookButton}
          {!isWorking && found.length > 0 && (
            <LinkButton
              to={`mapping/${encodeURIComponent(found.find(({ is_taken }) => is_taken)?.entity ?? '')}`}
              look="plain"
            >
              {words.editMapping}
            </LinkButton>
          )}
        </p>
        <FailureNotice failure={lookAgain.failure} />
      </Section>
      {!isWorking && (
        <>
          <div className="grid gap-x-10 lg:grid-cols-2">
            <div>
              <Section heading={words.people}>
                <p className="mt-2 text-pretty">
                  {imp.users.source_tool === 0
                    ? words.peopleNone(facts.source)
                    : words.peopleMatched(formatNumber(imp.users.matched), formatNumber(imp.users.source_tool))}
                </p>
                {imp.users.source_tool > 0 && (
                  <LinkButton to="people" look="plain" isWide={false}>
                    {words.editPeople}
                  </LinkButton>
                )}
              </Section>
              <SkippedKinds warnings={imp.warnings} />
              {plan.duration && imp.status_code !== 'migration_completed' && <PlanTime duration={plan.duration} />}
            </div>
            <div>{plan.destination && <Promises destination={plan.destination} />}</div>
          </div>
          <PlanCost plannedAt={plan.made_at} />
          {isFirst || imp.status_code === 'sample_migration_completed' ? (
            <StartSample entities={found} allowance={plan.sample} isBlocked={isBlocked} isFirst={isFirst} />
          ) : (
            <Actions>
              <LinkButton to="" look="primary">
                {texts.shell.toStatus}
              </LinkButton>
              {!isUnderWay && <p className="text-sm text-quiet sm:mr-auto">{words.fullNote}</p>}
            </Actions>
          )}
        </>
      )}
    </Screen>
  )
}
