import type { ReadDatabase } from '../db/prepare-query.ts'
import type { PortalLinks } from '../portal-link.ts'
import { findPortalImport, type PortalImportRow } from './find-portal-import.ts'

/** The import that this token opens, ended or not; null for a wrong token, a revoked link and an unknown id, without telling which. */
export async function admitCustomer(
  parts: ReadDatabase & { links: PortalLinks },
  importId: string,
  token: string,
): Promise<PortalImportRow | null> {
  const imp = await findPortalImport(parts, importId)
  return imp && imp.link_revoked_at === null && parts.links.isToken(imp, token) ? imp : null
}
