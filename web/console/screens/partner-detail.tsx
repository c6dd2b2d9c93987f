import type { ConsolePartnerDetail } from '../../../service/src/console/contract.ts'
import { Section } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ActButton } from '../act-button.tsx'
import { Link, List, Loaded, Table, Time } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'
import { PartnerBrand, PartnerMappings, PartnerPolicy, PartnerRetention } from './partner-settings.tsx'
import { SetTarget } from './set-target.tsx'

const once = (name: string, secret: string) => (
  <Notice tone="good" heading={`${name}, shown only now`}>
    <code className="wrap-anywhere">{secret}</code>
  </Notice>
)

/** One partner: its tokens, its webhook target, its policy. */
export function PartnerDetail({ session, params: { id } }: ScreenProps) {
  const path = `/partners/${encodeURIComponent(id)}`
  const query = useAsk<ConsolePartnerDetail>(path)
  const isOwner = session.role === 'owner'
  return (
    <Loaded query={query}>
      {(partner) => (
        <>
          <List
            pairs={[
              ['Name', partner.name],
              ['Id', partner.id],
              ['Destination', partner.destination_tool],
              ['Families', partner.families.join(', ')],
              ['State', partner.disabled_at === null ? 'active' : 'disabled'],
              [
                'Imports',
                <Link key="imports" to={`imports?partner=${partner.id}`}>
                  Show all
                </Link>,
              ],
            ]}
          />
          <Section heading="API tokens">
            <Table
              caption="API tokens"
              empty="None."
              rows={partner.tokens}
              keyOf={(token) => token.id}
              columns={[
                { heading: 'Token', cell: (row) => row.id },
                { heading: 'Label', cell: (row) => row.label ?? '–' },
                { heading: 'Issued', cell: (row) => <Time at={row.created_at} /> },
                { heading: 'Last used', cell: (row) => <Time at={row.last_used_at} /> },
                {
                  heading: 'State',
                  cell: (row) =>
                    row.revoked_at !== null ? (
                      'revoked'
                    ) : isOwner ? (
                      <ActButton
                        path={`/tokens/${row.id}/revoke`}
                        question="Every request with this token fails from then on. Revoke it?"
                      >
                        Revoke
                      </ActButton>
                    ) : (
                      'valid'
                    ),
                },
              ]}
            />
            {isOwner && partner.disabled_at === null && (
              <div className="mt-3">
                <ActButton
                  path={`${path}/tokens`}
                  answer={(data: { api_token: string }) => once('API token', data.api_token)}
                >
                  Issue a token
                </ActButton>
              </div>
            )}
          </Section>
          <Section heading="Webhook target">
            <p className="mt-2 wrap-anywhere">
              {partner.webhook_url ?? 'None.'} <Link to={`webhooks?partner=${partner.id}`}>Log of messages</Link>
            </p>
            {isOwner && <SetTarget path={`${path}/webhook`} current={partner.webhook_url ?? ''} />}
            <div className="mt-3 flex flex-wrap gap-3">
              {session.role !== 'reader' && partner.webhook_url !== null && (
                <>
                  <ActButton path={`${path}/webhook/replay`}>Send given-up messages again</ActButton>
                  <ActButton
                    path={`${path}/webhook/test`}
                    answer={({ arrived }: { arrived: boolean }) => (
                      <p className="mt-2">
                        {arrived ? 'The test message arrived.' : 'It did not arrive: see the log.'}
                      </p>
                    )}
                  >
                    Send a test message
                  </ActButton>
                </>
              )}
              {isOwner && (
                <ActButton
                  path={`${path}/webhook/rotate`}
                  question="Messages are signed with both secrets for 24 hours. Issue a new secret?"
                  answer={(data: { webhook_secret: string }) => once('Webhook secret', data.webhook_secret)}
                >
                  Rotate secret
                </ActButton>
              )}
            </div>
          </Section>
          <PartnerPolicy partner={partner} path={path} isOwner={isOwner} />
          <PartnerBrand partner={partner} path={path} isOwner={isOwner} />
          <PartnerRetention partner={partner} path={path} isOwner={isOwner} />
          <PartnerMappings partner={partner} isOwner={isOwner} />
          {isOwner && partner.disabled_at === null && (
            <div className="mt-8 flex flex-wrap gap-3">
              <ActButton
                path={`${path}/disable`}
                body={{ stop_runs: true }}
                look="danger"
                question="All its tokens are refused from then on, and its runs under way pause. Disable the partner?"
              >
                Disable and pause runs
              </ActButton>
              <ActButton
                path={`${path}/disable`}
                look="danger"
                question="All its tokens are refused from then on. Disable the partner?"
              >
                Disable
              </ActButton>
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}
