import type { ConsoleAuditLine } from '../../../service/src/console/contract.ts'
import { Link, Loaded, Table, Time } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'

const pageSize = 50

/** The audit log, newest first: who did what. */
export function Audit({ params }: ScreenProps) {
  const asked = new URLSearchParams(params.query)
  asked.set('limit', String(pageSize))
  const query = useAsk<{ lines: ConsoleAuditLine[] }>(`/audit?${asked}`)
  return (
    <Loaded query={query}>
      {({ lines }) => (
        <>
          <Table
            caption="Audit log"
            empty="The log is empty."
            rows={lines}
            keyOf={({ id }) => id}
            columns={[
              { heading: 'Time', cell: (row) => <Time at={row.at} /> },
              { heading: 'Who', cell: (row) => row.operator ?? row.actor },
              { heading: 'What', cell: (row) => row.act },
              {
                heading: 'About',
                cell: (row) =>
                  row.subject.startsWith('imp_') ? (
                    <Link to={`import/${row.subject}`}>{row.subject}</Link>
                  ) : (
                    row.subject
                  ),
              },
              {
                heading: 'Details',
                cell: (row) => <code className="text-xs wrap-anywhere">{JSON.stringify(row.details)}</code>,
              },
            ]}
          />
          {lines.length === pageSize && (
            <p className="mt-4">
              <Link to={`audit?before=${lines.at(-1)?.id}`}>Older lines</Link>
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}
