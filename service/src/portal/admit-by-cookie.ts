import type { FastifyRequest } from 'fastify'
import { RequestError } from '../errors.ts'
import { admitCustomer } from './admit-customer.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import { readPortalCookie } from './portal-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { requireSameOrigin } from './require-same-origin.ts'

/** The import that this browser has opened by its link, ended or not. */
export async function findByCookie(
  parts: PortalParts,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<PortalImportRow> {
  const token = readPortalCookie(request, request.params.id, parts.isSecure(request))
  const imp = token === null ? null : await admitCustomer(parts, request.params.id, token)
  if (imp) return imp
  throw new RequestError('unauthorized', 'This browser has not opened the import by its link, or the link is old.')
}

/** The same, for acting on it: an import that has ended is not found. */
export async function admitByCookie(
  parts: PortalParts,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<PortalImportRow> {
  const imp = await findByCookie(parts, request)
  if (imp.ended_as) throw new RequestError('not_found', 'This import was ended, so there is nothing left to do.')
  return imp
}

/** For everything that the customer does: asked by the portal itself, and about an import that goes on. Answers its id. */
export async function admit(parts: PortalParts, request: FastifyRequest<{ Params: { id: string } }>): Promise<string> {
  requireSameOrigin(request, parts.origin())
  return (await admitByCookie(parts, request)).id
}
