import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Figures } from '../../ui/figures.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { TellMe } from '../messages/tell-me.tsx'
import { usePlan } from '../plan/use-plan.ts'
import { Screen } from '../shell/screen.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { WhoPays } from './who-pays.tsx'

/** What the full migration will do, who pays for it, and its start. */
export function Full() {
  const { imp, facts } = useImport()
  const words = later.full
  const { data: plan } = usePlan()
  const start = useAction(() => send('POST', '/runs', { kind: 'full' }))
  const isPaid = imp.status_code === 'in_preparation' || imp.sponsorship === 'accepted'
  const taken = (plan?.entities ?? []).filter((one) => one.is_taken && one.is_included && (one.total ?? 0) > 0)
  const canUndo = plan?.destination?.can_undo ?? true
  return (
    <Screen title={words.title} intro={words.intro(facts.source, facts.destination)}>
      <Figures
        heading={words.willCopy}
        figures={taken.map(({ entity, total }) => ({
          key: entity,
          label: entityLabel(entity),
          value: formatNumber(total ?? 0),
        }))}
      />
      <Section heading={words.whoPays}>
        <WhoPays />
      </Section>
      <p className="mt-6 text-pretty wrap-anywhere">
        {canUndo ? words.safe(facts.source) : words.safeNoUndo(facts.source)}
      </p>
      <TellMe />
      <FailureNotice failure={start.failure} />
      <Actions>
        {isPaid ? (
          <ActionButton action={start} onAct={() => void start.act()} pending={words.starting}>
            {words.start}
          </ActionButton>
        ) : (
          <p className="text-quiet">{words.notYet}</p>
        )}
        {imp.status_code === 'sample_migration_completed' ? (
          <LinkButton to="">{words.back}</LinkButton>
        ) : (
          <LinkButton to="plan">{words.plan}</LinkButton>
        )}
      </Actions>
    </Screen>
  )
}
