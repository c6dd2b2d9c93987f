import type { PortalQuote } from '../../../service/src/portal/payment-contract.ts'
import { entityLabel, formatDate, formatList, formatMoney, formatNumber, language } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useImport } from '../use-import.tsx'

type Quote = NonNullable<PortalQuote['quote']>

/** The price, the records that it covers, and how it was computed. */
export function QuoteCard({ quote, note }: { quote: Quote; note: string }) {
  const { facts } = useImport()
  const words = later.pay
  const { currency, package: chosen } = quote
  const money = (amount: string) => formatMoney(amount, currency)
  const parts = quote.counted.map(({ entity, records }) => `${entityLabel(entity)} ${formatNumber(records)}`)
  const all = quote.counted.reduce((sum, { records }) => sum + records, 0)
  // The number of records that the partner pays for.
  const sponsored = all - quote.records
  const say = quote.is_estimated ? words.whyAbout : words.why
  const roomOf = (upTo: number | null) => (upTo === null ? words.any : words.upTo(formatNumber(upTo)))
  const isDifference = quote.amount !== quote.price
  return (
    <>
      <Card className="mt-3">
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="text-2xl font-semibold tabular-nums sm:text-3xl">{money(quote.amount)}</span>
          <span className="text-quiet wrap-anywhere">
            {words.package(chosen.name)}, {roomOf(chosen.up_to)}
          </span>
        </p>
        <p className="mt-2 text-pretty">{isDifference ? words.difference(money(quote.price)) : note}</p>
        <p className="mt-2 text-sm text-pretty text-quiet wrap-anywhere">
          {parts.length === 0 ? words.whyNone : say(formatNumber(all), formatList(parts))}{' '}
          {sponsored > 0 && `${words.sponsored(facts.partner, formatNumber(sponsored))} `}
          {words.free}
        </p>
        <p className="mt-2 text-sm text-pretty text-quiet wrap-anywhere">
          {quote.tax_note[language] ?? quote.tax_note.en}{' '}
          {quote.holds_until === null
            ? words.holds(quote.holds_days)
            : words.held(formatDate(new Date(quote.holds_until)))}
        </p>
        {quote.packages.length > 1 && (
          <details className="mt-3 text-sm">
            <summary className="w-fit py-1 text-accent">{words.allPackages}</summary>
            <ul className="mt-1">
              {quote.packages.map(({ name, up_to, price }) => (
                <li
                  key={name}
                  className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2 last:border-0"
                >
                  <span className="wrap-anywhere">
                    {name}, {roomOf(up_to)}
                  </span>
                  <span className="tabular-nums">{money(price)}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </Card>
      {quote.has_uncounted_filters && <Notice>{words.filters}</Notice>}
    </>
  )
}
