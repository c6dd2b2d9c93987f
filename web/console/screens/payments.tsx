import { Section } from '../../ui/card.tsx'
import { Link, Loaded, Table, Time, words } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'

interface Payments {
  payments: {
    id: string
    import_id: string
    provider: string
    state: string
    amount: string
    currency: string
    attention: string | null
    created_at: string
  }[]
  invoices: { number: string; state: string; amount: string; currency: string; import_id: string; due_at: string }[]
}

export function Payments() {
  const query = useAsk<Payments>('/payments')
  return (
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
            ]}
          />
          <Section heading="Open invoices" intro="Marked as paid by: wherry invoice paid">
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
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
