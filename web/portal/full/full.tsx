import { useRef } from 'react'
import type { PortalPlan } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Figures } from '../../ui/figures.tsx'
import { Working } from '../../ui/working.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { TellMe } from '../messages/tell-me.tsx'
import { PaymentState } from '../pay/payment-state.tsx'
import { Purchase } from '../pay/purchase.tsx'
import { QuoteCard } from '../pay/quote-card.tsx'
import { useQuote } from '../pay/use-quote.ts'
import { usePlan } from '../plan/use-plan.ts'
import { ObstacleNotice } from '../shell/obstacle-notice.tsx'
import { Screen } from '../shell/screen.tsx'
import { TwinNotice } from '../shell/twin-notice.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { WhoPays } from './who-pays.tsx'

/** Shown while the plan is being made. The customer need not do anything. */
function StartsByItself({ plan }: { plan: PortalPlan | undefined }) {
  const { facts } = useImport()
  const words = later.full
  return (
    <Screen title={words.titleByItself} intro={words.introByItself(facts.source, facts.destination)}>
      {plan?.obstacle && <ObstacleNotice obstacle={plan.obstacle} onResume={() => send('POST', '/resume')} />}
      <TwinNotice />
      <p className="mt-6 text-pretty wrap-anywhere">{words.safe(facts.source)}</p>
      <TellMe />
      <Actions>
        <LinkButton to="plan">{words.seePlan}</LinkButton>
      </Actions>
    </Screen>
  )
}

/** What the full migration covers, who pays for it, and the button that starts it. */
export function Full() {
  const { imp, facts } = useImport()
  const words = later.full
  const { data: plan, isError: isPlanMissing } = usePlan()
  const start = useAction(() => send('POST', '/runs', { kind: 'full' }))
  const { data: quote, isError: isQuoteMissing } = useQuote(plan?.made_at ?? null)
  // The screen stays visible while the price is reloaded.
  const isShown = useRef(false)
  isShown.current ||= (plan !== undefined && quote !== undefined) || isPlanMissing || isQuoteMissing
  const isSponsored = imp.sponsorship === 'accepted'
  // The customer has paid, but the plan has more records by now.
  const isShort = !isSponsored && imp.is_paid && quote?.state === 'ready'
  const isPaid = isSponsored || (imp.is_paid && !isShort)
  const { payment } = imp
  const isToBuy = !isSponsored && imp.sponsorship === 'rejected' && !isPaid
  const taken = (plan?.entities ?? []).filter((one) => one.is_taken && one.is_included && (one.total ?? 0) > 0)
  const canUndo = plan?.destination?.can_undo ?? true
  if (imp.starts_by_itself) return <StartsByItself plan={plan} />
  return (
    <Screen title={words.title} intro={words.intro(facts.source, facts.destination)}>
      <TwinNotice />
      {!isShown.current && <Working />}
      <div data-comes-last>
        <Figures
          heading={words.willCopy}
          figures={taken.map(({ entity, total }) => ({
            key: entity,
            label: entityLabel(entity),
            value: formatNumber(total ?? 0),
          }))}
        />
        <Section heading={words.whoPays}>
          {!(imp.is_paid && payment?.state === 'paid') && <WhoPays />}
          {payment && (imp.sponsorship !== 'undecided' || payment.state !== 'cancelled') && (
            <PaymentState payment={payment} />
          )}
        </Section>
        {isToBuy && quote?.state === 'counting' && <p className="mt-6 text-quiet">{later.pay.counting}</p>}
        {!isPaid && quote?.quote && payment?.state !== 'open' && (
          <Section heading={later.pay.cost}>
            <QuoteCard
              quote={quote.quote}
              note={
                imp.sponsorship === 'undecided'
                  ? `${later.pay.ifYouNow} ${(quote.providers.length === 0 ? later.pay.noWay : later.pay.waitsFor)(facts.partner)}`
                  : later.pay.youPay
              }
            />
          </Section>
        )}
        {isToBuy && quote?.quote && payment?.state !== 'open' && <Purchase quote={quote} />}
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
            <p className="text-quiet">{isToBuy ? words.notPaid : words.notYet(facts.partner)}</p>
          )}
          {imp.status_code === 'sample_migration_completed' ? (
            <LinkButton to="">{words.back}</LinkButton>
          ) : (
            <LinkButton to="plan">{words.plan}</LinkButton>
          )}
        </Actions>
      </div>
    </Screen>
  )
}
