import { count, Link, Loaded, Table, Time, words } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'

interface Mails {
  mails: {
    id: string
    import_id: string
    subject: string
    state: string
    attempts: number
    trouble: string | null
    created_at: string
  }[]
}

export function Mails() {
  const query = useAsk<Mails>('/mails')
  return (
    <Loaded query={query}>
      {({ mails }) => (
        <Table
          caption="Mails"
          empty="No mail was written."
          rows={mails}
          keyOf={({ id }) => id}
          columns={[
            { heading: 'Mail', cell: (row) => <span className="wrap-anywhere">{row.id}</span> },
            { heading: 'Import', cell: (row) => <Link to={`import/${row.import_id}`}>{row.import_id}</Link> },
            { heading: 'About', cell: (row) => row.subject },
            { heading: 'State', cell: (row) => words(row.state) },
            { heading: 'Attempts', cell: (row) => count(row.attempts), isNumber: true },
            { heading: 'Trouble', cell: (row) => row.trouble ?? '–' },
            { heading: 'Written', cell: (row) => <Time at={row.created_at} /> },
          ]}
        />
      )}
    </Loaded>
  )
}
