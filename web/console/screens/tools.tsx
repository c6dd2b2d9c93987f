import type { ConsoleTool, ConsoleTools } from '../../../service/src/console/contract.ts'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActButton } from '../act-button.tsx'
import { count, Link, Loaded, Table, Time, words } from '../parts.tsx'
import { SaveForm } from '../save-form.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'

const mark = (is: boolean) => (is ? 'yes' : '–')
const spans: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
]

/** For example "writes: 12 per 5 seconds". There is no number if the limit depends on the customer's plan. */
function describeLimit({ name, limit, per_ms }: ConsoleTool['limits'][number]): string {
  const [ms, span] = spans.find(([one]) => per_ms >= one && per_ms % one === 0) ?? [1, 'ms']
  const many = per_ms / ms
  return `${name}: ${limit === null ? 'reported by its answers,' : count(limit)} per ${many === 1 ? span : `${many} ${span}s`}`
}

/** Tools with their health, limits and OAuth clients. */
export function Tools({ session }: ScreenProps) {
  const query = useAsk<ConsoleTools>('/tools')
  const isOwner = session.role === 'owner'
  return (
    <Loaded query={query}>
      {({ tools, left_out, set_aside, oauth_clients, redirect_uri }) => (
        <>
          {left_out.map(({ place, reason }) => (
            <Notice key={place} tone="stopped" heading={`The connector at ${place} was left out`}>
              <p>{reason}</p>
              <p>Repair the connector, then start the service again. Imports with this tool wait.</p>
            </Notice>
          ))}
          {set_aside.map(({ tool, since, reason }) => (
            <Notice key={tool} tone="stopped" heading={`The connector for ${tool} is set aside`}>
              <p>
                Since <Time at={since} />: {reason}. Its runs are paused, and customers cannot connect its accounts.
              </p>
              <p>Correct its code, start the service again, and resume its runs.</p>
              {isOwner && (
                <div className="mt-2">
                  <ActButton
                    path={`/tools/${tool}/admit`}
                    question="If the connector hangs again, the service ends and must be started again. Use it as it is?"
                  >
                    Use it as it is
                  </ActButton>
                </div>
              )}
            </Notice>
          ))}
          <Section
            heading="Health"
            intro="Among the newest 2,000 runs: the runs of the last 7 days, and their current obstacles."
          >
            <Table
              caption="Health of tools"
              empty="No connector is loaded."
              rows={tools}
              keyOf={({ tool }) => tool}
              columns={health}
            />
          </Section>
          <Section
            heading="Connectors"
            intro="The connector declares these limits for one account. All runs of the account share them."
          >
            <Table
              caption="Connectors"
              empty="No connector is loaded."
              rows={tools}
              keyOf={({ tool }) => tool}
              columns={declared}
            />
          </Section>
          <Clients clients={oauth_clients} tools={tools} isOwner={isOwner} redirectUri={redirect_uri} />
        </>
      )}
    </Loaded>
  )
}

const health = [
  { heading: 'Tool', cell: (row: ConsoleTool) => row.label },
  { heading: 'Runs', cell: (row: ConsoleTool) => count(row.health.runs), isNumber: true },
  { heading: 'Failing', cell: (row: ConsoleTool) => count(row.health.failing), isNumber: true },
  {
    heading: 'Obstacles now',
    cell: ({ tool, health: { obstacles } }: ConsoleTool) =>
      obstacles.length === 0 ? (
        '–'
      ) : (
        <Link to={`imports?tool=${tool}`}>
          {obstacles.map(({ code, count: many }) => `${words(code)} (${count(many)})`).join(', ')}
        </Link>
      ),
  },
  { heading: 'Waits until', cell: (row: ConsoleTool) => <Time at={row.health.waits_until} /> },
  { heading: 'Last success', cell: (row: ConsoleTool) => <Time at={row.health.last_success} /> },
]

const declared = [
  { heading: 'Tool', cell: (row: ConsoleTool) => row.label },
  { heading: 'Name in the API', cell: (row: ConsoleTool) => row.tool },
  { heading: 'Families', cell: (row: ConsoleTool) => row.families.join(', ') },
  { heading: 'Source', cell: (row: ConsoleTool) => mark(row.is_source) },
  { heading: 'Destination', cell: (row: ConsoleTool) => mark(row.is_destination) },
  { heading: 'From outside', cell: (row: ConsoleTool) => mark(row.is_from_outside) },
  {
    heading: 'Limits',
    cell: ({ limits }: ConsoleTool) =>
      limits.length === 0 ? (
        '–'
      ) : (
        <ul className="whitespace-nowrap">
          {limits.map((one) => (
            <li key={one.name}>{describeLimit(one)}</li>
          ))}
        </ul>
      ),
  },
]

interface ClientsProps {
  clients: ConsoleTools['oauth_clients']
  tools: ConsoleTool[]
  isOwner: boolean
  redirectUri: string
}

function Clients({ clients, tools, isOwner, redirectUri }: ClientsProps) {
  const able = tools.filter(({ takes_oauth_client }) => takes_oauth_client)
  const [first] = able
  return (
    <Section heading="Clients for signing in" intro="With a client, customers sign in at the tool and type no key.">
      <Table
        caption="OAuth clients"
        empty="None: customers type keys."
        rows={clients}
        keyOf={({ tool, instance }) => `${tool} ${instance}`}
        columns={[
          { heading: 'Tool', cell: (row) => row.tool },
          { heading: 'Instance', cell: (row) => row.instance || 'the vendor’s' },
          { heading: 'Client id', cell: (row) => <span className="wrap-anywhere">{row.client_id}</span> },
          { heading: 'Secret', cell: (row) => (row.has_secret ? 'sealed' : 'none') },
          { heading: 'Set', cell: (row) => <Time at={row.updated_at} /> },
          {
            heading: 'Remove',
            cell: (row) =>
              isOwner ? (
                <ActButton
                  method="DELETE"
                  path={`/tools/${row.tool}/oauth?${new URLSearchParams(row.instance === '' ? {} : { instance: row.instance })}`}
                  question="Its accounts can be used until their tokens run out. Remove the client?"
                >
                  Remove
                </ActButton>
              ) : (
                '–'
              ),
          },
        ]}
      />
      {isOwner && first && <NewClient first={first} able={able} redirectUri={redirectUri} />}
    </Section>
  )
}

function NewClient({ first, able, redirectUri }: { first: ConsoleTool; able: ConsoleTool[]; redirectUri: string }) {
  return (
    <>
      <h3 className="mt-6 font-semibold">Set a client</h3>
      <p className="mt-1 text-quiet wrap-anywhere">
        Register this address at the tool: <code>{redirectUri}</code>
      </p>
      <SaveForm
        path={({ tool }) => `/tools/${tool}/oauth`}
        button="Set client"
        clears={['client_secret']}
        fields={[
          { name: 'tool', label: 'Tool', value: first.tool, choices: able.map(({ tool, label }) => [tool, label]) },
          {
            name: 'instance',
            label: 'Instance',
            hint: `Only for tools that people run themselves: ${able
              .filter((one) => one.is_per_instance)
              .map(({ label }) => label)
              .join(', ')}.`,
            type: 'url',
          },
          { name: 'client_id', label: 'Client id', isRequired: true },
          {
            name: 'client_secret',
            label: 'Client secret',
            hint: 'Sealed, and never shown again. A public client has none.',
            type: 'password',
          },
        ]}
      />
    </>
  )
}
