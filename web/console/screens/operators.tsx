import { type FormEvent, useState } from 'react'
import type { ConsoleOperator, ConsoleSetupCode } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActButton } from '../act-button.tsx'
import { count, Failure, Loaded, Table, Time } from '../parts.tsx'
import { useAct, useAsk } from '../use-ask.ts'

const roles = [
  ['owner', 'Owner: everything'],
  ['support', 'Support: imports and runs; no secrets, no money'],
  ['reader', 'Reader: changes nothing'],
] as const

const SetupAddress = ({ setup }: { setup: ConsoleSetupCode }) => (
  <Notice tone="good" heading={`Give this address to ${setup.name}. It is shown only once.`}>
    <code className="wrap-anywhere">{`${window.location.origin}/console#setup=${setup.setup_code}`}</code>
    <p className="mt-2">
      It works once, until <Time at={setup.valid_until} />.
    </p>
  </Notice>
)

/** Accounts of the console. */
export function Operators() {
  const query = useAsk<{ operators: ConsoleOperator[] }>('/operators')
  return (
    <Loaded query={query}>
      {({ operators }) => (
        <>
          <Table
            caption="Operators"
            empty="None."
            rows={operators}
            keyOf={({ id }) => id}
            columns={[
              { heading: 'Name', cell: (row) => row.name },
              { heading: 'Role', cell: (row) => row.role },
              { heading: 'State', cell: (row) => row.state },
              { heading: 'Sessions', cell: (row) => count(row.sessions), isNumber: true },
              {
                heading: 'Acts',
                cell: (row) => (
                  <div className="flex flex-wrap gap-2">
                    <ActButton
                      path={`/operators/${row.id}/reset`}
                      question={`${row.name} needs a new password and authenticator then. Reset the account?`}
                      answer={(setup: ConsoleSetupCode) => <SetupAddress setup={setup} />}
                    >
                      Reset
                    </ActButton>
                    {row.state === 'disabled' ? (
                      <ActButton path={`/operators/${row.id}/enable`}>Enable</ActButton>
                    ) : (
                      <ActButton
                        path={`/operators/${row.id}/disable`}
                        question={`All sessions of ${row.name} end. Disable the account?`}
                      >
                        Disable
                      </ActButton>
                    )}
                  </div>
                ),
              },
            ]}
          />
          <NewOperator />
        </>
      )}
    </Loaded>
  )
}

function NewOperator() {
  const act = useAct<ConsoleSetupCode>()
  const [given, setGiven] = useState({ name: '', role: 'support' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!act.isPending) act.mutate({ path: '/operators', body: given })
  }
  return (
    <Section heading="New operator">
      <form className="mt-3 grid max-w-140 gap-4" onSubmit={submit}>
        <TextField
          label="Name"
          required
          value={given.name}
          onChange={(event) => setGiven({ ...given, name: event.target.value })}
        />
        <Select label="Role" value={given.role} onChange={(event) => setGiven({ ...given, role: event.target.value })}>
          {roles.map(([role, text]) => (
            <option key={role} value={role}>
              {text}
            </option>
          ))}
        </Select>
        <div>
          <Button look="primary" type="submit" aria-disabled={act.isPending}>
            Create account
          </Button>
        </div>
      </form>
      {act.error && <Failure error={act.error} />}
      {act.data && <SetupAddress setup={act.data} />}
    </Section>
  )
}
