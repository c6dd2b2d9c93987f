import { later } from '../../texts/later.ts'
import { Actions, LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Screen } from '../shell/screen.tsx'
import { useImport } from '../use-import.tsx'
import { PaymentState } from './payment-state.tsx'

/** Shown after the return from the checkout. The screen changes once the provider reports the payment. */
export function Paid() {
  const { imp } = useImport()
  const words = later.pay
  const { payment } = imp
  const isWaiting = payment === null || payment.state === 'open'
  return (
    <Screen title={words.waitingTitle}>
      {isWaiting ? (
        <>
          <div role="status">
            <Notice>{words.waiting}</Notice>
          </div>
          <p className="mt-4 text-pretty text-quiet">{words.waitingLong}</p>
        </>
      ) : (
        <PaymentState payment={payment} />
      )}
      <Actions>
        <LinkButton to="full">{words.backToFull}</LinkButton>
      </Actions>
    </Screen>
  )
}
