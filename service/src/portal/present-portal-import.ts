import type { Connector, OAuthOffer } from '../connectors/contract/contract.ts'
import { credentialsOf } from '../connectors/credentials.ts'
import { nameTool } from '../connectors/kit/name-tool.ts'
import type { Twin } from '../imports/warn-of-twin.ts'
import { statusTexts } from '../lifecycle.ts'
import type { AccountAccess, PortalAccount, PortalError, PortalImport, PortalRun } from './contract.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import { type PaymentJson, presentPayment } from './present-payment.ts'

export function presentPortalImport(
  imp: PortalImportRow,
  run: PortalRun | null,
  twin: Twin | null,
  connectors: readonly Connector[],
): PortalImport {
  const { destination_tool: destination } = imp
  const connectorOf = (tool: string) => connectors.find((connector) => connector.tool === tool)
  const accountOf = (role: 'source' | 'destination', tool: string): PortalAccount => ({
    tool,
    label: nameTool(connectors, tool, imp.partner_name),
    access: accessTo(imp, role),
    account: imp.authorizations.find((candidate) => candidate.role === role)?.account_name ?? null,
    asks: credentialsOf(connectorOf(tool), role).map(({ wireName }) => wireName),
    sign_in: signInPlaces(
      connectorOf(tool)?.[role]?.oauth,
      imp.oauth_clients.filter((client) => client.tool === tool).map(({ instance }) => instance),
    ),
  })
  return {
    id: imp.id,
    status: statusTexts[imp.status],
    status_code: imp.status,
    partner: {
      name: imp.partner_name,
      accent: imp.partner_accent,
      has_logo: Boolean(imp.has_logo),
      full_page: imp.full_page_url,
    },
    source: accountOf('source', imp.source_tool),
    destination: withFallback(
      accountOf('destination', destination),
      imp.destination_username ?? hostOf(imp.destination_instance_url),
    ),
    untold_deletions: untoldDeletions(imp, connectors),
    undo_until: imp.undo_until?.toISOString() ?? null,
    changes_since: imp.changes_since?.toISOString() ?? null,
    family: imp.family,
    start_full: imp.start_full,
    starts_by_itself: Boolean(imp.starts_by_itself),
    sponsorship: imp.sponsorship,
    sponsorship_requested_at: imp.sponsorship_requested_at?.toISOString() ?? null,
    sponsorship_by: imp.sponsorship_by,
    sponsorship_reason: imp.sponsorship_reason,
    is_paid: imp.paid_at !== null,
    payment: imp.payment && presentPayment(imp.payment as PaymentJson, new Date()),
    run,
    items: imp.items,
    users: imp.users,
    progress: imp.progress,
    warnings: imp.warnings,
    twin: twin && { ...twin, ran_at: twin.ran_at.toISOString() },
    created_at: imp.created_at.toISOString(),
    read_at: imp.read_at.toISOString(),
  }
}

function untoldDeletions({ items, source_tool }: PortalImportRow, connectors: readonly Connector[]): string[] {
  const told = connectors.find(({ tool }) => tool === source_tool)?.source?.tellsDeleted ?? []
  return Object.keys(items).filter((entity) => !told.includes(entity))
}

export function presentEnded(imp: PortalImportRow, endedAs: 'cancelled' | 'archived'): PortalError {
  const { partner_name: partner } = imp
  const message =
    endedAs === 'cancelled'
      ? `This import was cancelled, so there is nothing left to do here. ${partner} can tell you more, or start a new one.`
      : `This import was closed and archived, so there is nothing left to do here. ${partner} can tell you more.`
  return { error: 'not_found', message, ended: { as: endedAs, partner: { name: partner } } }
}

function withFallback(account: PortalAccount, name: string | null): PortalAccount {
  return { ...account, account: account.account ?? name }
}

/** Places to sign in: the instances that the operator has a client for, or every region of the tool. */
function signInPlaces(offer: OAuthOffer | undefined, instances: string[]): string[] {
  if (!offer) return []
  return offer.regions ? instances.flatMap(() => offer.regions ?? []) : instances
}

function accessTo(imp: PortalImportRow, role: 'source' | 'destination'): AccountAccess {
  const authorization = imp.authorizations.find((candidate) => candidate.role === role)
  if (!authorization) return 'missing'
  return authorization.is_checked ? 'checked' : 'given'
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null
}
