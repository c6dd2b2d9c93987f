import { Section } from '../../ui/card.tsx'
import { Loaded, Table } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'

interface Tools {
  tools: { tool: string; label: string; families: string[]; is_source: boolean; is_destination: boolean }[]
  oauth_clients: { tool: string; instance: string; client_id: string }[]
}

const mark = (is: boolean) => (is ? 'yes' : '–')

export function Tools() {
  const query = useAsk<Tools>('/tools')
  return (
    <Loaded query={query}>
      {({ tools, oauth_clients }) => (
        <>
          <Table
            caption="Tools"
            empty="No connector is loaded."
            rows={tools}
            keyOf={({ tool }) => tool}
            columns={[
              { heading: 'Tool', cell: (row) => row.label },
              { heading: 'Name in the API', cell: (row) => row.tool },
              { heading: 'Families', cell: (row) => row.families.join(', ') },
              { heading: 'Source', cell: (row) => mark(row.is_source) },
              { heading: 'Destination', cell: (row) => mark(row.is_destination) },
            ]}
          />
          <Section heading="Clients for signing in" intro="Set and removed by: wherry connector oauth">
            <Table
              caption="OAuth clients"
              empty="None: customers type keys."
              rows={oauth_clients}
              keyOf={({ tool, instance }) => `${tool} ${instance}`}
              columns={[
                { heading: 'Tool', cell: (row) => row.tool },
                { heading: 'Instance', cell: (row) => row.instance || 'the vendor’s' },
                { heading: 'Client id', cell: (row) => row.client_id },
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
