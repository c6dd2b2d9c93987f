import type { ConsoleOpenSession } from '../../../service/src/console/contract.ts'
import { ActButton } from '../act-button.tsx'
import { Loaded, Table, Time } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'

/** Open sessions: an operator's own, and for owners all sessions. */
export function Sessions({ session }: ScreenProps) {
  const query = useAsk<{ sessions: ConsoleOpenSession[] }>('/sessions')
  return (
    <Loaded query={query}>
      {({ sessions }) => (
        <Table
          caption="Open sessions"
          empty="None."
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { heading: 'Who', cell: (row) => row.name },
            { heading: 'Browser', cell: (row) => <span className="wrap-anywhere">{row.agent || '–'}</span> },
            { heading: 'Address', cell: (row) => row.address },
            { heading: 'Since', cell: (row) => <Time at={row.created_at} /> },
            { heading: 'Last seen', cell: (row) => <Time at={row.last_seen_at} /> },
            {
              heading: 'End',
              cell: (row) =>
                row.id === session.session_id ? (
                  'this browser'
                ) : (
                  <ActButton method="DELETE" path={`/sessions/${row.id}`}>
                    End
                  </ActButton>
                ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}
