import type { PortalPayment } from '../../../service/src/portal/payment-contract.ts'
import { formatDate, formatMoment, formatMoney } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions, buttonClasses } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { importPath, send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** The state of the newest payment, and the customer's next step. */
export function PaymentState({ payment }: { payment: PortalPayment }) {
  const { facts } = useImport()
  const words = later.pay
  const amount = formatMoney(payment.amount, payment.currency)
  const because =
    payment.reason === 'partner_pays'
      ? words.because.partner_pays(facts.partner)
      : payment.reason === 'paid_twice'
        ? words.because.paid_twice
        : ''
  switch (payment.state) {
    case 'open':
      return payment.invoice ? <OpenInvoice payment={payment} /> : <OpenCheckout payment={payment} />
    case 'paid':
      return (
        <>
          <Notice tone="good">{words.paid(amount, formatDate(new Date(payment.paid_at ?? payment.created_at)))}</Notice>
          {payment.invoice && (
            <div className="mt-4">
              <Download look="secondary" />
            </div>
          )}
        </>
      )
    case 'refund_due':
      return (
        <Notice>
          {words.refundDue(amount)} {because}
        </Notice>
      )
    case 'refunded':
      return (
        <Notice>
          {words.refunded(amount)} {because}
          <CreditNote payment={payment} />
        </Notice>
      )
    case 'cancelled':
      return (
        <Notice>
          {payment.invoice ? words.cancelledInvoice(payment.invoice.number) : words.calledOff}
          <CreditNote payment={payment} />
        </Notice>
      )
    case 'expired':
      return <Notice>{words.expired}</Notice>
  }
}

function OpenCheckout({ payment }: { payment: PortalPayment }) {
  const words = later.pay
  const until = payment.expires_at === null ? '' : formatMoment(new Date(payment.expires_at))
  return (
    <>
      <Notice tone="needs">{words.openCard(formatMoney(payment.amount, payment.currency), until)}</Notice>
      <Actions>
        {payment.checkout_url !== null && (
          <a href={payment.checkout_url} className={buttonClasses('primary')}>
            {words.goOn}
          </a>
        )}
        <OtherWay />
      </Actions>
    </>
  )
}

function OpenInvoice({ payment }: { payment: PortalPayment }) {
  const words = later.pay
  const { number = '', due_at: due = payment.created_at } = payment.invoice ?? {}
  return (
    <>
      <Notice tone="needs">
        {words.openInvoice(number, formatMoney(payment.amount, payment.currency), formatDate(new Date(due)))}
      </Notice>
      <Actions>
        <Download look="primary" />
        <OtherWay />
      </Actions>
    </>
  )
}

function CreditNote({ payment }: { payment: PortalPayment }) {
  if (payment.credit_note === null) return null
  return (
    <a href={importPath('/credit-note.pdf')} download className="block underline underline-offset-4">
      {later.pay.creditNote(payment.credit_note)}
    </a>
  )
}

function Download({ look }: { look: 'primary' | 'secondary' }) {
  return (
    <a href={importPath('/invoice.pdf')} download className={buttonClasses(look)}>
      <Icon name="download" />
      {later.pay.download}
    </a>
  )
}

function OtherWay() {
  const words = later.pay
  const cancel = useAction(() => send('POST', '/purchase/cancel'))
  return (
    <>
      <ActionButton action={cancel} onAct={() => void cancel.act()} pending={words.leaving} look="secondary">
        {words.otherWay}
      </ActionButton>
      <FailureNotice failure={cancel.failure} />
    </>
  )
}
