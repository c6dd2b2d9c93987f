import { type FormEvent, useState } from 'react'
import type { ConsolePartnerDetail } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { ActButton } from '../act-button.tsx'
import { Failure, ShownOnce, Table, Time } from '../parts.tsx'
import { useAct } from '../use-ask.ts'

/** The API tokens of a partner, and a form that issues one more. */
export function PartnerTokens({
  partner,
  path,
  isOwner,
}: {
  partner: ConsolePartnerDetail
  path: string
  isOwner: boolean
}) {
  return (
    <Section heading="API tokens">
      <Table
        caption="API tokens"
        empty="None."
        rows={partner.tokens}
        keyOf={(token) => token.id}
        columns={[
          { heading: 'Token', cell: (row) => row.id },
          { heading: 'Label', cell: (row) => row.label ?? '–' },
          { heading: 'May do', cell: (row) => row.scopes?.join(', ') ?? 'everything' },
          { heading: 'Issued', cell: (row) => <Time at={row.created_at} /> },
          { heading: 'Last used', cell: (row) => <Time at={row.last_used_at} /> },
          { heading: 'Expires', cell: (row) => (row.expires_at === null ? 'never' : <Time at={row.expires_at} />) },
          {
            heading: 'State',
            cell: (row) =>
              row.state === 'valid' && isOwner ? (
                <ActButton
                  path={`/tokens/${row.id}/revoke`}
                  question="Every request with this token then fails. Revoke the token?"
                >
                  Revoke
                </ActButton>
              ) : (
                row.state
              ),
          },
        ]}
      />
      {isOwner && partner.disabled_at === null && <IssueToken path={`${path}/tokens`} scopes={partner.scopes} />}
    </Section>
  )
}

function IssueToken({ path, scopes }: { path: string; scopes: Record<string, string> }) {
  const act = useAct<{ api_token: string }>()
  const [label, setLabel] = useState('')
  const [expires, setExpires] = useState('')
  const [hasAll, setHasAll] = useState(true)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!act.isPending) act.mutate({ path, body: { label, expires, scopes: hasAll ? null : chosen } })
  }
  const toggle = (scope: string) =>
    setChosen(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope])
  return (
    <form className="mt-5 grid max-w-140 gap-3" onSubmit={submit}>
      <TextField
        label="Label"
        hint="Purpose of the token."
        maxLength={200}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextField
        label="Last day"
        hint="The token works until the end of this day (UTC). Without a day it does not expire."
        type="date"
        value={expires}
        onChange={(event) => setExpires(event.target.value)}
      />
      <fieldset>
        <legend className="text-sm font-medium">The token may</legend>
        <Checkbox label="do everything" checked={hasAll} onChange={() => setHasAll(!hasAll)} />
        {!hasAll &&
          Object.entries(scopes).map(([scope, meaning]) => (
            <Checkbox
              key={scope}
              label={`${meaning} (${scope})`}
              checked={chosen.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
      </fieldset>
      <div>
        <Button type="submit" look="secondary" isWide={false} aria-disabled={act.isPending}>
          Issue a token
        </Button>
      </div>
      {act.error && <Failure error={act.error} />}
      <div aria-live="polite">{act.isSuccess && <ShownOnce name="API token">{act.data.api_token}</ShownOnce>}</div>
    </form>
  )
}
