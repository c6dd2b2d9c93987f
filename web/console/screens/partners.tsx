import { type FormEvent, useState } from 'react'
import type { ConsolePartner } from '../../../service/src/console/contract.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure, Link, List, Loaded, Table, Time } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAct, useAsk } from '../use-ask.ts'

export function Partners({ session }: ScreenProps) {
  const query = useAsk<{ partners: ConsolePartner[] }>('/partners')
  return (
    <Loaded query={query}>
      {({ partners }) => (
        <>
          <Table
            caption="Partners"
            empty="There is no partner yet."
            rows={partners}
            keyOf={({ id }) => id}
            columns={[
              { heading: 'Name', cell: (row) => <Link to={`partner/${row.id}`}>{row.name}</Link> },
              { heading: 'Destination', cell: (row) => row.destination_tool },
              { heading: 'Families', cell: (row) => row.families.join(', ') },
              { heading: 'Since', cell: (row) => <Time at={row.created_at} /> },
              { heading: 'State', cell: (row) => (row.disabled_at === null ? 'active' : 'disabled') },
            ]}
          />
          {session.role === 'owner' && <NewPartner />}
        </>
      )}
    </Loaded>
  )
}

interface Created {
  id: string
  api_token: string
  webhook_secret: string
}

function NewPartner() {
  const act = useAct<Created>()
  const [given, setGiven] = useState({ name: '', destination: 'open', families: '', webhook_url: '' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!act.isPending) {
      const families = given.families.split(',').map((one) => one.trim())
      act.mutate({ path: '/partners', body: { ...given, families: families.filter((one) => one !== '') } })
    }
  }
  const field = (name: keyof typeof given) => ({
    value: given[name],
    onChange: (event: { target: { value: string } }) => setGiven({ ...given, [name]: event.target.value }),
  })
  return (
    <Section heading="New partner">
      <form className="mt-3 grid max-w-140 gap-4" onSubmit={submit}>
        <TextField label="Name" required {...field('name')} />
        <TextField
          label="Destination"
          hint="A tool, or “open” for the partner’s own product."
          required
          {...field('destination')}
        />
        <TextField
          label="Families"
          hint="Separated by commas, such as helpdesk, crm. Empty for all of the destination."
          {...field('families')}
        />
        <TextField label="Webhook address" hint="Can be set later." type="url" {...field('webhook_url')} />
        <div>
          <Button look="primary" type="submit" aria-disabled={act.isPending}>
            Create partner
          </Button>
        </div>
      </form>
      {act.error && <Failure error={act.error} />}
      {act.data && (
        <Notice tone="good" heading="The partner was created. These two secrets are shown only once.">
          <List
            pairs={[
              ['Partner', act.data.id],
              ['API token', <code key="token">{act.data.api_token}</code>],
              ['Webhook secret', <code key="secret">{act.data.webhook_secret}</code>],
            ]}
          />
        </Notice>
      )}
    </Section>
  )
}
