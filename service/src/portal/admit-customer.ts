import type { Db } from '../db/open-database.ts'
import type { PortalLinks } from '../portal-link.ts'
import { findPortalImport, type PortalImportRow } from './find-portal-import.ts'

/** The import that this token opens, ended or not; null for a wrong token, a revoked link and an unknown id, without telling which. */
export async function admitCustomer(
  { db, links }: { db: Db; links: PortalLinks },
  importId: string,
  token: string,
): Promise<PortalImportRow | null> {
  const imp = await findPortalImport(db, importId)
  return imp && imp.link_revoked_at === null && links.isToken(imp, token) ? imp : null
}
