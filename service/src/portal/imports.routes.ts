import type { FastifyInstance } from 'fastify'
import { RequestError } from '../errors.ts'
import { admitCustomer } from './admit-customer.ts'
import type { PortalParts } from './portal.ts'
import { readPortalCookie } from './portal-cookie.ts'
import { presentEnded, presentPortalImport } from './present-portal-import.ts'

/** What the customer's page shows, for the browser that holds the import's cookie. */
export function registerImportRoutes(app: FastifyInstance, parts: PortalParts): void {
  app.get<{ Params: { id: string } }>('/portal/imports/:id', { schema: { hide: true } }, async (request, reply) => {
    const token = readPortalCookie(request, request.params.id, parts.isSecure(request))
    const imp = token === null ? null : await admitCustomer(parts, request.params.id, token)
    if (!imp)
      throw new RequestError('unauthorized', 'This browser has not opened the import by its link, or the link is old.')
    if (imp.ended_as) return reply.code(404).send(presentEnded(imp, imp.ended_as))
    return presentPortalImport(imp, parts.connectors)
  })
}
