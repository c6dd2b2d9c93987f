import type { FastifyRequest } from 'fastify'
import type { PortalImport } from './contract.ts'
import type { PortalImportRow } from './find-portal-import.ts'

type Session = Pick<NonNullable<PortalImportRow['session']>, 'operator_role' | 'expires_at'>

/** An operator looks at the portal and asked for more than a look. Answered with 403. */
export class LookOnlyError extends Error {
  override name = 'LookOnlyError'
}

/** An operator who looks changes nothing: every request but a GET is refused, on every route with a session. */
export function refuseChanges(request: FastifyRequest, { operator_role: role }: Session): void {
  if (role !== null && request.method !== 'GET') {
    throw new LookOnlyError('You see this portal as an operator. Only the customer can change something here.')
  }
}

/** Prices, invoices and credit notes are for the customer, and for owners who look. */
export const seesMoney = ({ operator_role: role }: Session): boolean => role === null || role === 'owner'

export function refuseMoney(session: Session): void {
  if (!seesMoney(session)) throw new LookOnlyError('Your role does not see prices and invoices.')
}

/** The import as this session may see it. The address of an open checkout can be paid at, so no operator gets it. */
export function presentFor({ operator_role: role, expires_at }: Session, imp: PortalImport): PortalImport {
  if (role === null) return imp
  const payment = role === 'owner' && imp.payment ? { ...imp.payment, checkout_url: null } : null
  return { ...imp, payment, seen_by_operator: { until: new Date(expires_at).toISOString() } }
}
