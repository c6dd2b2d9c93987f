import type { Connector } from '../connectors/contract.ts'
import { statusTexts } from '../imports/lifecycle.ts'
import type { AccountAccess, PortalError, PortalImport } from './contract.ts'
import type { PortalImportRow } from './find-portal-import.ts'

/** Through this connector a partner's own product is the destination, and the customer knows it by the partner's name. */
const partnersOwnTool = 'open'

export function presentPortalImport(imp: PortalImportRow, connectors: readonly Connector[]): PortalImport {
  const labelOf = (tool: string) => connectors.find((connector) => connector.tool === tool)?.label ?? tool
  const { destination_tool: destination } = imp
  return {
    id: imp.id,
    status: statusTexts[imp.status],
    status_code: imp.status,
    partner: { name: imp.partner_name },
    source: { tool: imp.source_tool, label: labelOf(imp.source_tool), access: accessTo(imp, 'source') },
    destination: {
      tool: destination,
      label: destination === partnersOwnTool ? imp.partner_name : labelOf(destination),
      access: accessTo(imp, 'destination'),
      account: imp.destination_username ?? hostOf(imp.destination_instance_url),
    },
    family: imp.family,
    start_full: imp.start_full,
    sponsorship: imp.sponsorship,
    items: imp.items,
    users: imp.users,
    progress: imp.progress,
    warnings: imp.warnings,
    created_at: imp.created_at.toISOString(),
  }
}

export function presentEnded(imp: PortalImportRow, endedAs: 'cancelled' | 'archived'): PortalError {
  const { partner_name: partner } = imp
  const message =
    endedAs === 'cancelled'
      ? `This import was cancelled, so there is nothing left to do here. ${partner} can tell you more, or start a new one.`
      : `This import was closed and archived, so there is nothing left to do here. ${partner} can tell you more.`
  return { error: 'not_found', message, ended: { as: endedAs, partner: { name: partner } } }
}

function accessTo(imp: PortalImportRow, role: 'source' | 'destination'): AccountAccess {
  const authorization = imp.authorizations.find((candidate) => candidate.role === role)
  if (!authorization) return 'missing'
  return authorization.is_checked ? 'checked' : 'given'
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null
}
