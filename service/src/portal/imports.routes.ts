import type { FastifyInstance } from 'fastify'
import { findNewestRun } from '../imports/find-newest-run.ts'
import { findTwin } from '../imports/warn-of-twin.ts'
import { findByCookie } from './admit-by-cookie.ts'
import { presentFor } from './keep-look-only.ts'
import type { PortalParts } from './portal-parts.ts'
import { presentEnded, presentPortalImport } from './present-portal-import.ts'

/** The data of the customer's page, for the browser that holds the import's cookie. */
export function registerImportRoutes(app: FastifyInstance, parts: PortalParts): void {
  app.get<{ Params: { id: string } }>('/portal/imports/:id', { schema: { hide: true } }, async (request, reply) => {
    const imp = await findByCookie(parts, request)
    if (imp.ended_as) return reply.code(404).send(presentEnded(imp, imp.ended_as))
    const [run, twin] = await Promise.all([findNewestRun(parts, imp.id), findTwin(parts, imp.id)])
    return presentFor(imp.session, presentPortalImport(imp, run, twin, parts.connectors))
  })
}
