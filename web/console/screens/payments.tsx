import type { ConsolePayments } from '../../../service/src/console/contract.ts'
import { Section } from '../../ui/card.tsx'
import { ActButton } from '../act-button.tsx'
import { Link, Loaded, Table, Time, words } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'
import { Prices } from './prices.tsx'

const canGoBack = ['paid', 'refund_due']

/** Payments, invoices and prices, for owners only. */
export function Payments() {
  const query = useAsk<ConsolePayments>('/payments')
  return (
    <>
      <Loaded query={query}>
        {({ payments, invoices }) => (
          <>
            <Table
              caption="Payments"
              empty="Nobody has paid yet."
              rows={payments}
              keyOf={({ id }) => id}
              columns={[
                { heading: 'Payment', cell: (row) => <span className="wrap-anywhere">{row.id}</span> },
                { heading: 'Import', cell: (row) => <Link to={`import/${row.import_id}`}>{row.import_id}</Link> },
                { heading: 'By', cell: (row) => row.provider },
                { heading: 'State', cell: (row) => words(row.state) },
                { heading: 'Amount', cell: (row) => `${row.amount} ${row.currency.toUpperCase()}`, isNumber: true },
                { heading: 'Needs a look', cell: (row) => row.attention ?? '–' },
                { heading: 'Begun', cell: (row) => <Time at={row.created_at} /> },
                {
                  heading: 'Refund',
                  cell: (row) =>
                    canGoBack.includes(row.state) ? (
                      <ActButton
                        path={`/payments/${row.id}/refund`}
                        question={
                          row.provider === 'invoice'
                            ? 'This records that you have sent the money back. The import starts no more runs. Record the refund?'
                            : 'The customer gets the money back, and the import starts no more runs. Refund the payment?'
                        }
                      >
                        Refund
                      </ActButton>
                    ) : (
                      '–'
                    ),
                },
              ]}
            />
            <Section heading="Open invoices">
              <Table
                caption="Open invoices"
                empty="None."
                rows={invoices}
                keyOf={({ number }) => number}
                columns={[
                  { heading: 'Invoice', cell: (row) => row.number },
                  { heading: 'Import', cell: (row) => <Link to={`import/${row.import_id}`}>{row.import_id}</Link> },
                  { heading: 'Amount', cell: (row) => `${row.amount} ${row.currency.toUpperCase()}`, isNumber: true },
                  { heading: 'Due', cell: (row) => <Time at={row.due_at} /> },
                  {
                    heading: 'Settle',
                    cell: (row) => (
                      <div className="flex flex-wrap gap-2">
                        <ActButton
                          path={`/invoices/${encodeURIComponent(row.number)}/paid`}
                          question="The customer can then start. Has the money arrived?"
                        >
                          Mark as paid
                        </ActButton>
                        <ActButton
                          path={`/invoices/${encodeURIComponent(row.number)}/cancel`}
                          question="The number stays taken, and a credit note is issued. Cancel the invoice?"
                        >
                          Cancel
                        </ActButton>
                      </div>
                    ),
                  },
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
      <Prices />
    </>
  )
}
