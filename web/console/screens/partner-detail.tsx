import type { ConsolePartnerDetail } from '../../../service/src/console/contract.ts'
import { Section } from '../../ui/card.tsx'
import { ActButton } from '../act-button.tsx'
import { Link, List, Loaded, ShownOnce } from '../parts.tsx'
import type { ScreenProps } from '../screens.ts'
import { useAsk } from '../use-ask.ts'
import { PartnerBudget } from './partner-budget.tsx'
import { PartnerBrand, PartnerMappings, PartnerPolicy, PartnerRetention } from './partner-settings.tsx'
import { PartnerTokens } from './partner-tokens.tsx'
import { SetTarget } from './set-target.tsx'

/** One partner: its tokens, its webhook target, its policy, its budget. */
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
          <PartnerTokens partner={partner} path={path} isOwner={isOwner} />
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
                  answer={(data: { webhook_secret: string }) => (
                    <ShownOnce name="Webhook secret">{data.webhook_secret}</ShownOnce>
                  )}
                >
                  Rotate secret
                </ActButton>
              )}
            </div>
          </Section>
          <PartnerPolicy partner={partner} path={path} isOwner={isOwner} />
          {isOwner && <PartnerBudget path={`${path}/budget`} />}
          <PartnerBrand partner={partner} path={path} isOwner={isOwner} />
          <PartnerRetention partner={partner} path={path} isOwner={isOwner} />
          <PartnerMappings partner={partner} isOwner={isOwner} />
          {isOwner && partner.disabled_at === null && (
            <div className="mt-8 flex flex-wrap gap-3">
              <ActButton
                path={`${path}/disable`}
                body={{ stop_runs: true }}
                look="danger"
                question="The API then refuses all tokens of this partner, and its runs under way pause. Disable the partner?"
              >
                Disable and pause runs
              </ActButton>
              <ActButton
                path={`${path}/disable`}
                look="danger"
                question="The API then refuses all tokens of this partner. Disable the partner?"
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
