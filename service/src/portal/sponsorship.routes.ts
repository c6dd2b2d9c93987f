import type { FastifyInstance } from 'fastify'
import { askSponsorship } from '../imports/ask-sponsorship.ts'
import { admitByCookie } from './admit-by-cookie.ts'
import type { PortalParts } from './portal-parts.ts'
import { requireSameOrigin } from './require-same-origin.ts'

/** The customer's wish that the partner pays. */
export function registerSponsorshipRoutes(app: FastifyInstance, parts: PortalParts): void {
  app.post<{ Params: { id: string } }>(
    '/portal/imports/:id/sponsorship-request',
    { schema: { hide: true }, bodyLimit: 1024 },
    async (request) => {
      requireSameOrigin(request, parts.origin())
      const { id, full_page_url: page } = await admitByCookie(parts, request)
      const requestedAt = await askSponsorship(parts.db, id)
      return { requested_at: requestedAt.toISOString(), full_page: page }
    },
  )
}
