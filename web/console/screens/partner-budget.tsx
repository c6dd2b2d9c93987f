import { type FormEvent, useState } from 'react'
import type { ConsoleBudget } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { count, Failure, Link, List, Loaded, Table, Time } from '../parts.tsx'
import { useAct, useAsk } from '../use-ask.ts'

/** The partner's monthly budget for sponsored migrations and the part already spent. Only owners see money. */
export function PartnerBudget({ path }: { path: string }) {
  const query = useAsk<ConsoleBudget>(path)
  return (
    <Section heading="Budget per month">
      <Loaded query={query}>
        {({ month, currency, budget, spent, left, charges }) => (
          <>
            <List
              pairs={[
                ['Month (UTC)', month],
                ['Spent', `${spent} ${currency}`],
                ['Budget', budget === null ? 'no limit' : `${budget} ${currency}`],
                ['Left', left === null ? '–' : `${left} ${currency}`],
              ]}
            />
            <Table
              caption="Sponsored migrations of this month"
              empty="No sponsored migration has started this month."
              rows={charges}
              keyOf={({ import_id, created_at }) => `${import_id} ${created_at}`}
              columns={[
                { heading: 'Import', cell: (row) => <Link to={`import/${row.import_id}`}>{row.import_id}</Link> },
                { heading: 'Started', cell: (row) => <Time at={row.created_at} /> },
                { heading: 'Records', isNumber: true, cell: (row) => count(row.records) },
                { heading: 'Cost', isNumber: true, cell: (row) => `${row.amount} ${currency}` },
              ]}
            />
            <SetBudget path={path} currency={currency} current={budget ?? ''} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function SetBudget({ path, currency, current }: { path: string; currency: string; current: string }) {
  const act = useAct()
  const [amount, setAmount] = useState(current)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!act.isPending) act.mutate({ method: 'PUT', path, body: { amount } })
  }
  return (
    <form className="mt-3 max-w-140" onSubmit={submit}>
      <TextField
        label={`Budget per month in ${currency}`}
        hint="When the budget is spent, the partner pays for no more migrations in that month, and customers can buy. Empty: no limit."
        inputMode="decimal"
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        aside={
          <Button type="submit" isWide={false} className="shrink-0" aria-disabled={act.isPending}>
            Set budget
          </Button>
        }
      />
      {act.error && <Failure error={act.error} />}
    </form>
  )
}
