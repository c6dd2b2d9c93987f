import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { hashSecret, noteSeen } from '../portal-sessions.ts'
import { findPortalImport, type PortalImportRow } from './find-portal-import.ts'
import { refuseChanges } from './keep-look-only.ts'
import { readPortalCookie } from './portal-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { requireSameOrigin } from './require-same-origin.ts'

export type AdmittedImport = PortalImportRow & { session: NonNullable<PortalImportRow['session']> }

/** The import that this browser has a session for, ended or not; null without one. */
export async function findBySession(
  parts: PortalParts,
  request: FastifyRequest,
  importId: string,
): Promise<AdmittedImport | null> {
  const secret = readPortalCookie(request, importId, parts.isSecure(request))
  const imp = secret === null ? null : await findPortalImport(parts, importId, hashSecret(secret))
  if (!imp?.session) return null
  refuseChanges(request, imp.session)
  if (!imp.session.is_seen_lately) await noteSeen(parts.db, [imp.session.id])
  return { ...imp, session: imp.session }
}

/** The import that this browser has opened by its link, ended or not. */
export async function findByCookie(
  parts: PortalParts,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<AdmittedImport> {
  const imp = await findBySession(parts, request, request.params.id)
  if (imp) return imp
  throw new RequestError(
    'unauthorized',
    'This browser is not signed in to the import. Please open the import by its link.',
  )
}

/** The same, for an import that goes on: one that has ended is not found. */
export async function admitByCookie(
  parts: PortalParts,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<AdmittedImport> {
  const imp = await findByCookie(parts, request)
  if (imp.ended_as) throw new RequestError('not_found', 'This import was ended, so there is nothing left to do.')
  return imp
}

/** The same, for a request that changes something: it must come from the portal itself. */
export async function admitAction(
  parts: PortalParts,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<AdmittedImport> {
  requireSameOrigin(request, parts.origin())
  return admitByCookie(parts, request)
}
