import { formatMoment, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OutLink } from '../../ui/out-link.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** Whether the partner pays, and the reason if a policy decided it. */
export function WhoPays() {
  const { imp, facts } = useImport()
  const words = later.full
  const { pay } = later
  const { sponsorship, sponsorship_requested_at: askedAt, sponsorship_reason: reason } = imp
  const { full_page: page } = imp.partner
  const request = useAction(async () => {
    const { full_page } = await send<{ full_page: string | null }>('POST', '/sponsorship-request')
    if (full_page !== null) location.assign(full_page)
  })
  const numbers = [formatNumber(reason?.limit ?? 0), formatNumber(reason?.records ?? 0)] as const
  const isLimited = reason?.policy === 'sponsor_up_to'
  const pageLink = page !== null && (
    <p className="mt-2">
      <OutLink href={page}>{pay.partnerPage(facts.partner)}</OutLink>
    </p>
  )
  if (sponsorship === 'accepted') {
    const why = isLimited
      ? pay.acceptedUpTo(facts.partner, ...numbers)
      : reason?.policy === 'sponsor_all'
        ? pay.acceptedAll(facts.partner)
        : words.accepted(facts.partner)
    return <Notice tone="good">{why}</Notice>
  }
  if (imp.is_paid) return <Notice tone="good">{words.paid}</Notice>
  if (sponsorship === 'rejected') {
    const why = reason?.budget_spent
      ? pay.rejectedBudget(facts.partner)
      : isLimited
        ? pay.rejectedUpTo(facts.partner, ...numbers)
        : reason?.policy === 'customer_pays'
          ? pay.rejectedAll(facts.partner)
          : words.rejected(facts.partner)
    return (
      <Notice>
        {why}
        {isLimited && !reason?.budget_spent && (
          <p className="mt-1">
            <LinkButton to="plan" look="plain">
              {words.plan}
            </LinkButton>
          </p>
        )}
      </Notice>
    )
  }
  if (askedAt !== null) {
    return (
      <Notice>
        {words.asked(facts.partner, formatMoment(new Date(askedAt)))}
        {pageLink}
      </Notice>
    )
  }
  return (
    <>
      <Notice>{isLimited ? pay.askUpTo(facts.partner, ...numbers) : words.undecided(facts.partner)}</Notice>
      <FailureNotice failure={request.failure} />
      <div className="mt-4">
        <ActionButton action={request} onAct={() => void request.act()} pending={words.asking}>
          {words.ask(facts.partner)}
        </ActionButton>
        {page !== null && <p className="mt-2 text-sm text-quiet">{pay.askAndGo(facts.partner)}</p>}
      </div>
    </>
  )
}
