import { useState } from 'react'
import type { PortalQuote, ProviderName } from '../../../service/src/portal/payment-contract.ts'
import { formatMoney, language } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { Actions } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActionButton } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { BillingForm } from './billing-form.tsx'

/** Lets the customer choose a way to pay and start the payment. */
export function Purchase({ quote: { quote, providers } }: { quote: PortalQuote }) {
  const words = later.pay
  const [chosen, setChosen] = useState<ProviderName | null>(null)
  const checkOut = useAction(async () => {
    const { checkout_url } = await send<{ checkout_url: string }>('POST', '/purchase', { provider: 'stripe', language })
    location.assign(checkout_url)
  })
  const { facts } = useImport()
  if (!quote) return null
  if (providers.length === 0) return <Notice tone="needs">{words.noWay(facts.partner)}</Notice>
  const way = chosen ?? providers[0]
  const amount = formatMoney(quote.amount, quote.currency)
  return (
    <Section heading={providers.length === 1 && way ? words.ways[way].label : words.choose}>
      {providers.length === 1 && way ? (
        <p className="mt-2 text-pretty text-quiet">{words.ways[way].text}</p>
      ) : (
        <fieldset className="mt-3 grid gap-3 sm:grid-cols-2">
          <legend className="sr-only">{words.choose}</legend>
          {providers.map((name) => (
            <label
              key={name}
              className="flex cursor-pointer gap-3 rounded-lg border border-control bg-card p-4 has-checked:border-accent has-checked:ring-1 has-checked:ring-accent"
            >
              <input
                type="radio"
                name="way"
                className="mt-1 size-4 shrink-0 accent-accent"
                checked={way === name}
                onChange={() => setChosen(name)}
              />
              <span className="min-w-0">
                <span className="block font-medium">{words.ways[name].label}</span>
                <span className="mt-1 block text-sm text-pretty text-quiet">{words.ways[name].text}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {way === 'invoice' && <BillingForm amount={amount} />}
      {way === 'stripe' && (
        <>
          <div role="alert">
            {checkOut.failure && (
              <Notice tone="stopped">{checkOut.failure.kind === 'refused' ? words.changed : words.failed}</Notice>
            )}
          </div>
          <Actions>
            <ActionButton action={checkOut} onAct={() => void checkOut.act()} pending={words.opening}>
              {words.payCard(amount)}
            </ActionButton>
          </Actions>
        </>
      )}
    </Section>
  )
}
