import { type FormEvent, useState } from 'react'
import type { ConsoleFoundImport } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Link, Loaded, Table, Time, words } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'

const pageSize = 50

/** Imports of all partners, with a search by id, user, partner, tool or status. */
export function Imports({ params }: ScreenProps) {
  const [text, setText] = useState(params.query.get('text') ?? '')
  const asked = new URLSearchParams(params.query)
  asked.set('limit', String(pageSize))
  const query = useAsk<{ imports: ConsoleFoundImport[] }>(`/imports?${asked}`)
  const search = (event: FormEvent) => {
    event.preventDefault()
    window.location.hash = `#/imports?${new URLSearchParams(text.trim() === '' ? {} : { text: text.trim() })}`
  }
  const status = params.query.get('status')
  return (
    <>
      <form className="mt-4 max-w-140" onSubmit={search}>
        <TextField
          label="Search"
          type="search"
          hint="The id of an import, or the beginning of the name of a user or partner."
          value={text}
          onChange={(event) => setText(event.target.value)}
          aside={
            <Button type="submit" isWide={false}>
              Search
            </Button>
          }
        />
      </form>
      {status !== null && (
        <p className="mt-4">
          Only imports with the status “{words(status)}”. <Link to="imports">Show all</Link>
        </p>
      )}
      <Loaded query={query}>
        {({ imports }) => (
          <>
            <Table
              caption="Imports"
              empty="No import was found."
              rows={imports}
              keyOf={({ id }) => id}
              columns={[
                { heading: 'Import', cell: (row) => <Link to={`import/${row.id}`}>{row.id}</Link> },
                { heading: 'Partner', cell: (row) => <Link to={`partner/${row.partner_id}`}>{row.partner}</Link> },
                { heading: 'User', cell: (row) => row.user ?? '–' },
                { heading: 'From', cell: (row) => row.source_tool },
                { heading: 'To', cell: (row) => row.destination_tool },
                { heading: 'Status', cell: (row) => words(row.ended_as ?? row.status) },
                { heading: 'Obstacle', cell: (row) => (row.obstacle === null ? '–' : words(row.obstacle)) },
                { heading: 'Created', cell: (row) => <Time at={row.created_at} /> },
              ]}
            />
            {imports.length === pageSize && (
              <p className="mt-4">
                <Link to={`imports?${olderThan(params.query, imports.at(-1)?.id ?? '')}`}>Older imports</Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function olderThan(query: URLSearchParams, id: string): URLSearchParams {
  const older = new URLSearchParams(query)
  older.set('before', id)
  return older
}
