import type { ConsoleOverview } from '../../../service/src/console/contract.ts'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { count, Link, Loaded, Table, Time, words } from '../parts.tsx'
import { useAsk } from '../use-ask.ts'

/** The overview. Problems come first: obstacles, then webhook targets that do not answer, then current runs. */
export function Overview() {
  const query = useAsk<ConsoleOverview>('/overview')
  return <Loaded query={query}>{(data) => <Parts data={data} />}</Loaded>
}

function Parts({ data }: { data: ConsoleOverview }) {
  const { imports, runs, failing_targets, queue, workers, failed_sign_ins, expiring_tokens } = data
  const held = runs.filter(({ obstacle }) => obstacle !== null)
  const moving = runs.filter(({ obstacle }) => obstacle === null)
  return (
    <>
      {workers === 0 && (
        <Notice tone="stopped" heading="No worker is alive">
          <p>Runs and messages wait. Start one: wherry serve --role worker</p>
        </Notice>
      )}
      {failed_sign_ins > 0 && (
        <Notice tone="needs">
          {count(failed_sign_ins)} attempts to sign in to the console failed in the last 24 hours.{' '}
          <Link to="audit">See the audit log</Link>
        </Notice>
      )}
      {expiring_tokens.length > 0 && (
        <Notice tone="needs" heading="API tokens that expire soon">
          <p>After that day, requests with the token fail. Issue a new token and send it to the partner.</p>
          <ul className="mt-1">
            {expiring_tokens.map(({ id, label, partner_id, partner, expires_at }) => (
              <li key={id}>
                <Link to={`partner/${partner_id}`}>{partner}</Link>: {label ?? id}, <Time at={expires_at} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Section heading="Runs that do not go on">
        <Table
          caption="Runs with an obstacle"
          empty="None: no run has an obstacle."
          rows={held}
          keyOf={({ id }) => id}
          columns={[
            { heading: 'Import', cell: (run) => <Link to={`import/${run.import_id}`}>{run.import_id}</Link> },
            { heading: 'Partner', cell: (run) => run.partner },
            { heading: 'Obstacle', cell: (run) => <strong>{words(run.obstacle?.code ?? '')}</strong> },
            { heading: 'Meaning', cell: (run) => run.obstacle?.message },
            { heading: 'State', cell: (run) => run.state },
          ]}
        />
      </Section>
      <Section heading="Webhook targets that fail">
        <Table
          caption="Failing targets"
          empty="None: every target accepts its messages."
          rows={failing_targets}
          keyOf={({ partner_id }) => partner_id}
          columns={[
            { heading: 'Partner', cell: (one) => <Link to={`partner/${one.partner_id}`}>{one.name}</Link> },
            { heading: 'Address', cell: (one) => one.url },
            { heading: 'Failures', cell: (one) => count(one.failures), isNumber: true },
            { heading: 'Since', cell: (one) => <Time at={one.failing_since} /> },
            { heading: 'State', cell: (one) => (one.disabled_at === null ? 'failing' : 'disabled') },
          ]}
        />
      </Section>
      <Section heading="Runs under way">
        <Table
          caption="Runs under way"
          empty="None at the moment."
          rows={moving}
          keyOf={({ id }) => id}
          columns={[
            { heading: 'Import', cell: (run) => <Link to={`import/${run.import_id}`}>{run.import_id}</Link> },
            { heading: 'Partner', cell: (run) => run.partner },
            { heading: 'From', cell: (run) => run.source_tool },
            { heading: 'To', cell: (run) => run.destination_tool },
            { heading: 'Kind', cell: (run) => run.kind },
            {
              heading: 'Records',
              isNumber: true,
              cell: (run) =>
                run.done === null ? '–' : `${count(run.done)}${run.total === null ? '' : ` of ${count(run.total)}`}`,
            },
            {
              heading: 'Per minute',
              isNumber: true,
              cell: (run) => (run.records_per_minute === null ? '–' : count(run.records_per_minute)),
            },
            {
              heading: 'Time left',
              isNumber: true,
              cell: (run) => (run.minutes_left === null ? '–' : `${count(run.minutes_left)} min`),
            },
          ]}
        />
      </Section>
      <Section heading="Open imports">
        <Table
          caption="Open imports by status"
          empty="There is no import yet."
          rows={imports.by_status}
          keyOf={({ status }) => status}
          columns={[
            { heading: 'Status', cell: (row) => <Link to={`imports?status=${row.status}`}>{words(row.status)}</Link> },
            { heading: 'Imports', cell: (row) => count(row.count), isNumber: true },
          ]}
        />
        {imports.is_more && (
          <p className="mt-2 text-sm text-quiet">There are more than 10,000; the rest is not counted.</p>
        )}
      </Section>
      <Section heading="Workers and queue">
        <p className="mt-2">
          {workers === 1 ? '1 worker is' : `${count(workers)} workers are`} alive.{' '}
          {queue.waiting === 0 ? 'No run waits for a worker.' : `${count(queue.waiting)} runs wait for a worker since `}
          {queue.waiting > 0 && <Time at={queue.oldest} />}
        </p>
      </Section>
    </>
  )
}
