import type { ConsoleDelivery } from '../../../service/src/console/contract.ts'
import { ActButton } from '../act-button.tsx'
import { count, Link, Loaded, Table, Time, words } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'

/** The log of messages to partners, newest first. */
export function Webhooks({ session, params }: ScreenProps) {
  const query = useAsk<{ deliveries: ConsoleDelivery[] }>(`/deliveries?${params.query}`)
  const onlyFailed = params.query.get('failed') === 'true'
  const other = new URLSearchParams(params.query)
  if (onlyFailed) other.delete('failed')
  else other.set('failed', 'true')
  return (
    <>
      <p className="mt-3">
        <Link to={`webhooks?${other}`}>{onlyFailed ? 'Show all messages' : 'Only messages that did not arrive'}</Link>
      </p>
      <Loaded query={query}>
        {({ deliveries }) => (
          <Table
            caption="Messages"
            empty="There is no such message."
            rows={deliveries}
            keyOf={({ id }) => id}
            columns={[
              { heading: 'Message', cell: (row) => <span className="wrap-anywhere">{row.id}</span> },
              {
                heading: 'Import',
                cell: (row) =>
                  row.import_id === null ? 'test' : <Link to={`import/${row.import_id}`}>{row.import_id}</Link>,
              },
              { heading: 'Status told', cell: (row) => (row.import_status === null ? '–' : words(row.import_status)) },
              { heading: 'State', cell: (row) => words(row.state) },
              { heading: 'Attempts', cell: (row) => count(row.attempts), isNumber: true },
              { heading: 'Last attempt', cell: (row) => <Time at={row.last_try_at} /> },
              { heading: 'Answer', cell: (row) => row.answer ?? row.error ?? '–' },
              {
                heading: 'Again',
                cell: (row) =>
                  session.role === 'reader' ? (
                    '–'
                  ) : (
                    <ActButton path={`/deliveries/${row.id}/replay`}>Send again</ActButton>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  )
}
