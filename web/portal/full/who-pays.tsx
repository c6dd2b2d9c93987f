import { formatMoment } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'

/** The partner pays, has not decided, or does not. */
export function WhoPays() {
  const { imp, facts } = useImport()
  const { accepted, paid, undecided, ask, asking, asked, rejected } = later.full
  const request = useAction(() => send('POST', '/sponsorship-request'))
  const { sponsorship, sponsorship_requested_at: askedAt } = imp
  if (sponsorship === 'accepted') return <Notice tone="good">{accepted(facts.partner)}</Notice>
  if (imp.status_code === 'in_preparation') return <Notice tone="good">{paid}</Notice>
  if (sponsorship === 'rejected') return <Notice tone="needs">{rejected(facts.partner)}</Notice>
  if (askedAt !== null) return <Notice>{asked(facts.partner, formatMoment(new Date(askedAt)))}</Notice>
  return (
    <>
      <Notice>{undecided(facts.partner)}</Notice>
      <FailureNotice failure={request.failure} />
      <div className="mt-4">
        <ActionButton action={request} onAct={() => void request.act()} pending={asking}>
          {ask(facts.partner)}
        </ActionButton>
      </div>
    </>
  )
}
