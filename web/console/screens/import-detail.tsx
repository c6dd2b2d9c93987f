import type {
  ConsoleAdvice,
  ConsoleImport,
  ConsoleObstacle,
  ConsoleSession,
} from '../../../service/src/console/contract.ts'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { count, Link, List, Loaded, Table, Time, words } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'
import { FindRecord } from './find-record.tsx'
import { ImportActs } from './import-acts.tsx'
import { LookAtPortal } from './look-at-portal.tsx'

/** One import with its obstacle, possible acts and timeline. */
export function ImportDetail({ session, params: { id } }: ScreenProps) {
  const query = useAsk<ConsoleImport>(`/imports/${encodeURIComponent(id)}`)
  return <Loaded query={query}>{(imp) => <Parts imp={imp} session={session} />}</Loaded>
}

function Parts({ imp, session }: { imp: ConsoleImport; session: ConsoleSession }) {
  const { run, obstacle } = imp
  return (
    <>
      <List
        pairs={[
          ['Id', imp.id],
          [
            'Partner',
            <Link key="partner" to={`partner/${imp.partner_id}`}>
              {imp.partner_id}
            </Link>,
          ],
          ['From', imp.source_tool],
          ['To', imp.destination_tool],
          ['Status', words(imp.ended_as ?? imp.status)],
          [
            'Records',
            `${count(imp.progress.done)}${imp.progress.total === null ? '' : ` of ${count(imp.progress.total)}`}`,
          ],
          ['Sponsorship', imp.sponsorship],
          ['Created', <Time key="created" at={imp.created_at} />],
        ]}
      />
      {obstacle && imp.ended_as === null && <Held obstacle={obstacle} />}
      {run?.next_try_at && (
        <p className="mt-3">
          The next attempt is at <Time at={run.next_try_at} />.
        </p>
      )}
      {session.role !== 'reader' && <ImportActs imp={imp} isOwner={session.role === 'owner'} />}
      {session.role !== 'reader' && imp.ended_as === null && (
        <Section heading="See the portal as the customer does">
          <LookAtPortal importId={imp.id} />
        </Section>
      )}
      <Section heading="Warnings">
        <Table
          caption="Warnings"
          empty="None."
          rows={imp.warnings}
          keyOf={({ code, entity }) => `${code} ${entity}`}
          columns={[
            { heading: 'Code', cell: (row) => row.code },
            { heading: 'Entity', cell: (row) => row.entity },
            { heading: 'Records', cell: (row) => count(row.count), isNumber: true },
            { heading: 'Meaning', cell: (row) => row.message },
          ]}
        />
      </Section>
      <Section heading="Runs">
        <Table
          caption="Runs"
          empty="No run was started."
          rows={imp.runs}
          keyOf={({ id }) => id}
          columns={[
            { heading: 'Run', cell: (row) => <span className="wrap-anywhere">{row.id}</span> },
            { heading: 'Kind', cell: (row) => row.kind },
            { heading: 'State', cell: (row) => row.state },
            { heading: 'Obstacle', cell: (row) => (row.obstacle === null ? '–' : words(row.obstacle)) },
            { heading: 'Failures', cell: (row) => count(row.failures), isNumber: true },
            { heading: 'Started', cell: (row) => <Time at={row.created_at} /> },
            { heading: 'Ended', cell: (row) => <Time at={row.finished_at} /> },
          ]}
        />
      </Section>
      <Section heading="Find a record">
        <FindRecord importId={imp.id} />
      </Section>
      <Section heading="Timeline">
        <Table
          caption="Timeline"
          empty="Nothing happened yet."
          rows={imp.activity.map((row, at) => ({ ...row, key: `${row.at} ${at}` }))}
          keyOf={({ key }) => key}
          columns={[
            { heading: 'Time', cell: (row) => <Time at={row.at} /> },
            { heading: 'Who', cell: (row) => row.name ?? row.actor },
            { heading: 'What', cell: (row) => (row.status === null ? row.act : `status: ${words(row.status)}`) },
          ]}
        />
      </Section>
    </>
  )
}

/** The run's obstacle, who has to act, and the next step. */
function Held({ obstacle: { code, message } }: { obstacle: ConsoleObstacle }) {
  const { data } = useAsk<{ obstacles: ConsoleAdvice[] }>('/obstacles', false)
  const advice = data?.obstacles.find((one) => one.code === code)
  return (
    <Notice tone="needs" heading={words(code)}>
      <p>{message}</p>
      {advice && (
        <List
          pairs={[
            ['Meaning', advice.meaning],
            ['Who acts', advice.who_acts],
            ['Next step', advice.next_step],
          ]}
        />
      )}
    </Notice>
  )
}
