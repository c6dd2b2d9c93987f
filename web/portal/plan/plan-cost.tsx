import { later } from '../../texts/later.ts'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { WhoPays } from '../full/who-pays.tsx'
import { QuoteCard } from '../pay/quote-card.tsx'
import { useQuote } from '../pay/use-quote.ts'
import { useImport } from '../use-import.tsx'

/** The cost of the full migration, shown before the first record is copied. */
export function PlanCost({ plannedAt }: { plannedAt: string | null }) {
  const { imp, facts } = useImport()
  const words = later.pay
  const { data } = useQuote(plannedAt)
  // After the full migration, no payment is open.
  if (imp.status_code === 'migration_completed') return null
  const isDecided = imp.sponsorship !== 'undecided'
  if (imp.sponsorship !== 'accepted' && !data?.quote) return null
  return (
    <Section heading={words.cost}>
      {isDecided && <WhoPays />}
      {data?.quote && <QuoteCard quote={data.quote} note={isDecided ? words.youPay : words.ifYou(facts.partner)} />}
      {data?.quote && data.providers.length === 0 && <Notice>{words.noWay(facts.partner)}</Notice>}
    </Section>
  )
}
