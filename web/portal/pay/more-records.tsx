import type { PortalObstacle } from '../../../service/src/portal/contract.ts'
import { formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { PaymentState } from './payment-state.tsx'
import { Purchase } from './purchase.tsx'
import { QuoteCard } from './quote-card.tsx'
import { useQuote } from './use-quote.ts'

/** Shown when there are more records than paid for. The customer pays, asks the partner, or finishes without them. */
export function MoreRecords({ obstacle }: { obstacle: PortalObstacle }) {
  const { imp, facts } = useImport()
  const words = later.pay.more
  const { moved = 0, covered = 0, counted = null } = obstacle.records ?? {}
  const { data: quote } = useQuote(`${moved}/${counted}`)
  const ask = useAction(() => send('POST', '/sponsorship-request'))
  const finish = useAction(() => send('POST', '/skip'))
  const { payment } = imp
  const isOpen = payment?.state === 'open'
  return (
    <>
      <div role="alert">
        <Notice tone="needs" heading={words.heading}>
          <p>
            {counted === null
              ? words.copied(formatNumber(moved), formatNumber(covered))
              : words.copiedOf(formatNumber(moved), formatNumber(counted), formatNumber(covered))}
          </p>
          <p className="mt-1">{words.safe}</p>
          {obstacle.is_partner_asked && <p className="mt-1">{words.asked(facts.partner)}</p>}
          <Actions>
            {!obstacle.is_partner_asked && (
              <ActionButton action={ask} onAct={() => void ask.act()} pending={words.asking} look="secondary">
                {words.ask(facts.partner)}
              </ActionButton>
            )}
            <ActionButton action={finish} onAct={() => void finish.act()} pending={words.finishing} look="secondary">
              {words.finish(formatNumber(covered))}
            </ActionButton>
          </Actions>
          <FailureNotice failure={ask.failure ?? finish.failure} />
        </Notice>
      </div>
      {payment && isOpen && <PaymentState payment={payment} />}
      {!isOpen && quote?.quote && (
        <>
          <Section heading={words.pay}>
            <QuoteCard quote={quote.quote} note={words.note} />
          </Section>
          <Purchase quote={quote} />
        </>
      )}
    </>
  )
}
