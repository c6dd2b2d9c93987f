import { type FormEvent, useState } from 'react'
import type { ConsoleRecord } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Loaded, Table } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'

/** Finds a record in the ledger by its id in the source or in the destination. */
export function FindRecord({ importId }: { importId: string }) {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(text.trim() === '' ? null : text.trim())
  }
  return (
    <>
      <form className="mt-3 max-w-140" onSubmit={submit}>
        <TextField
          label="Id of the record"
          hint="Its id in the source or in the destination."
          value={text}
          onChange={(event) => setText(event.target.value)}
          aside={
            <Button type="submit" isWide={false}>
              Find
            </Button>
          }
        />
      </form>
      {asked !== null && <Found path={`/imports/${importId}/records?id=${encodeURIComponent(asked)}`} />}
    </>
  )
}

function Found({ path }: { path: string }) {
  const query = useAsk<{ records: ConsoleRecord[] }>(path, false)
  return (
    <Loaded query={query}>
      {({ records }) => (
        <Table
          caption="Records"
          empty="The ledger has no such record."
          rows={records}
          keyOf={({ entity, source_id }) => `${entity} ${source_id}`}
          columns={[
            { heading: 'Entity', cell: (row) => row.entity },
            { heading: 'In the source', cell: (row) => row.source_id },
            { heading: 'In the destination', cell: (row) => row.destination_id ?? '–' },
            { heading: 'State', cell: (row) => row.state },
            { heading: 'Reason', cell: (row) => row.message ?? row.code ?? '–' },
          ]}
        />
      )}
    </Loaded>
  )
}
