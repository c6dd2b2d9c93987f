import type { Static } from 'typebox'
import type { SourceTool } from '../connectors/registry.ts'
import type { ImportDetail, ImportEntry } from '../imports/import-rows.ts'
import { statusTexts } from '../lifecycle.ts'
import type { PartnerMapping } from '../mapping/saved-mappings.ts'
import { type PortalLinks, portalAddress } from '../portal-link.ts'
import type * as mappingSchemas from './mapping-schemas.ts'
import type * as schemas from './schemas.ts'

export function presentTool({ tool, label, families }: SourceTool): Static<typeof schemas.Tool> {
  return { name: tool, slug: tool, label, families }
}

export function presentMapping(mapping: PartnerMapping): Static<typeof mappingSchemas.Mapping> {
  const { id, name, source_tool, family, saved_at, changes } = mapping
  return { id, name, source_tool, family, saved_at: saved_at.toISOString(), changes: { ...changes } }
}

export function presentCreated(
  imp: { id: string; link_version: number },
  links: PortalLinks,
  origin: string,
): Static<typeof schemas.CreatedImport> {
  return { id: imp.id, token: links.token(imp), redirect_url: portalAddress(links, imp, origin) }
}

export function presentEntry(imp: ImportEntry, links: PortalLinks): Static<typeof schemas.ImportEntry> {
  return {
    id: imp.id,
    token: links.token(imp),
    status: statusTexts[imp.status],
    status_code: imp.status,
    family: imp.family,
    items: imp.items,
    users: imp.users,
    created_at: imp.created_at.toISOString(),
  }
}

export function presentDetail(imp: ImportDetail, links: PortalLinks): Static<typeof schemas.ImportDetail> {
  return {
    ...presentEntry(imp, links),
    source_tool: imp.source_tool,
    destination_tool: imp.destination_tool,
    sponsorship: imp.sponsorship,
    ...(imp.sponsorship_reason ? { sponsorship_reason: imp.sponsorship_reason } : {}),
    paid: imp.paid,
    progress: imp.progress,
    ...(imp.warnings.length > 0 ? { warnings: imp.warnings } : {}),
  }
}

export function presentLinked(
  imp: ImportDetail,
  links: PortalLinks,
  origin: string,
): Static<typeof schemas.LinkedImport> {
  return { ...presentDetail(imp, links), redirect_url: portalAddress(links, imp, origin) }
}
